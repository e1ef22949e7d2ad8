// What can be gone through one by one: every function of one column at every corner, all digit counts, all
// casts, all months around all month ends. A suite is one column and everything that is asked of it.

import { rational } from "@dosimeter/core"
import type { Constant } from "../../catalog/constant.ts"
import { extractFields, truncUnits } from "../../functions/dates.ts"
import type { FunctionName } from "../../functions/function-name.ts"
import { stepsDomain } from "../../algebra/item-domain.ts"
import type { Expr } from "../../algebra/expr.ts"
import { stepsExpr } from "../../algebra/make.ts"
import type { Dice } from "../dice.ts"
import {
  besideDouble,
  calendarDays,
  dayAt,
  dayMicros,
  floatCorners,
  hugeCorners,
  smallCorners,
  textCorners,
  timeCorners,
  wideCorners,
} from "./corners.ts"
import { callOf, castTypes, literalOf } from "./make-expression.ts"
import { datesBetween, exactBetween, floatBetween, timesBetween, type Slot } from "./slots.ts"

/** One column, and expressions over it (as column 1). */
export interface Suite {
  readonly name: string
  readonly slot: Slot
  readonly exprs: () => readonly Expr[]
}

/** All suites. Which values lie between the ends of a column, and the scales of decimals, are the dice's. */
export function* allSuites(dice: Dice): Generator<Suite> {
  yield* exactSuites(dice)
  yield* floatSuites(dice)
  yield* daySuites(dice)
  yield* timeSuites(dice)
  yield* textSuites()
}

const corners = [...smallCorners, ...wideCorners, ...hugeCorners].toSorted((a, b) =>
  a < b ? -1 : a > b ? 1 : 0,
)

function* exactSuites(dice: Dice): Generator<Suite> {
  for (const [at, corner] of corners.entries()) {
    const next = corners[at + 1] ?? corner
    const pairs: readonly (readonly [bigint, bigint])[] = [
      [corner, corner],
      [corner - 1n, corner],
      [corner - 6n, corner + 2n],
      [corner, next],
      [-corner, corner],
      [0n, corner],
    ]
    for (const [low, high] of pairs) {
      for (const scale of [undefined, dice.below(13)]) {
        const slot = exactBetween({ low, high, scale }, dice)
        yield {
          name: `${scale === undefined ? "integer" : `decimal(${scale})`} ${low} to ${high}`,
          slot,
          exprs: () => ofNumber(slot),
        }
      }
    }
  }
}

function* floatSuites(dice: Dice): Generator<Suite> {
  for (const corner of floatCorners) {
    const [above, below] = [besideDouble(corner, 1), besideDouble(corner, -1)]
    const pairs: readonly (readonly [number, number])[] = [
      [corner, corner],
      [below, corner],
      [corner, above],
      [-Math.abs(corner), Math.abs(corner)],
      [Math.min(0, corner), Math.max(0, corner)],
      [below, above],
    ]
    for (const [low, high] of pairs) {
      const slot = floatBetween(low, high, dice)
      yield { name: `float ${low} to ${high}`, slot, exprs: () => ofNumber(slot) }
    }
  }
}

/** The years of month ends: leap, common, and a century without a leap day. */
const years = [2020, 2021, 1900]

function* daySuites(dice: Dice): Generator<Suite> {
  for (const end of monthEnds()) {
    for (const [from, to] of [
      [-3n, -3n],
      [-1n, 0n],
      [0n, 1n],
      [-3n, 2n],
      [-2n, 31n],
    ] as const) {
      const slot = datesBetween(end + from, end + to, dice)
      yield { name: `date ${end} ${from} to ${to}`, slot, exprs: () => ofMoment(slot) }
    }
  }
  for (const [unit, days] of Object.entries(calendarDays)) {
    for (const day of days) {
      const slot = datesBetween(day, day, dice)
      yield { name: `date ${unit} ${day}`, slot, exprs: () => ofMoment(slot) }
    }
  }
}

function* timeSuites(dice: Dice): Generator<Suite> {
  for (const end of monthEnds()) {
    for (const from of [-3n, -2n, -1n, 0n, 1n]) {
      for (const [first, last] of [
        [dayMicros - 1n, 0n],
        [dayMicros - 1n, 2_000_000n],
        [0n, 0n],
        [43_200_000_000n, 1n],
      ] as const) {
        const slot = timesBetween(
          (end + from) * dayMicros + first,
          (end + from + 1n) * dayMicros + last,
          dice,
        )
        yield { name: `timestamp ${end} ${from} ${first} to ${last}`, slot, exprs: () => ofMoment(slot) }
      }
    }
  }
  const [first, last] = [dayAt(1, 1, 1), dayAt(9999, 12, 31)]
  for (const day of [first, last, -1n, 0n]) {
    for (const time of timeCorners) {
      const slot = timesBetween(day * dayMicros, day * dayMicros + time, dice)
      yield { name: `timestamp ${day} ${time}`, slot, exprs: () => ofMoment(slot) }
    }
  }
}

function monthEnds(): readonly bigint[] {
  return years.flatMap((year) => Array.from({ length: 12 }, (_, month) => dayAt(year, month + 2, 0)))
}

