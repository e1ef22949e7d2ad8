// Intervals of derived columns against noise from the real samplers: they hold what the query gives without
// noise at least as often as they say.

import { expect, test } from "vitest"
import { exactly, multiply, rational, type Rational } from "@dosimeter/core/exact"
import { fillDiscreteLaplace, fillRoundedGaussian } from "@dosimeter/core/noise"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import {
  callExpr,
  columnExpr,
  ColumnIds,
  integerLiteral,
  projectRel,
  windowRel,
} from "@dosimeter/proof/algebra/make"
import type { Frame, Rel, RelColumn, Released, WindowItem } from "@dosimeter/proof/algebra/rel"
import { evaluate } from "../evaluate/evaluate.ts"
import { intervalOfCell } from "./interval-of-cell.ts"
import type { NoiseBase } from "@dosimeter/core/post"
import { spreadOf } from "../cells/spread.ts"
import type { Table, Cell } from "../cells/table.ts"

const alpha = 1e-9
const confidence = 0.8
const trials = 3000
const groups = 6
const seed = freshSeed()
const rng = seededBits(seed)

const far = (value: bigint): { readonly value: Rational; readonly declared: boolean } => ({
  value: rational(value),
  declared: false,
})
const counted: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: { min: far(-(10n ** 9n)), max: far(10n ** 9n) },
}
const summed: Domain = { ...counted, type: { kind: "decimal", scale: 1 } }
const column = (id: number, name: string, domain: Domain): RelColumn => ({ id, name, domain })
const columns = [
  column(1, "key", counted),
  column(2, "cases", counted),
  column(3, "people", counted),
  column(4, "fees", summed),
]
const released: Released = { kind: "released", release: 0, columns }

/** Exact numbers of a group: cases, people, and fees in steps of a half. */
const exact = Array.from({ length: groups }, (_, group) => [
  40 + 7 * group,
  300 + 11 * group,
  900 - 50 * group,
])
const grids = [rational(1n), rational(1n), rational(1n, 2n)]

interface Law {
  readonly name: string
  readonly base: (id: number, aggregate: number, grid: Rational) => NoiseBase
  readonly fill: (out: Float64Array, aggregate: number) => void
}

const gaussianVariances = [16, 25, 9]
const laplaceScales = [3, 2, 4]
const laws: readonly Law[] = [
  {
    name: "gaussian",
    base: (id, aggregate, grid) => ({
      id,
      law: "gaussian",
      variance: exactly(gaussianVariances[aggregate] ?? 1, "variance"),
      grid,
    }),
    fill: (out, aggregate) =>
      void fillRoundedGaussian(out, exactly(gaussianVariances[aggregate] ?? 1, "variance"), rng),
  },
  {
    name: "laplace",
    base: (id, aggregate, grid) => ({
      id,
      law: "laplace",
      scale: exactly(laplaceScales[aggregate] ?? 1, "scale"),
      grid,
    }),
    fill: (out, aggregate) =>
      void fillDiscreteLaplace(out, exactly(laplaceScales[aggregate] ?? 1, "scale"), rng),
  },
]

/** The released table with some noise in steps, a list for each aggregate. */
function tableOf(noise: readonly (readonly number[])[], law: Law): Table {
  const rows = exact.map((row, group) => [
    { value: { kind: "number", value: rational(BigInt(group)) }, state: "released" } satisfies Cell,
    ...row.map((steps, aggregate): Cell => {
      const grid = grids[aggregate] ?? rational(1n)
      const value = multiply(rational(BigInt(steps + (noise[aggregate]?.[group] ?? 0))), grid)
      const base = law.base(group * 3 + aggregate, aggregate, grid)
      return { value: { kind: "number", value }, spread: spreadOf(base, value), state: "released" }
    }),
  ])
  return { columns, rows }
}

const [, cases, people, fees] = columns.map(columnExpr)
const byKey = {
  value: columnExpr(columns[0] ?? column(0, "", counted)),
  direction: "ascending",
  nulls: "last",
} as const

function over(argument: Expr, frame: Frame | undefined): WindowItem {
  return {
    function: "sum",
    args: [argument],
    partitionBy: [],
    orderBy: frame === undefined ? [] : [byKey],
    frame,
  }
}

