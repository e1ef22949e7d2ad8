// The page of a risk report in English. Sentences that the terminal says too are in risk-words.ts.

import type { RiskReport } from "@dosimeter/engine/risk"
import type { RiskTexts } from "./risk-texts.ts"
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

/** The texts. */
export const riskEn: RiskTexts = {
  language: "en",
  share: percent,
  warning: ({ warning }) => warning,
  title: (table) => `${table}: could people be found?`,
  heading: (table) => `Could people be found in ${table}?`,
  introduction,
  cards: {
    alone: "are the only one with their combination",
    certain: (column) => `have a ${column} that is certain`,
    smallest: "is the size of the smallest crowd",
  },
  found: "What was found",
  findings,
  method: {
    title: "How to read this",
    text: "Everything is counted, nothing estimated, unless it says so. A missing value counts as a value. That somebody is the only one in this table does not say that nobody else outside of it is alike; that a value is certain holds for whoever knows that the person is in the table. The report is as good as the list of columns that outsiders know: what is known to a neighbour, an employer or an insurer differs.",
  },
  crowds: {
    title: "How large are the crowds?",
    lead: ({ quasi, crowds }) =>
      `People who share ${named(quasi)} are a crowd. There are ${whole(crowds.classes)} of them, half of them of ${whole(crowds.median)} at most; the table is ${whole(crowds.k)}-anonymous.`,
    heads: ["Crowd of", "People", "Crowds"],
    band: (from, to) => (to === undefined ? `${from} or more` : from === to ? `${from}` : `${from} to ${to}`),
  },
  combinations: {
    title: "Which columns single people out?",
    lead: (more, leftOut) =>
      [
        "Of all combinations, those that leave most people alone come first.",
        ...(more > 0 ? [`${whole(more)} more are in the JSON.`] : []),
        ...(leftOut > 0
          ? [`${whole(leftOut)} combinations were not counted, so that the report ends in time.`]
          : []),
      ].join(" "),
    heads: ["Known", "Alone", "Fewer than 11"],
    certain: (column) => `${column} certain`,
  },
  alike: {
    title: "A crowd in which all are alike hides nobody",
    lead: "Where everybody in a crowd has the same value, it is known of each of them, however large the crowd is.",
    heads: ["Column", "Values", "Certain for", "of them alone", "in a crowd of 11 or more", "entropy l"],
    certainFor: (count, rows) => ofPeople(count, { rows }),
    recursiveHead: (l) => `recursive (c, ${l})`,
    recursive: (found, rows) => recursiveWords(found, { rows }),
    legend:
      "l: the least number of different values in a crowd; entropy l: the same, weighted by how even they are; recursive (c, l): the most common value of a crowd is less than c times as frequent as all but the l - 1 most common ones together, but for people in crowds of fewer than l values; t: how far a crowd's values are from everybody's at most (0: alike, 1: nothing in common).",
  },
  linkage: {
    title: (file) => `What ${file} adds`,
    lead: ({ on, records }) =>
      `Both have ${named(on)}. If its ${whole(records)} records are about people of this table, then:`,
    records: "Records",
    pairs: "match one person alone, who matches no other record",
    ambiguous: "match somebody, and not one to one",
    unmatched: "match nobody",
    certain: (column) => `make ${column} certain`,
  },
  coarser: {
    title: "What coarser columns cost, and still leak",
    lead: (quasi) =>
      `Each step makes one column coarser, the one that brings most people into a crowd for what is lost. Lost is the share of the information (entropy) in ${named(quasi)}. Another order may be cheaper.`,
    chart: "People at risk by information lost",
    axis: "information lost",
    below11: "in a crowd below 11",
    alone: "alone",
    certain: (column) => `${column} certain`,
    heads: ["Step", "Lost", "Smallest crowd", "Alone", "Fewer than 11"],
    step: (text) => text,
  },
  attacks: {
    title: "The usual rules, attacked on this table",
    question: attackQuestion,
    heads: ["Counts are published so", "Right", "Questions", "Guesses"],
    name: (result) => `Where ${attackName(result)}`,
    own: (epsilon) => `Dosimeter at epsilon ${epsilon}`,
    targets: ({ targets, hidden }) => `${whole(targets)}${hidden === 0 ? "" : `, ${whole(hidden)} hidden`}`,
    legend: (ceiling) =>
      `The attacks ask for a count with the person and for the same without. The line in the last bar is at ${percent(ceiling)}: e^epsilon / (1 + e^epsilon), which no attack on Dosimeter's answers passes on average, whatever else the attacker knows. There the fact of each target is decided by a coin, so that nothing but the answers can tell it; a measured share may be above or below its average by chance.`,
    tables: tableAttackWords,
    levels: (tables) =>
      `The tables: ${tables.map((levels) => levels.join("; ")).join(" — and — ")} (in the order of the columns).`,
    leftOut: (why) => `Not carried out: ${why}.`,
  },
  curve: {
    title: "Is there a crowd to hide in?",
    lead: (curve, person) =>
      `How many of the ${curve.columns.length} columns that are no identifiers somebody has to know until people are the only ones, over ${Math.max(...curve.points.map(({ tried }) => tried))} choices of columns at most. ${curveCover(curve, person)}`,
    chart: "Share of people who are alone, by columns known",
    mean: "alone, on average",
    most: "by the most telling choice",
    least: "by the least telling",
    axis: "columns known",
  },
  columns: {
    title: "The columns",
    lead: (isEstimate) =>
      `Suggestions by names and values. Columns that name people should not be in a file that is passed on.${isEstimate ? " Different values are estimated, within some per cent; they decide nothing but these suggestions." : ""}`,
    heads: ["Column", "Suggested as", "Why", "Different values", "Missing"],
    roles: { identifier: "names people", quasi: "could be known", sensitive: "sensitive", other: "open" },
    why: (text) => text,
    about: (count) => `about ${whole(count)}`,
  },
  rows: {
    title: "Single people",
    lead: "Asked for by the owner: the first of those who are alone, or whose crowd has one value.",
    missing: "missing",
  },
}