function* textSuites(): Generator<Suite> {
  for (const text of textCorners) {
    const values: readonly Constant[] = [{ kind: "text", value: text }]
    for (const isListed of [false, true]) {
      const domain = { type: { kind: "text" }, nullable: false, ...(isListed ? { values } : {}) } as const
      const slot: Slot = { domain, values }
      yield { name: `text ${JSON.stringify(text).slice(0, 40)}`, slot, exprs: () => ofText(slot) }
    }
  }
}

/** Expressions that the compiler accepts. */
function accepted(exprs: readonly (Expr | undefined)[]): readonly Expr[] {
  return exprs.flatMap((expr) => (expr === undefined ? [] : [expr]))
}

function columnOf({ domain }: Slot): Expr {
  return { kind: "column", id: 1, domain }
}

const whole = (value: bigint): Expr =>
  literalOf({ kind: "number", value: rational(value) }, { kind: "integer" })
const word = (value: string): Expr => literalOf({ kind: "text", value }, { kind: "text" })
const unary: readonly FunctionName[] = [
  "negate",
  "abs",
  "sign",
  "floor",
  "ceil",
  "round",
  "trunc",
  "sqrt",
  "exp",
  "ln",
  "log10",
  "is-null",
]
const digitCounts = Array.from({ length: 81 }, (_, index) => BigInt(index) - 40n)

/** What is asked of a number. */
export function ofNumber(slot: Slot): readonly Expr[] {
  const x = columnOf(slot)
  return accepted([
    ...unary.map((name) => callOf(name, [x])),
    ...castTypes.map((type) => callOf("cast", [x], type)),
    ...digitCounts.flatMap((digits) => [
      callOf("round", [x, whole(digits)]),
      callOf("trunc", [x, whole(digits)]),
    ]),
    ...[2n, -1n, 3n, 0n].map((exponent) => callOf("power", [x, whole(exponent)])),
    ...[0n, 1n, -1n, 10n].flatMap((other) =>
      (["add", "subtract", "multiply", "divide", "modulo"] as const).map((name) =>
        callOf(name, [x, whole(other)]),
      ),
    ),
    ...steps(x),
  ])
}

/** Whole steps of some grids, between bounds that values reach and pass. */
function steps(x: Expr): readonly Expr[] {
  const grids = [rational(1n), rational(1n, 100n), rational(1n, 3n), rational(1n, 1024n), rational(1000n)]
  const bounds = [
    [-3n, 7n],
    [0n, 0n],
    [-(2n ** 31n), 2n ** 31n],
    [-(2n ** 52n), 2n ** 40n],
  ] as const
  return grids.flatMap((grid) =>
    bounds.map(([lower, upper]) => ({
      ...stepsExpr(x, grid, { lower, upper }),
      domain: stepsDomain(lower, upper, x.domain.nullable),
    })),
  )
}

const monthCounts = Array.from({ length: 27 }, (_, index) => BigInt(index) - 13n)

/** What is asked of a date or timestamp. */
export function ofMoment(slot: Slot): readonly Expr[] {
  const x = columnOf(slot)
  const interval = (months: bigint, days: bigint, micros: bigint): Expr =>
    literalOf({ kind: "interval", months, days, micros }, { kind: "interval" })
  return accepted([
    ...monthCounts.flatMap((months) => [
      callOf("add-interval", [x, interval(months, 0n, 0n)]),
      callOf("add-interval", [x, interval(months, months, -3_600_000_000n)]),
    ]),
    ...[1n, -1n, 30n, 1_460_000n, -1_460_000n].flatMap((days) => [
      callOf("add-interval", [x, interval(0n, days, 0n)]),
      callOf("add-days", [x, whole(days)]),
    ]),
    ...Object.keys(extractFields).map((field) => callOf("extract", [word(field), x])),
    ...truncUnits.map((unit) => callOf("date-trunc", [word(unit), x])),
    ...castTypes.map((type) => callOf("cast", [x], type)),
    ...(["age-years", "age-months", "seconds-between", "days-between"] as const).map((name) =>
      callOf(name, [x, x]),
    ),
  ])
}

function ofText(slot: Slot): readonly Expr[] {
  const x = columnOf(slot)
  const counts = [-2n, -1n, 0n, 1n, 2n, 100n, 5_000_000_000n]
  return accepted([
    ...(["lower", "upper", "length", "trim", "trim-start", "trim-end"] as const).map((name) =>
      callOf(name, [x]),
    ),
    ...castTypes.map((type) => callOf("cast", [x], type)),
    ...counts.flatMap((count) => [
      callOf("left", [x, whole(count)]),
      callOf("right", [x, whole(count)]),
      callOf("substring", [x, whole(count)]),
      ...counts.map((length) => callOf("substring", [x, whole(count), whole(length)])),
    ]),
    ...["a", "\uFEFF", "", "é", " "].flatMap((part) => [
      callOf("trim", [x, word(part)]),
      callOf("replace", [x, word(part), word("b'")]),
      callOf("position", [x, word(part)]),
      callOf("starts-with", [x, word(part)]),
      callOf("concat", [x, word(part)]),
    ]),
  ])
}
