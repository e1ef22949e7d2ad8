// A risk report as one HTML page: pictures and sentences for people who decide, no scripts, nothing from
// elsewhere; by day and by night, on a desk, on a phone and on paper.

import type { AttackResult, Attacks, RiskReport } from "@dosimeter/engine/risk"
import { barSvg, escape, lineChart, tableHtml } from "./html.ts"
import { riskStyle } from "./risk-style.ts"
import {
  attackName,
  attackQuestion,
  curveCover,
  findings,
  named,
  ofPeople,
  percent,
  recursiveWords,
  tableAttackWords,
  whole,
} from "./risk-words.ts"

const combinationsShown = 15

/** The page. */
export function riskPage(report: RiskReport): string {
  const sections = [
    crowdSection,
    combinationSection,
    certainSection,
    linkageSection,
    coarserSection,
    attackSection,
    curveSection,
    columnSection,
    rowSection,
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(report.table)}: could people be found?</title>
<style>${riskStyle}</style></head><body><main>
<p class="warning" role="note"><strong>${escape(report.warning)}</strong></p>
<h1>Could people be found in ${escape(report.table)}?</h1>
<p>${escape(introduction(report))}</p>
${cards(report)}
<h2>What was found</h2>
<ul>${findings(report)
    .map((sentence) => `<li>${escape(sentence)}</li>`)
    .join("\n")}</ul>
${sections.map((section) => section(report)).join("\n")}
<h2>How to read this</h2>
<p>${escape(method)}</p>
</main></body></html>
`
}

function introduction({ rows, quasi, chosen, sensitive, person }: RiskReport): string {
  const each =
    person === undefined ? "Each row is taken as one person" : `Rows of one ${person.column} are one person`
  const varying =
    person === undefined || person.varying === 0
      ? ""
      : ` ${whole(person.varying)} of them have several values in these columns, of which the least is taken; they are easier to find than the figures say.`
  const told = sensitive.length === 0 ? "" : ` What nobody should learn is ${named(sensitive)}.`
  return `${whole(rows)} people. ${each}.${varying} Outsiders are taken to know ${named(quasi)}${chosen ? " (suggested by the names of the columns: please check)" : ""}.${told}`
}

const method =
  "Everything is counted, nothing estimated, unless it says so. A missing value counts as a value. That somebody is the only one in this table does not say that nobody else outside of it is alike; that a value is certain holds for whoever knows that the person is in the table. The report is as good as the list of columns that outsiders know: what is known to a neighbour, an employer or an insurer differs."

function cards(report: RiskReport): string {
  const { crowds, homogeneity, rows } = report
  const alone = crowds.sizes[0]?.people ?? 0
  const most = homogeneity.toSorted((a, b) => b.certain - a.certain)[0]
  const card = (figure: string, words: string): string =>
    `<div class="card"><b>${escape(figure)}</b><span>${escape(words)}</span></div>`
  return `<div class="cards">
${card(percent(alone / rows), "are the only one with their combination")}
${most === undefined ? "" : card(percent(most.certain / rows), `have a ${most.column} that is certain`)}
${card(whole(crowds.k), "is the size of the smallest crowd")}
</div>`
}

function crowdSection(report: RiskReport): string {
  const { crowds, quasi, rows } = report
  const label = (from: number, to: number | undefined): string =>
    to === undefined ? `${from} or more` : from === to ? `${from}` : `${from} to ${to}`
  return `<h2>How large are the crowds?</h2>
<p>People who share ${escape(named(quasi))} are a crowd. There are ${whole(crowds.classes)} of them, half
of them of ${whole(crowds.median)} at most; the table is ${whole(crowds.k)}-anonymous.</p>
${tableHtml(
  ["Crowd of", "", "People", "Crowds"],
  crowds.sizes.map(({ from, to, classes, people }) => [
    label(from, to),
    barSvg(people / rows, { tone: from < 11 ? "risk" : "calm" }),
    `${whole(people)} (${percent(people / rows)})`,
    whole(classes),
  ]),
)}`
}

function combinationSection(report: RiskReport): string {
  const { combinations, combinationsLeftOut, rows, sensitive } = report
  const shown = combinations.slice(0, combinationsShown)
  const rest = combinations.length - shown.length
  const left =
    combinationsLeftOut === 0
      ? ""
      : ` ${whole(combinationsLeftOut)} combinations were not counted, so that the report ends in time.`
  return `<h2>Which columns single people out?</h2>
<p>Of all combinations, those that leave most people alone come
first.${rest > 0 ? ` ${whole(rest)} more are in the JSON.` : ""}${left}</p>
${tableHtml(
  ["Known", "Alone", "", "Fewer than 11", ...sensitive.map((column) => `${escape(column)} certain`)],
  shown.map(({ columns, unique, below11, certain }) => [
    escape(columns.join(", ")),
    percent(unique / rows),
    barSvg(unique / rows),
    percent(below11 / rows),
    ...certain.map(({ people }) => percent(people / rows)),
  ]),
)}`
}

function certainSection(report: RiskReport): string {
  const { homogeneity, rows } = report
  const levels = homogeneity.flatMap(({ recursive }) => recursive.map(({ l }) => l))
  const columns = [...new Set(levels)].toSorted((a, b) => a - b)
  if (homogeneity.length === 0) return ""
  return `<h2>A crowd in which all are alike hides nobody</h2>
<p>Where everybody in a crowd has the same value, it is known of each of them, however large the crowd is.</p>
${tableHtml(
  [
    "Column",
    "Values",
    "Certain for",
    "of them alone",
    "in a crowd of 11 or more",
    "l",
    "entropy l",
    ...columns.map((l) => `recursive (c, ${l})`),
    "t",
  ],
  homogeneity.map(({ column, values, certain, certainAlone, certainInCrowd, l, entropyL, recursive, t }) => [
    escape(column),
    whole(values),
    escape(ofPeople(certain, report)),
    whole(certainAlone),
    whole(certainInCrowd),
    whole(l),
    entropyL.toFixed(2),
    ...columns.map((level) => {
      const found = recursive.find((one) => one.l === level)
      return found === undefined ? "" : escape(recursiveWords(found, { rows }))
    }),
    t.toFixed(2),
  ]),
)}
<p class="small">l: the least number of different values in a crowd; entropy l: the same, weighted by how
even they are; recursive (c, l): the most common value of a crowd is less than c times as frequent as all
but the l - 1 most common ones together, but for people in crowds of fewer than l values; t: how far a crowd's values are from everybody's at most (0: alike, 1: nothing in
common).</p>`
}

function linkageSection(report: RiskReport): string {
  const { linkage } = report
  if (linkage === undefined) return ""
  const { file, on, records, pairs, ambiguous, unmatched, certain } = linkage
  const share = (count: number): string => `${whole(count)} (${percent(records === 0 ? 0 : count / records)})`
  const row = (label: string, count: number, tone: string): readonly string[] => [
    escape(label),
    share(count),
    barSvg(records === 0 ? 0 : count / records, { tone }),
  ]
  return `<h2>What ${escape(file)} adds</h2>
<p>Both have ${escape(named(on))}. If its ${whole(records)} records are about people of this table, then:</p>
${tableHtml(
  ["Records", "", ""],
  [
    row("match one person alone, who matches no other record", pairs, "risk"),
    row("match somebody, and not one to one", ambiguous, "some"),
    row("match nobody", unmatched, "calm"),
    ...certain.map(({ column, people }) => row(`make ${column} certain`, people, "risk")),
  ],
)}`
}

function coarserSection(report: RiskReport): string {
  const { generalisation, quasi, rows, sensitive } = report
  const share = (count: number): number => count / rows
  const lines = [
    {
      name: "in a crowd below 11",
      tone: "some",
      points: generalisation.map(({ lost, below11 }) => ({ x: lost, y: share(below11) })),
    },
    {
      name: "alone",
      tone: "risk",
      points: generalisation.map(({ lost, unique }) => ({ x: lost, y: share(unique) })),
    },
    ...(sensitive[0] === undefined
      ? []
      : [
          {
            name: `${sensitive[0]} certain`,
            tone: "told",
            points: generalisation.map(({ lost, certain }) => ({
              x: lost,
              y: share(certain[0]?.people ?? 0),
            })),
          },
        ]),
  ]
  return `<h2>What coarser columns cost, and still leak</h2>
<p>Each step makes one column coarser, the one that brings most people into a crowd for what is lost.
Lost is the share of the information (entropy) in ${escape(named(quasi))}. Another order may be
cheaper.</p>
${lineChart({ title: "People at risk by information lost", lines, xFrom: 0, xTo: 1, xLabel: "information lost", xTick: (x) => `${Math.round(100 * x)} %` })}
${tableHtml(
  [
    "Step",
    "Lost",
    "Smallest crowd",
    "Alone",
    "Fewer than 11",
    ...sensitive.map((column) => `${escape(column)} certain`),
  ],
  generalisation.map(({ what, lost, k, unique, below11, certain }) => [
    escape(what),
    percent(lost),
    whole(k),
    percent(share(unique)),
    percent(share(below11)),
    ...certain.map(({ people }) => percent(share(people))),
  ]),
)}`
}

function attackSection({ attacks }: RiskReport): string {
  if (attacks === undefined) return ""
  const { counts, dosimeter, ceiling, epsilon, tables, leftOut } = attacks
  const row = (result: AttackResult, name: string, tone: string, mark?: number): readonly string[] => [
    escape(name),
    percent(result.right),
    barSvg(result.right, { tone, ...(mark === undefined ? {} : { mark }) }),
    `${result.queries}`,
    `${whole(result.targets)}${result.hidden === 0 ? "" : `, ${whole(result.hidden)} hidden`}`,
  ]
  const own =
    dosimeter === undefined ? [] : [row(dosimeter, `Dosimeter at epsilon ${epsilon}`, "calm", ceiling)]
  const rows = [...counts.map((result) => row(result, `Where ${attackName(result)}`, "risk")), ...own]
  return `<h2>The usual rules, attacked on this table</h2>
<p>${escape(attackQuestion(attacks))}</p>
${rows.length === 0 ? "" : tableHtml(["Counts are published so", "Right", "", "Questions", "Guesses"], rows)}
<p class="small">The attacks ask for a count with the person and for the same without. The line in the
last bar is at ${escape(percent(ceiling))}: e^epsilon / (1 + e^epsilon), which no attack on Dosimeter's
answers passes on average, whatever else the attacker knows. There the fact of each target is decided by
a coin, so that nothing but the answers can tell it; a measured share may be above or below its average
by chance.</p>
<ul>${tables.map((attack) => `<li>${escape(tableAttackWords(attack, attacks))}</li>`).join("\n")}</ul>
${levelsOf(attacks)}
${leftOut.map((why) => `<p class="small">Not carried out: ${escape(why)}.</p>`).join("\n")}`
}

function levelsOf({ tables }: Attacks): string {
  const published = tables.find(({ kind }) => kind === "linked")?.levels ?? []
  return published.length === 0
    ? ""
    : `<p class="small">The tables: ${published.map((levels) => escape(levels.join("; "))).join(" — and — ")} (in the order of the columns).</p>`
}

function curveSection({ curve, person }: RiskReport): string {
  if (curve === undefined) return ""
  const { points, columns } = curve
  const line = (name: string, tone: string, of: (point: (typeof points)[number]) => number) => ({
    name,
    tone,
    points: points.map((point) => ({ x: point.known, y: of(point) })),
  })
  return `<h2>Is there a crowd to hide in?</h2>
<p>How many of the ${columns.length} columns that are no identifiers somebody has to know until people
are the only ones, over ${Math.max(...points.map(({ tried }) => tried))} choices of columns at
most. ${escape(curveCover(curve, person))}</p>
${lineChart({
  title: "Share of people who are alone, by columns known",
  lines: [
    line("alone, on average", "risk", ({ mean }) => mean),
    line("by the most telling choice", "some", ({ most }) => most),
    line("by the least telling", "calm", ({ least }) => least),
  ],
  xFrom: 1,
  xTo: points.length,
  xLabel: "columns known",
  xTick: (x) => (Number.isInteger(x) ? `${x}` : ""),
})}`
}

function columnSection({ columns }: RiskReport): string {
  const words = {
    identifier: "names people",
    quasi: "could be known",
    sensitive: "sensitive",
    other: "open",
  } as const
  return `<h2>The columns</h2>
<p>Suggestions by names and values. Columns that name people should not be in a file that is passed
on.${columns.some(({ isEstimate }) => isEstimate) ? " Different values are estimated, within some per cent; they decide nothing but these suggestions." : ""}</p>
${tableHtml(
  ["Column", "Suggested as", "Why", "Different values", "Missing"],
  columns.map(({ column, role, why, distinct, isEstimate, missing }) => [
    escape(column),
    words[role],
    escape(why),
    isEstimate ? `about ${whole(distinct)}` : whole(distinct),
    whole(missing),
  ]),
)}`
}

function rowSection({ found }: RiskReport): string {
  const [first] = found
  if (first === undefined) return ""
  const names = Object.keys(first.values)
  return `<h2>Single people</h2>
<p>Asked for by the owner: the first of those who are alone, or whose crowd has one value.</p>
${tableHtml(
  names.map(escape),
  found.map(({ values }) => names.map((name) => escape(values[name] ?? "missing"))),
)}`
}
