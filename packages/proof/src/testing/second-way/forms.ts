// What every function is asked with. A function, a field or a unit that has no row here fails a test: the
// table is typed by the names that the compiler has.

import { rational } from "@dosimeter/core"
import type { Constant } from "../../catalog/constant.ts"
import { extractFields, truncUnits } from "../../functions/dates.ts"
import type { EstimateName, FunctionName } from "../../functions/function-name.ts"
import type { Dice } from "../dice.ts"
import { textCorners } from "./corners.ts"
import type { SlotKind } from "./slots.ts"

/** One argument: of a kind, of any kind, of the kind of the first argument, or a constant from dice. */
export type ArgumentForm =
  | SlotKind
  | "number"
  | "exact"
  | "moment"
  | "any"
  | "like-first"
  /** A constant of the kind of the first argument. */
  | "bound"
  | ((dice: Dice) => Constant)

/** The arguments of a call. */
export type Form = readonly ArgumentForm[]

/** A function that a database computes. A cast has forms of its own. */
export type ComputedName = Exclude<FunctionName, EstimateName | "cast">

const whole = (value: number): Constant => ({ kind: "number", value: rational(BigInt(value)) })
const words =
  (...texts: readonly string[]) =>
  (dice: Dice): Constant => ({ kind: "text", value: dice.pick(texts) })
const digits = (dice: Dice): Constant => whole(dice.below(81) - 40)
const places = (dice: Dice): Constant => whole(dice.below(26) - 13)
const pattern = words(
  "%",
  "",
  "_",
  "a%",
  "%b",
  "%a%",
  "a\\%b",
  "_%_",
  "\\\\",
  "%😀%",
  "\uFEFF%",
  "__",
  "A\\_",
  "%é",
  "ß",
)
const mark = words("!", "\\", "%", "_", "")
const someText = words(...textCorners.filter((text) => text.length < 20))

/** An interval of both signs in each part, in whole milliseconds. */
export function randomInterval(dice: Dice): Constant {
  const part = (sizes: readonly bigint[]): bigint => dice.pick(sizes) * (dice.chance(0.5) ? 1n : -1n)
  const months = part([0n, 0n, 1n, 1n, 2n, 3n, 6n, 11n, 12n, 13n, 48n, 1200n, 48_000n])
  const days = part([0n, 0n, 0n, 1n, 28n, 29n, 30n, 31n, 365n, 1_460_000n])
  const micros = part([
    0n,
    0n,
    0n,
    1000n,
    1_000_000n,
    3_600_000_000n,
    86_399_999_000n,
    86_400_000_000n,
    120_000_000_000_000_000n,
  ])
  return { kind: "interval", months, days, micros }
}

const comparison: readonly Form[] = [["any", "like-first"]]
const arithmetic: readonly Form[] = [
  ["number", "number"],
  ["exact", "exact"],
  ["modest", "modest"],
]
const ofNumber: readonly Form[] = [["number"], ["modest"], ["float"]]
const chosen: readonly Form[] = [
  ["any", "like-first"],
  ["any", "like-first", "like-first"],
]

/** What each function is asked with. */
export const forms: Readonly<Record<ComputedName, readonly Form[]>> = {
  and: [
    ["boolean", "boolean"],
    ["boolean", "boolean", "boolean"],
  ],
  or: [
    ["boolean", "boolean"],
    ["boolean", "boolean", "boolean"],
  ],
  not: [["boolean"]],
  "is-null": [["any"]],
  "is-true": [["boolean"]],
  "is-false": [["boolean"]],
  equal: comparison,
  "not-equal": comparison,
  less: comparison,
  "less-or-equal": comparison,
  greater: comparison,
  "greater-or-equal": comparison,
  "distinct-from": comparison,
  "in-list": [
    ["any", "like-first", "like-first"],
    ["any", "bound", "bound", "bound"],
  ],
  coalesce: chosen,
  nullif: comparison,
  greatest: chosen,
  least: chosen,
  clamp: [
    ["number", "bound", "bound"],
    ["moment", "bound", "bound"],
  ],
  add: arithmetic,
  subtract: arithmetic,
  multiply: arithmetic,
  divide: arithmetic,
  modulo: [
    ["exact", "exact"],
    ["modest", "modest"],
  ],
  negate: ofNumber,
  abs: ofNumber,
  sign: ofNumber,
  round: [["number"], ["exact", digits], ["exact", digits], ["number", places]],
  floor: ofNumber,
  ceil: ofNumber,
  trunc: [["number"], ["exact", digits], ["exact", digits], ["number", places]],
  sqrt: ofNumber,
  exp: ofNumber,
  ln: ofNumber,
  log10: ofNumber,
  power: [
    ["modest", "modest"],
    ["number", "modest"],
    ["float", "modest"],
    ["modest", "float"],
  ],
  lower: [["text"]],
  upper: [["text"]],
  length: [["text"]],
  trim: [["text"], ["text", someText], ["text", "text"]],
  "trim-start": [["text"], ["text", someText], ["text", "text"]],
  "trim-end": [["text"], ["text", someText], ["text", "text"]],
  substring: [
    ["text", "modest"],
    ["text", "modest", "modest"],
    ["text", "integer"],
    ["text", "integer", "integer"],
  ],
  left: [
    ["text", "modest"],
    ["text", "integer"],
  ],
  right: [
    ["text", "modest"],
    ["text", "integer"],
  ],
  concat: [
    ["text", "text"],
    ["text", someText, "text"],
  ],
  position: [
    ["text", "text"],
    ["text", someText],
  ],
  replace: [["text", someText, someText]],
  "starts-with": [
    ["text", "text"],
    ["text", someText],
  ],
  like: [
    ["text", pattern],
    ["text", pattern, mark],
  ],
  "like-any-case": [
    ["text", pattern],
    ["text", pattern, mark],
  ],
  "add-days": [
    ["date", "integer"],
    ["date", "modest"],
  ],
  "add-interval": [
    ["moment", randomInterval],
    ["timestamp", randomInterval],
  ],
  "days-between": [["date", "date"]],
  "seconds-between": [["moment", "moment"]],
  extract: [
    [words(...Object.keys(extractFields)), "moment"],
    [words(...Object.keys(extractFields)), "timestamp"],
  ],
  "date-trunc": [
    [words(...truncUnits), "moment"],
    [words(...truncUnits), "timestamp"],
  ],
  "age-years": [["moment", "moment"]],
  "age-months": [["moment", "moment"]],
}

/** Functions of results: no database computes them, so there is nothing to ask. */
export const releasedOnly: Readonly<Record<EstimateName, true>> = {
  "rate-per": true,
  risk: true,
  "risk-ratio": true,
  "risk-difference": true,
  "rate-ratio": true,
  "rate-difference": true,
  "odds-ratio": true,
  "row-of": true,
}
