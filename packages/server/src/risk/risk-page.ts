// A risk report as one HTML page: pictures and sentences for people who decide, no scripts, nothing from
// elsewhere; by day and by night, on a desk, on a phone and on paper. What it says is in risk-texts.ts.

import type { AttackResult, Attacks, RiskReport } from "@dosimeter/engine/risk"
import { barSvg, escape, lineChart, tableHtml } from "./html.ts"
import { riskEn } from "./risk-en.ts"
import { riskStyle } from "./risk-style.ts"
import type { RiskLanguage, RiskTexts } from "./risk-texts.ts"
import { whole } from "./risk-words.ts"
import { riskZh } from "./risk-zh.ts"

const combinationsShown = 15
const languages: Readonly<Record<RiskLanguage, RiskTexts>> = { en: riskEn, zh: riskZh }

/** The page. */
export function riskPage(report: RiskReport, language: RiskLanguage = "en"): string {
  const texts = languages[language]
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
<html lang="${language === "zh" ? "zh-Hans" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(texts.title(report.table))}</title>
<style>${riskStyle}</style></head><body><main>
<p class="warning" role="note"><strong>${escape(texts.warning(report))}</strong></p>
<h1>${escape(texts.heading(report.table))}</h1>
<p>${escape(texts.introduction(report))}</p>
${cards(report, texts)}
<h2>${escape(texts.found)}</h2>
<ul>${texts
    .findings(report)
    .map((sentence) => `<li>${escape(sentence)}</li>`)
    .join("\n")}</ul>
${sections.map((section) => section(report, texts)).join("\n")}
${head(texts.method.title, texts.method.text)}
</main></body></html>
`
}

/** A head and its first paragraph. */
function head(title: string, lead: string): string {
  return `<h2>${escape(title)}</h2>
<p>${escape(lead)}</p>`
}

function cards(report: RiskReport, texts: RiskTexts): string {
  const { crowds, homogeneity, rows } = report
  const alone = crowds.sizes[0]?.people ?? 0
  const most = homogeneity.toSorted((a, b) => b.certain - a.certain)[0]
  const card = (figure: string, words: string): string =>
    `<div class="card"><b>${escape(figure)}</b><span>${escape(words)}</span></div>`
  return `<div class="cards">
${card(texts.share(alone / rows), texts.cards.alone)}
${most === undefined ? "" : card(texts.share(most.certain / rows), texts.cards.certain(most.column))}
${card(whole(crowds.k), texts.cards.smallest)}
</div>`
}

function crowdSection(report: RiskReport, { crowds: words, share }: RiskTexts): string {
  const { crowds, rows } = report
  const [crowd, people, count] = words.heads
  return `${head(words.title, words.lead(report))}
${tableHtml(
  [crowd, "", people, count],
  crowds.sizes.map((size) => [
    escape(words.band(size.from, size.to)),
    barSvg(size.people / rows, { tone: size.from < 11 ? "risk" : "calm" }),
    `${whole(size.people)} (${share(size.people / rows)})`,
    whole(size.classes),
  ]),
)}`
}

function combinationSection(report: RiskReport, { combinations: words, share }: RiskTexts): string {
  const { combinations, combinationsLeftOut, rows, sensitive } = report
  const shown = combinations.slice(0, combinationsShown)
  const [known, alone, below] = words.heads
  return `${head(words.title, words.lead(combinations.length - shown.length, combinationsLeftOut))}
${tableHtml(
  [known, alone, "", below, ...sensitive.map((column) => escape(words.certain(column)))],
  shown.map(({ columns, unique, below11, certain }) => [
    escape(columns.join(", ")),
    share(unique / rows),
    barSvg(unique / rows),
    share(below11 / rows),
    ...certain.map(({ people }) => share(people / rows)),
  ]),
)}`
}

function certainSection(report: RiskReport, { alike: words }: RiskTexts): string {
  const { homogeneity, rows } = report
  if (homogeneity.length === 0) return ""
  const levels = [...new Set(homogeneity.flatMap(({ recursive }) => recursive.map(({ l }) => l)))]
  const columns = levels.toSorted((a, b) => a - b)
  const [column, values, certainFor, alone, inCrowd, entropy] = words.heads
  return `${head(words.title, words.lead)}
${tableHtml(
  [column, values, certainFor, alone, inCrowd, "l", entropy, ...columns.map(words.recursiveHead), "t"],
  homogeneity.map((found) => [
    escape(found.column),
    whole(found.values),
    escape(words.certainFor(found.certain, rows)),
    whole(found.certainAlone),
    whole(found.certainInCrowd),
    whole(found.l),
    found.entropyL.toFixed(2),
    ...columns.map((level) => {
      const own = found.recursive.find(({ l }) => l === level)
      return own === undefined ? "" : escape(words.recursive(own, rows))
    }),
    found.t.toFixed(2),
  ]),
)}
<p class="small">${escape(words.legend)}</p>`
}

function linkageSection({ linkage }: RiskReport, { linkage: words, share }: RiskTexts): string {
  if (linkage === undefined) return ""
  const { file, records, pairs, ambiguous, unmatched, certain } = linkage
  const part = (count: number): number => (records === 0 ? 0 : count / records)
  const row = (label: string, count: number, tone: string): readonly string[] => [
    escape(label),
    `${whole(count)} (${share(part(count))})`,
    barSvg(part(count), { tone }),
  ]
  return `${head(words.title(file), words.lead(linkage))}
${tableHtml(
  [words.records, "", ""],
  [
    row(words.pairs, pairs, "risk"),
    row(words.ambiguous, ambiguous, "some"),
    row(words.unmatched, unmatched, "calm"),
    ...certain.map(({ column, people }) => row(words.certain(column), people, "risk")),
  ],
)}`
}

function coarserSection(report: RiskReport, { coarser: words, share }: RiskTexts): string {
  const { generalisation, quasi, rows, sensitive } = report
  const line = (name: string, tone: string, of: (step: (typeof generalisation)[number]) => number) => ({
    name,
    tone,
    points: generalisation.map((step) => ({ x: step.lost, y: of(step) / rows })),
  })
  const [first] = sensitive
  const lines = [
    line(words.below11, "some", ({ below11 }) => below11),
    line(words.alone, "risk", ({ unique }) => unique),
    ...(first === undefined
      ? []
      : [line(words.certain(first), "told", ({ certain }) => certain[0]?.people ?? 0)]),
  ]
  return `${head(words.title, words.lead(quasi))}
${lineChart({
  title: words.chart,
  lines,
  xFrom: 0,
  xTo: 1,
  xLabel: words.axis,
  xTick: (x) => `${Math.round(100 * x)} %`,
})}
${tableHtml(
  [...words.heads, ...sensitive.map((column) => escape(words.certain(column)))],
  generalisation.map(({ what, lost, k, unique, below11, certain }) => [
    escape(words.step(what)),
    share(lost),
    whole(k),
    share(unique / rows),
    share(below11 / rows),
    ...certain.map(({ people }) => share(people / rows)),
  ]),
)}`
}

function attackSection({ attacks }: RiskReport, { attacks: words, share }: RiskTexts): string {
  if (attacks === undefined) return ""
  const { counts, dosimeter, ceiling, epsilon, tables, leftOut } = attacks
  const row = (result: AttackResult, name: string, tone: string, mark?: number): readonly string[] => [
    escape(name),
    share(result.right),
    barSvg(result.right, { tone, ...(mark === undefined ? {} : { mark }) }),
    `${result.queries}`,
    escape(words.targets(result)),
  ]
  const own = dosimeter === undefined ? [] : [row(dosimeter, words.own(epsilon), "calm", ceiling)]
  const rows = [...counts.map((result) => row(result, words.name(result), "risk")), ...own]
  const [name, right, questions, guesses] = words.heads
  return `${head(words.title, words.question(attacks))}
${rows.length === 0 ? "" : tableHtml([name, right, "", questions, guesses], rows)}
<p class="small">${escape(words.legend(ceiling))}</p>
<ul>${tables.map((attack) => `<li>${escape(words.tables(attack, attacks))}</li>`).join("\n")}</ul>
${levelsOf(attacks, words)}
${leftOut.map((why) => `<p class="small">${escape(words.leftOut(why))}</p>`).join("\n")}`
}

function levelsOf({ tables }: Attacks, words: RiskTexts["attacks"]): string {
  const published = tables.find(({ kind }) => kind === "linked")?.levels ?? []
  return published.length === 0 ? "" : `<p class="small">${escape(words.levels(published))}</p>`
}

function curveSection({ curve, person }: RiskReport, { curve: words }: RiskTexts): string {
  if (curve === undefined) return ""
  const { points } = curve
  const line = (name: string, tone: string, of: (point: (typeof points)[number]) => number) => ({
    name,
    tone,
    points: points.map((point) => ({ x: point.known, y: of(point) })),
  })
  return `${head(words.title, words.lead(curve, person))}
${lineChart({
  title: words.chart,
  lines: [
    line(words.mean, "risk", ({ mean }) => mean),
    line(words.most, "some", ({ most }) => most),
    line(words.least, "calm", ({ least }) => least),
  ],
  xFrom: 1,
  xTo: points.length,
  xLabel: words.axis,
  xTick: (x) => (Number.isInteger(x) ? `${x}` : ""),
})}`
}

function columnSection({ columns }: RiskReport, { columns: words }: RiskTexts): string {
  const lead = words.lead(columns.some(({ isEstimate }) => isEstimate))
  return `${head(words.title, lead)}
${tableHtml(
  words.heads,
  columns.map(({ column, role, why, distinct, isEstimate, missing }) => [
    escape(column),
    words.roles[role],
    escape(words.why(why)),
    isEstimate ? words.about(distinct) : whole(distinct),
    whole(missing),
  ]),
)}`
}

function rowSection({ found }: RiskReport, { rows: words }: RiskTexts): string {
  const [first] = found
  if (first === undefined) return ""
  const names = Object.keys(first.values)
  return `${head(words.title, words.lead)}
${tableHtml(
  names.map(escape),
  found.map(({ values }) => names.map((name) => escape(values[name] ?? words.missing))),
)}`
}
