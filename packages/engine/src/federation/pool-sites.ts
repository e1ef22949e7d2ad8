// What several sites have answered by themselves, pooled as estimates: a meta-analysis of noisy answers, in
// which the noise of each counts like the error of its sample. Post-processing: it costs nothing.

import { metaAnalysis, normalWidth, studentWidth, type SiteEstimate } from "@dosimeter/core/post"
import {
  countedEffect,
  countedEffects,
  meanDifference,
  meanEffect,
  type CountedCells,
  type CountedEffect,
  type MeanCells,
} from "@dosimeter/answers/estimates/effect-of-cells"
import { publicCell, type Cell, type Table } from "@dosimeter/answers/cells/table"
import { answerValue } from "../answer/answer.ts"
import { fail } from "../errors.ts"

/** What can be pooled. */
export const pooledMeasures = ["mean", "mean-difference", ...countedEffects] as const

/** One of these. */
export type PooledMeasure = (typeof pooledMeasures)[number]

/** What is pooled, by the names of the answer's columns. */
export interface PoolWanted {
  readonly measure: PooledMeasure
  /** How many there are. */
  readonly count: string
  /** Of risks and odds: how many of them. */
  readonly events?: string
  /** Of means: the average, and the variance of the values. */
  readonly mean?: string
  readonly variance?: string
  /** Where two groups are compared: the column that tells them, and its two values. */
  readonly by?: string
  readonly first?: string
  readonly second?: string
}

/** What one site has answered, with the noise in each cell. */
export interface SiteTable {
  readonly site: string
  readonly names: readonly string[]
  readonly table: Table
}

/** A value and its interval; of ratios the ratio itself, not its logarithm. */
export interface PooledValue {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** One site in a meta-analysis. */
export interface PooledSite extends PooledValue {
  readonly site: string
  /** Its part of the random-effects estimate; all together are 1. */
  readonly weight: number
  /** Its variances, on the scale on which sites are pooled. */
  readonly sampling: number
  readonly noise: number
}

/** A meta-analysis. */
export interface PooledSites {
  readonly measure: PooledMeasure
  /** Ratios are pooled as logarithms. */
  readonly scale: "plain" | "logarithm"
  readonly confidence: number
  readonly sites: readonly PooledSite[]
  /** Sites whose numbers drown in their noise: nothing of them is pooled. */
  readonly leftOut: readonly string[]
  /** If all sites estimate the same, */
  readonly fixed: PooledValue
  /** if what they estimate varies (DerSimonian and Laird), */
  readonly random: PooledValue
  /** and with the error that the sites' own differences show (Hartung and Knapp, Sidik and Jonkman). */
  readonly hartungKnapp: PooledValue
  readonly q: number
  readonly degrees: number
  readonly between: number
  readonly inconsistency: number
}

/** Pools what sites have answered. */
export function poolSites(tables: readonly SiteTable[], wanted: PoolWanted, confidence = 0.95): PooledSites {
  const all = tables.map((one) => ({ site: one.site, estimate: estimateOf(one, wanted) }))
  const used = all.flatMap(({ site, estimate }) => (estimate === undefined ? [] : [{ site, estimate }]))
  if (used.length < 2) fail("federation/too-few-estimates", { got: `${used.length}` })
  const { measure } = wanted
  const isRatio = measure === "risk-ratio" || measure === "odds-ratio"
  const shown = (value: number, width: number): PooledValue => {
    const [middle = 0, low = 0, high = 0] = [value, value - width, value + width].map((one) =>
      isRatio ? Math.exp(one) : one,
    )
    return { value: middle, low, high }
  }
  const found = metaAnalysis(used.map(({ estimate }) => estimate))
  const { fixed, random, hartungKnapp, degrees, q, between, inconsistency } = found
  const width = normalWidth(1 - confidence)
  return {
    measure,
    scale: isRatio ? "logarithm" : "plain",
    confidence,
    sites: used.map(({ site, estimate: { value, sampling, noise } }, index) => ({
      site,
      ...shown(value, width * Math.sqrt(sampling + noise)),
      weight: random.weights[index] ?? 0,
      sampling,
      noise,
    })),
    leftOut: all.filter(({ estimate }) => estimate === undefined).map(({ site }) => site),
    fixed: shown(fixed.value, width * fixed.standardError),
    random: shown(random.value, width * random.standardError),
    hartungKnapp: shown(random.value, studentWidth(confidence, degrees) * hartungKnapp),
    q,
    degrees,
    between,
    inconsistency,
  }
}

function estimateOf(table: SiteTable, wanted: PoolWanted): SiteEstimate | undefined {
  const { measure } = wanted
  switch (measure) {
    case "mean":
      return meanEffect(meanCells(onlyRow(table), table, wanted))
    case "mean-difference": {
      const [first, second] = twoRows(table, wanted)
      return meanDifference(meanCells(first, table, wanted), meanCells(second, table, wanted))
    }
    case "risk-difference":
    case "risk-ratio":
    case "odds-ratio":
      return counted(measure, table, wanted)
    default:
      return measure satisfies never
  }
}

function counted(kind: CountedEffect, table: SiteTable, wanted: PoolWanted): SiteEstimate | undefined {
  const [first, second] = twoRows(table, wanted)
  const cells = (row: readonly Cell[]): CountedCells => ({
    events: cellAt(row, table, wanted.events ?? ""),
    of: cellAt(row, table, wanted.count),
  })
  return countedEffect(kind, cells(first), cells(second))
}

function meanCells(row: readonly Cell[], table: SiteTable, wanted: PoolWanted): MeanCells {
  return {
    mean: cellAt(row, table, wanted.mean ?? ""),
    variance: cellAt(row, table, wanted.variance ?? ""),
    of: cellAt(row, table, wanted.count),
  }
}

function cellAt(row: readonly Cell[], { names }: SiteTable, column: string): Cell {
  const place = names.indexOf(column)
  if (place < 0) fail("federation/no-column", { column, columns: names.join(", ") })
  return row[place] ?? publicCell({ kind: "null" })
}

function onlyRow({ table }: SiteTable): readonly Cell[] {
  const [row, other] = table.rows
  return row !== undefined && other === undefined ? row : fail("federation/not-one-row", {})
}

function twoRows(table: SiteTable, wanted: PoolWanted): readonly [readonly Cell[], readonly Cell[]] {
  const { by = "", first = "", second = "" } = wanted
  const rowOf = (value: string): readonly Cell[] => {
    const found = table.table.rows.filter((row) => `${answerValue(cellAt(row, table, by).value)}` === value)
    const [row, other] = found
    return row !== undefined && other === undefined ? row : fail("federation/no-group", { column: by, value })
  }
  return [rowOf(first), rowOf(second)]
}
