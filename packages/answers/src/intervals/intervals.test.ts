// Intervals of released and derived cells, by cases that can be worked out by hand and by generated
// expressions.

import { expect, test } from "vitest"
import { numberNear, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { gaussianEstimate, intervalOf, type NoiseBase } from "@dosimeter/core/post"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { castResult } from "@dosimeter/proof/functions/cast"
import type { CallExpr, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { Dice } from "@dosimeter/proof/testing/dice"
import { positionsOf, rowFunction } from "../evaluate/evaluate-expression.ts"
import { intervalOfCell } from "./interval-of-cell.ts"
import { sliceAggregate } from "../evaluate/slice-aggregate.ts"
import { spreadOf } from "../cells/spread.ts"
import { publicCell, type Cell } from "../cells/table.ts"

const gaussianBase = (id: number, variance: bigint, grid = rational(1n)): NoiseBase => ({
  id,
  law: "gaussian",
  variance: rational(variance),
  grid,
})
const laplaceBase = (id: number, scale: bigint): NoiseBase => ({
  id,
  law: "laplace",
  scale: rational(scale),
  grid: rational(1n),
})

function noisy(value: number, base: NoiseBase): Cell {
  const exact = rationalOfNumber(value)
  return { value: { kind: "number", value: exact }, spread: spreadOf(base, exact), state: "released" }
}

const end = (value: bigint): { readonly value: Rational; readonly declared: boolean } => ({
  value: rational(value),
  declared: true,
})
const whole: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: { min: end(-2000n), max: end(2000n) },
}
const columns: readonly RelColumn[] = [0, 1, 2].map((id) => ({ id, name: `x${id}`, domain: whole }))
const [a, b, c] = columns.map(columnExpr)
const some = (expr: Expr | undefined): Expr => expr ?? integerLiteral(0n)

function call(name: CallExpr["name"], ...args: readonly (Expr | undefined)[]): Expr {
  return callExpr(name, args.map(some))
}

function cast(value: Expr, type: Domain["type"]): Expr {
  const domain = castResult({ domain: value.domain }, type)
  if ("reason" in domain) throw new Error(domain.reason)
  return { kind: "call", name: "cast", args: [value], domain }
}

const row = [noisy(100, gaussianBase(0, 25n)), noisy(50, gaussianBase(1, 25n)), noisy(7, laplaceBase(2, 3n))]
const at = (expr: Expr, cells: readonly Cell[] = row): Cell => rowFunction(expr, positionsOf(columns))(cells)
const interval = (
  expr: Expr,
  cells: readonly Cell[] = row,
): { readonly low: number; readonly high: number } | undefined => intervalOfCell(at(expr, cells), 0.95)
const float = { kind: "float" } as const

test("what has no noise has no interval", () => {
  expect(intervalOfCell(publicCell({ kind: "number", value: rational(3n) }), 0.95)).toBeUndefined()
  expect(interval(integerLiteral(3n))).toBeUndefined()
  expect(interval(call("multiply", a, integerLiteral(0n)))).toBeUndefined()
  expect(interval(call("subtract", a, a))).toBeUndefined()
  expect(interval(call("subtract", call("add", a, b), call("add", b, a)))).toBeUndefined()
})

test("one draw has core's interval, in whole steps", () => {
  const { lower, upper } = intervalOf(gaussianEstimate({ value: 100, sigmaSquared: 25, grid: 1 }), 0.95)
  expect(interval(some(a))).toEqual({ low: lower, high: upper })
  expect(interval(call("multiply", a, integerLiteral(-3n)))).toEqual({ low: -3 * upper, high: -3 * lower })
  expect(interval(call("add", a, integerLiteral(7n)))).toEqual({ low: lower + 7, high: upper + 7 })
  expect(interval(call("subtract", call("add", a, b), b))).toEqual({ low: lower, high: upper })
})

test("sums of normal noise stay nearly as narrow as one normal law", () => {
  const { low, high } = interval(call("add", a, b)) ?? { low: 0, high: 0 }
  const normal = 2 * 1.96 * Math.sqrt(2 * (25 + 1 / 12))
  expect(high - low).toBeGreaterThan(normal)
  expect(high - low).toBeLessThan(1.12 * normal)
})

test("a quotient is Fieller's, also of shared noise, and unbounded where the divisor may be 0", () => {
  const rate = interval(call("divide", cast(some(a), float), cast(some(b), float)))
  expect(rate?.low).toBeLessThan(2)
  expect(rate?.low).toBeGreaterThan(1.5)
  expect(rate?.high).toBeLessThan(2.8)
  // To first order the deviation is sqrt(25 + 4 * 25) / 50.
  expect((rate?.high ?? 0) - (rate?.low ?? 0)).toBeGreaterThan((2 * 1.96 * Math.sqrt(125)) / 50)
  const same = interval(call("divide", cast(some(a), float), cast(some(a), float)))
  expect(same?.low).toBeCloseTo(1, 6)
  expect(same?.high).toBeCloseTo(1, 6)
  const near = [
    noisy(100, gaussianBase(0, 25n)),
    noisy(3, gaussianBase(1, 25n)),
    row[2] ?? noisy(0, laplaceBase(2, 1n)),
  ]
  expect(interval(call("divide", a, b), near)).toEqual({ low: -Infinity, high: Infinity })
  expect(interval(call("divide", a, c))?.high).toBe(Infinity)
})

test("NULLIF keeps the quotient, COALESCE keeps what is surely there", () => {
  const plain = interval(call("divide", cast(some(a), float), cast(some(b), float)))
  const guarded = interval(
    call("divide", cast(some(a), float), call("nullif", cast(some(b), float), integerLiteral(0n))),
  )
  expect(guarded).toEqual(plain)
  expect(interval(call("coalesce", a, integerLiteral(0n)))).toEqual(interval(some(a)))
  const unsure = interval(call("coalesce", call("nullif", a, integerLiteral(0n)), integerLiteral(-1000n)))
  expect(unsure).toEqual({ low: -1000, high: interval(some(a))?.high })
})

test("a condition with noise in it opens all results, a public one does not", () => {
  const choice = (when: Expr): Expr => ({
    kind: "case",
    branches: [{ when, result: some(a) }],
    otherwise: some(b),
    domain: whole,
  })
  expect(interval(choice(call("less", integerLiteral(1n), integerLiteral(2n))))).toEqual(interval(some(a)))
  const [first, second] = [call("greater", a, integerLiteral(10n)), call("is-null", a)].map((when) =>
    interval(choice(when)),
  )
  expect(first?.low).toBeLessThan(50)
  expect(first?.high).toBeGreaterThan(100)
  expect(second).toEqual(first)
})

test("a running total of many rows takes linear time, and grows with the root", () => {
  const cells = Array.from({ length: 8000 }, (_, id) => noisy(10, gaussianBase(id, 400n)))
  const sum = sliceAggregate("sum", cells, { kind: "integer" })
  const widths = [50, 5000].map((to) => {
    const { low, high } = intervalOfCell(sum(0, to), 0.95) ?? { low: 0, high: 0 }
    return high - low
  })
  expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(10, 5)
  for (let to = 1; to <= cells.length; to += 1) intervalOfCell(sum(Math.max(0, to - 7), to), 0.95)
  expect(intervalOfCell(sum(4993, 5000), 0.95)).toEqual(intervalOfCell(sum(3, 10), 0.95))
})

test("what is worked out from a cell below the threshold is below it", () => {
  const hidden: Cell = { ...noisy(3, gaussianBase(0, 25n)), state: "below-threshold" }
  const cells = [hidden, noisy(50, gaussianBase(1, 25n)), noisy(7, laplaceBase(2, 3n))]
  expect(at(call("add", a, b), cells).state).toBe("below-threshold")
  expect(at(call("add", b, c), cells).state).toBe("released")
  const sum = sliceAggregate("sum", cells, { kind: "integer" })
  expect([sum(0, 1).state, sum(0, 2).state]).toEqual(["below-threshold", "released"])
  const least = sliceAggregate("min", cells, { kind: "integer" })
  expect([least(0, 3).state, least(1, 3).state]).toEqual(["below-threshold", "released"])
})

/** A generated number over the columns; too wide ones are refused and made again. */
function generated(dice: Dice, depth: number): Expr {
  if (depth === 0)
    return dice.chance(0.8) ? columnExpr(dice.pick(columns)) : integerLiteral(BigInt(dice.below(9) - 3))
  const part = (): Expr => generated(dice, depth - 1)
  const small = (): Expr => call("clamp", part(), integerLiteral(-20n), integerLiteral(20n))
  try {
    return dice.pick<() => Expr>([
      ...(["add", "subtract", "multiply", "divide", "greatest", "least", "coalesce", "nullif"] as const).map(
        (name) => () => call(name, part(), part()),
      ),
      ...(["negate", "abs", "sign", "round", "floor", "ceil", "trunc", "sqrt", "ln", "log10"] as const).map(
        (name) => () => call(name, part()),
      ),
      () => call("exp", small()),
      () => call("power", small(), integerLiteral(BigInt(dice.below(4)))),
      () => call("power", call("abs", small()), call("divide", cast(small(), float), integerLiteral(10n))),
      () => call("modulo", part(), integerLiteral(BigInt(1 + dice.below(9)))),
      () => call("round", part(), integerLiteral(BigInt(dice.below(3) - 1))),
      () => small(),
      () =>
        cast(part(), dice.pick<Domain["type"]>([float, { kind: "integer" }, { kind: "decimal", scale: 1 }])),
      () => {
        const [when, result, otherwise] = [call("less", part(), part()), part(), part()]
        return {
          kind: "case",
          branches: [{ when, result }],
          otherwise,
          domain: call("coalesce", result, otherwise).domain,
        }
      },
    ])()
  } catch {
    return part()
  }
}

const seeds = Array.from({ length: 1500 }, (_, index) => index)

test("generated expressions: while each draw stays within bounds, the exact value is inside", () => {
  for (const seed of seeds) {
    const dice = new Dice(`intervals ${seed}`)
    const value = rowFunction(generated(dice, 1 + (seed % 4)), positionsOf(columns))
    const exact = [dice.below(200) - 20, dice.below(200) - 20, dice.below(30)]
    // At 60 % the half-widths are 4 and 3 steps for one draw, and above 6 for the sum of two.
    const noise = exact.map(() => dice.below(7) - 3)
    const bases = [gaussianBase(0, 25n), gaussianBase(1, 25n), laplaceBase(2, 3n)]
    const cells = bases.map((base, index) => noisy((exact[index] ?? 0) + (noise[index] ?? 0), base))
    const plain = exact.map((one) => publicCell({ kind: "number", value: rational(BigInt(one)) }))
    const [cell, truth] = [value(cells), value(plain).value]
    const found = intervalOfCell(cell, 0.6)
    if (found === undefined) {
      if (cell.value.kind === "number" && truth.kind === "number")
        expect(show(cell.value), `seed ${seed}`).toBe(show(truth))
      continue
    }
    expect(found.low, `seed ${seed}`).toBeLessThanOrEqual(numberOf(cell.value))
    expect(found.high, `seed ${seed}`).toBeGreaterThanOrEqual(numberOf(cell.value))
    if (truth.kind !== "number") continue
    expect(found.low, `seed ${seed}`).toBeLessThanOrEqual(numberOf(truth))
    expect(found.high, `seed ${seed}`).toBeGreaterThanOrEqual(numberOf(truth))
  }
})

function numberOf(value: Cell["value"]): number {
  return value.kind === "number" ? numberNear(value.value) : Number.NaN
}

function show(value: Cell["value"]): string {
  return value.kind === "number" ? `${value.value.numerator}/${value.value.denominator}` : value.kind
}
