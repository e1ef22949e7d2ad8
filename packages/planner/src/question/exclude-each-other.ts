// Conditions of which no two can be true of the same row: different constants, ranges that do not meet, a
// condition and its opposite. Answers depend on it, privacy does not.

import { compare, rational, type Rational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { conjunctsOf } from "@dosimeter/proof/algebra/walk"
import { textOf } from "../aggregates/moment-families.ts"
import { lookThrough } from "../aggregates/same-expression.ts"

/** Whether no two of them can be true together. `definitions`: where the columns in them are computed. */
export function excludeEachOther(
  conditions: readonly Expr[],
  definitions: ReadonlyMap<ColumnId, Expr>,
): boolean {
  const facts = conditions.map((condition) =>
    conjunctsOf(lookThrough(condition, definitions)).flatMap((part) =>
      factOf(lookThrough(part, definitions)),
    ),
  )
  return facts.every((own, index) =>
    facts.slice(index + 1).every((other) => own.some((a) => other.some((b) => contradict(a, b)))),
  )
}

/** What is true of an expression: it is one of some values, or lies between two ends. */
interface Fact {
  readonly of: string
  readonly values?: ReadonlyMap<string, Constant>
  readonly low?: End
  readonly high?: End
}

interface End {
  readonly at: Rational
  readonly isInside: boolean
}

function contradict(a: Fact, b: Fact): boolean {
  if (a.of !== b.of) return false
  if (a.values !== undefined && b.values !== undefined) {
    const others = b.values
    return [...a.values.keys()].every((key) => !others.has(key))
  }
  if (a.values !== undefined) return [...a.values.values()].every((value) => isOutside(value, b))
  if (b.values !== undefined) return contradict(b, a)
  return isBelow(a.high, b.low) || isBelow(b.high, a.low)
}

function isBelow(high: End | undefined, low: End | undefined): boolean {
  if (high === undefined || low === undefined) return false
  const order = compare(high.at, low.at)
  return order < 0 || (order === 0 && !(high.isInside && low.isInside))
}

function isOutside(value: Constant, { low, high }: Fact): boolean {
  const at = positionOf(value)
  if (at === undefined) return false
  const point = { at, isInside: true }
  return isBelow(point, low) || isBelow(high, point)
}

function positionOf(value: Constant): Rational | undefined {
  switch (value.kind) {
    case "number":
      return value.value
    case "date":
      return rational(value.day)
    case "timestamp":
      return rational(value.micros)
    case "null":
    case "boolean":
    case "text":
    case "interval":
      return undefined
    default:
      return value satisfies never
  }
}

const yes = { kind: "boolean", value: true } as const
const no = { kind: "boolean", value: false } as const

function factOf(condition: Expr): readonly Fact[] {
  if (condition.kind !== "call") return [isOneOf(condition, [yes])]
  const [subject, ...args] = condition.args
  if (subject === undefined) return []
  if (condition.name === "not") return [isOneOf(subject, [no])]
  const values = args.flatMap((arg) => (arg.kind === "literal" ? [arg.value] : []))
  const [only] = values
  if (only === undefined || values.length !== args.length || values.some(({ kind }) => kind === "null")) {
    return [isOneOf(condition, [yes])]
  }
  const own = isOneOf(condition, [yes])
  const at = positionOf(only)
  switch (condition.name) {
    case "equal":
    case "in-list":
      return [own, isOneOf(subject, values)]
    case "less":
    case "less-or-equal":
      return at === undefined ? [own] : [own, { of: textOf(subject), high: endAt(at, condition.name) }]
    case "greater":
    case "greater-or-equal":
      return at === undefined ? [own] : [own, { of: textOf(subject), low: endAt(at, condition.name) }]
    default:
      return [own]
  }
}

function endAt(at: Rational, name: string): End {
  return { at, isInside: name.endsWith("or-equal") }
}

function isOneOf(subject: Expr, values: readonly Constant[]): Fact {
  return { of: textOf(subject), values: new Map(values.map((value) => [constantKey(value), value])) }
}