const frames: Readonly<Record<string, Frame>> = {
  moving: { mode: "rows", start: { kind: "preceding", offset: 2n }, end: { kind: "current-row" } },
  running: { mode: "rows", start: { kind: "unbounded-preceding" }, end: { kind: "current-row" } },
}

/** Derived columns under their names. */
function question(): { readonly rel: Rel; readonly names: readonly string[] } {
  if (cases === undefined || people === undefined || fees === undefined) throw new Error("there are columns")
  const ids = new ColumnIds(10)
  const withTotal = windowRel(released, over(cases, undefined), "total", ids)
  const withMoving = windowRel(withTotal, over(cases, frames["moving"]), "moving", ids)
  const windows = windowRel(withMoving, over(fees, frames["running"]), "running", ids)
  const [total, moving, running] = windows.columns.slice(-3).map(columnExpr)
  if (total === undefined || moving === undefined || running === undefined)
    throw new Error("there are windows")
  const float = (value: Expr): Expr => ({
    kind: "call",
    name: "cast",
    args: [value],
    domain: {
      type: { kind: "float" },
      nullable: true,
      range: { min: far(-(10n ** 22n)), max: far(10n ** 22n) },
    },
  })
  const rate = callExpr("divide", [float(cases), float(people)])
  const items = {
    single: cases,
    sum: callExpr("add", [cases, people]),
    difference: callExpr("subtract", [people, cases]),
    weighted: callExpr("subtract", [callExpr("multiply", [cases, integerLiteral(3n)]), fees]),
    rate,
    percent: callExpr("round", [
      callExpr("multiply", [integerLiteral(100n), callExpr("divide", [float(fees), people])]),
      integerLiteral(1n),
    ]),
    share: callExpr("divide", [float(cases), float(total)]),
    whole: callExpr("divide", [people, cases]),
    moving: callExpr("divide", [float(moving), integerLiteral(3n)]),
    running,
    greatest: callExpr("greatest", [cases, fees]),
    product: callExpr("multiply", [cases, people]),
    root: callExpr("sqrt", [float(people)]),
  }
  const named = Object.entries(items).map(([name, value]) => ({ name, value }))
  return { rel: projectRel(windows, named, ids), names: Object.keys(items) }
}

test.each(laws)("intervals of derived columns hold the exact value: $name noise", (law) => {
  const { rel, names } = question()
  const answer = (table: Table): Table => evaluate(rel, { released: () => table, scan: () => [] })
  const none = answer(tableOf([], law))
  const noise = [0, 1, 2].map((aggregate) => {
    const out = new Float64Array(trials * groups)
    law.fill(out, aggregate)
    return out
  })
  const covered = names.map(() => 0)
  for (let trial = 0; trial < trials; trial += 1) {
    const drawn = noise.map((list) => [...list.subarray(trial * groups, (trial + 1) * groups)])
    const { rows } = answer(tableOf(drawn, law))
    // One row of each trial, so that trials are independent.
    const at = groups - 1
    names.forEach((_, index) => {
      const [cell, truth] = [rows[at]?.[index], none.rows[at]?.[index]?.value]
      const interval = cell === undefined ? undefined : intervalOfCell(cell, confidence)
      if (interval === undefined || truth?.kind !== "number") throw new Error("every column has noise")
      const value = Number(truth.value.numerator) / Number(truth.value.denominator)
      if (interval.low <= value && value <= interval.high) covered[index] = (covered[index] ?? 0) + 1
    })
  }
  const shares = names.map((name, index) => {
    spendAlpha(alpha)
    const { upper } = clopperPearson({ successes: covered[index] ?? 0, trials, alpha })
    return { name, isCovered: upper >= confidence }
  })
  expect(
    shares.filter(({ isCovered }) => !isCovered),
    `covers too rarely, SEED=${seed}`,
  ).toEqual([])
  if (law.name === "laplace") return
  // Normal noise is added up as such: sums are not much wider than they must be.
  const index = names.indexOf("sum")
  expect((covered[index] ?? 0) / trials, `covers too often, SEED=${seed}`).toBeLessThan(0.9)
})
