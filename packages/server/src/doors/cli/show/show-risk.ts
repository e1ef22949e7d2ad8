// A risk report in the terminal: the findings, the worst combinations, and what the attacks reached.

import type { RiskReport } from "@dosimeter/engine/risk"
import {
  attackName,
  attackQuestion,
  findings,
  percent,
  recursiveWords,
  tableAttackWords,
  whole,
} from "../../../risk/risk-words.ts"
import { bar, pad, safeText, shorten, wrap } from "./layout.ts"

const width = 100
const combinationsShown = 8

/** The report as text. */
export function showRisk(report: RiskReport, plain: boolean): string {
  const parts = [
    wrap(report.warning, width),
    `${report.table}: ${whole(report.rows)} people\n${findings(report)
      .map((one) => wrap(`- ${one}`, width, "  "))
      .join("\n")}`,
    combinationText(report, plain),
    diversityText(report),
    stepText(report),
    attackText(report, plain),
    ...(report.found.length === 0 ? [] : [rowText(report)]),
  ]
  return `${parts
    .filter((part) => part !== "")
    .map(safeLines)
    .join("\n\n")}\n`
}

function combinationText(
  { combinations, combinationsLeftOut, rows, sensitive }: RiskReport,
  plain: boolean,
): string {
  const lines = combinations.slice(0, combinationsShown).map(({ columns, unique, certain }) => {
    const told = certain.map(({ people }) => pad(percent(people / rows), 12, "right")).join("  ")
    return `${pad(shorten(columns.join(", "), 36), 36, "left")}  ${pad(percent(unique / rows), 12, "right")}  ${bar(unique / rows, 16, plain)}  ${told}`.trimEnd()
  })
  const head = `${pad("known", 36, "left")}  ${pad("alone", 12, "right")}  ${pad("", plain ? 18 : 16, "left")}  ${sensitive.map((column) => pad(shorten(`${column} certain`, 20), 12, "right")).join("  ")}`
  const left =
    combinationsLeftOut === 0 ? "" : `\n${whole(combinationsLeftOut)} combinations were not counted`
  return `${head.trimEnd()}\n${lines.join("\n")}${left}`
}

function diversityText(report: RiskReport): string {
  if (report.homogeneity.length === 0) return ""
  const lines = report.homogeneity.map(({ column, l, entropyL, recursive, t }) => {
    const more = recursive.map((one) => `(c, ${one.l}) ${recursiveWords(one, report)}`).join("; ")
    return wrap(
      `${shorten(column, 36)}: l ${l}, by entropy ${entropyL.toFixed(2)}${more === "" ? "" : `, recursive ${more}`}; t ${t.toFixed(2)}`,
      width,
      "  ",
    )
  })
  return `how much the crowds differ inside\n${lines.join("\n")}`
}

function stepText({ generalisation, rows }: RiskReport): string {
  const lines = generalisation.map(({ what, lost, k, below11, certain }) =>
    `${pad(shorten(what, 36), 36, "left")}  ${pad(percent(lost), 12, "right")}  ${pad(whole(k), 14, "right")}  ${pad(percent(below11 / rows), 14, "right")}  ${certain.map(({ people }) => percent(people / rows)).join("  ")}`.trimEnd(),
  )
  return `${pad("coarser, step by step", 36, "left")}  ${pad("lost", 12, "right")}  smallest crowd  ${pad("fewer than 11", 14, "right")}  certain\n${lines.join("\n")}`
}

function attackText({ attacks }: RiskReport, plain: boolean): string {
  if (attacks === undefined) return ""
  const { counts, dosimeter, epsilon, ceiling, tables, leftOut } = attacks
  const line = (name: string, right: number, more = ""): string =>
    `${pad(name, 44, "left")}  right ${pad(percent(right), 7, "right")}  ${bar(right, 20, plain)}${more}`
  return [
    wrap(attackQuestion(attacks), width),
    ...counts.map((result) =>
      line(
        attackName(result),
        result.right,
        result.hidden === 0 ? "" : `  ${result.hidden} of ${result.targets} hidden`,
      ),
    ),
    ...(dosimeter === undefined
      ? []
      : [line(`Dosimeter at epsilon ${epsilon}`, dosimeter.right, `  ceiling ${percent(ceiling)}`)]),
    ...tables.map((attack) => wrap(`- ${tableAttackWords(attack, attacks)}`, width, "  ")),
    ...leftOut.map((why) => `not carried out: ${why}`),
  ].join("\n")
}

function rowText({ found }: RiskReport): string {
  const lines = found.map(({ values }) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${value ?? "missing"}`)
      .join(", "),
  )
  return `single people, as asked for:\n${lines.join("\n")}`
}

function safeLines(text: string): string {
  return text.split("\n").map(safeText).join("\n")
}
