// Synthetic rows for people and programs: what they would cost, and how far those that were made are from the
// data.

import type { MadeRows, ReportLine, SyntheticPlan, SyntheticRelease } from "@dosimeter/engine"
import { showCharge } from "@dosimeter/planner/explain/show-explanation"
import { pad, safeText, widthOf } from "./layout.ts"
import { shortNumber } from "./numbers.ts"

/** What it costs, and how good it would be. */
export function showSyntheticPlan({ columns, charge, quality, records }: SyntheticPlan): string {
  const { column, roughPair, closePair, pairs, misplaced } = quality
  const { rows } = records
  return [
    `columns     ${columns.map(({ name }) => safeText(name)).join(", ")}`,
    ...(rows === undefined
      ? []
      : [
          `rows        of ${rows.table}: how many (to ${rows.most}), the first and the second of each person`,
        ]),
    `cost        ${showCharge(charge)}, for all of it together`,
    `noise       ± ${shortNumber(column)} people in the count of a value (standard deviation)`,
    ...(pairs === 0
      ? []
      : [
          `            ± ${shortNumber(roughPair)} in a cell of a rough table, of ${pairs} pairs of columns`,
          `            ± ${shortNumber(closePair)} in a cell of a close table, of about ${columns.length} pairs`,
        ]),
    ...misplaced.map(
      ({ units, share }) =>
        `            of ${units.toLocaleString("en")} people about ${percent(share)} wrong in a column by noise`,
    ),
    "",
  ].join("\n")
}

/** The same for programs. */
export function planJson({ columns, charge, quality }: SyntheticPlan): object {
  return { columns: columns.map(({ name }) => name), cost: showCharge(charge), quality }
}

/** What was made. */
export function showMade(release: SyntheticRelease, made: MadeRows, files: readonly string[]): string {
  const { report, units, rows } = made
  const ones = report.filter(({ columns }) => columns.length === 1)
  const pairs = report.filter(({ columns }) => columns.length > 1).toSorted((a, b) => b.guess - a.guess)
  const shown = pairs.slice(0, pairsShown)
  const cost = release.origin === "recorded" ? "nothing: measured before" : showCharge(release.plan.charge)
  const lengths = [units.length, ...(rows === undefined ? [] : [rows.length])]
  return [
    ...files.map((file, place) => `wrote       ${(lengths[place] ?? 0).toLocaleString("en")} rows: ${file}`),
    "",
    "How many of 100 rows would have to change for the tables to be those of the data,",
    "told by noisy tables that had no part in making the rows:",
    "",
    ...table(ones),
    ...(shown.length === 0
      ? []
      : ["", `pairs of columns, the ${shown.length} worst of ${pairs.length}`, ...table(shown)]),
    "",
    `cost        ${cost}`,
    "",
  ].join("\n")
}

const pairsShown = 10

/** The same for programs. */
export function madeJson(release: SyntheticRelease, made: MadeRows, files: readonly string[]): object {
  return {
    files,
    rows: made.units.length,
    ...(made.rows === undefined ? {} : { rowsOfSecondTable: made.rows.length }),
    origin: release.origin,
    charge: `${release.charge}`,
    report: made.report,
    receipt: release.receipt,
  }
}

function table(lines: readonly ReportLine[]): readonly string[] {
  const cells = lines.map(({ columns, low, guess, high }) => [
    columns.map(safeText).join(" and "),
    percent(guess),
    `${percent(low)} to ${percent(high)}`,
  ])
  const widths = [0, 1, 2].map((place) => Math.max(...cells.map((row) => widthOf(row[place] ?? ""))))
  return cells.map((row) =>
    row.map((cell, place) => pad(cell, widths[place] ?? 0, place === 0 ? "left" : "right")).join("  "),
  )
}

function percent(share: number): string {
  return `${shortNumber(share * 100)} %`
}
