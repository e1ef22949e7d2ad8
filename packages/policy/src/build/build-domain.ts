// What a column may hold: what is written about it, put together with what the source says.

import {
  ceil,
  compare,
  divide,
  floor,
  multiply,
  numberDown,
  numberUp,
  one,
  rational,
  rationalOfNumber,
  showParameter,
  type Rational,
} from "@dosimeter/core/exact"
import { firstDay, firstMicro, lastDay, lastMicro } from "@dosimeter/proof/catalog/civil-date"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain, Range, RangeEnd } from "@dosimeter/proof/catalog/domain"
import { scaleMax, showType, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { inferType, parseType, typeWords } from "../file/column-type.ts"
import { readConstant, readEnd } from "../file/read-constant.ts"
import type { Report } from "../file/report.ts"
import { numberOf } from "../file/shapes.ts"
import type { ColumnFacts } from "../file/source-facts.ts"
import type { ColumnSpec, Written } from "../file/specs.ts"

/** A column to find the domain of. */
export interface ColumnInput {
  readonly spec: ColumnSpec
  readonly facts: ColumnFacts | undefined
  /** Such as visits.fee. */
  readonly label: string
  /** The type to take where nothing says one: for ids, which need no more than to be told apart. */
  readonly fallback: SqlType | undefined
  readonly report: Report
}

/** Most values that may be listed for one column. */
export const valuesMax = 10_000

/** The domain of a column, or undefined if it has none; then the report says why. */
export function buildDomain(given: ColumnInput): Domain | undefined {
  const type = typeOf(given)
  if (type === undefined) return undefined
  const { facts } = given
  const spec = given.spec.origin === "pack" ? withoutStrangeBounds(given.spec, type) : given.spec
  const input: ColumnInput = { ...given, spec }
  const grid = gridOf(input, type)
  const read: SqlType = grid === undefined ? type : onGrid(type, grid)
  if (!checkApplicable(input, read)) return undefined
  const range = rangeOf(input, read)
  const values = range === "wrong" ? undefined : valuesOf(input, read, range)
  if (range === "wrong" || values === "wrong") return undefined
  return {
    type: read,
    nullable: mayReadNull(read, input) || (spec.nullable ?? facts?.nullable ?? true),
    ...(range === undefined ? {} : { range }),
    ...(values === undefined ? {} : { values }),
    ...(read.kind === "text" && spec.text === "free" && values === undefined ? { freeText: true } : {}),
    ...(grid === undefined ? {} : { grid }),
    ...(spec.bounds === undefined ? {} : { autoBounds: true }),
  }
}

/** The declared type if the source's agrees with it; otherwise the source's, or what the bounds suggest. */
function typeOf({ spec, facts, label, fallback, report }: ColumnInput): SqlType | undefined {
  const declared = spec.type === undefined ? undefined : parseType(spec.type.text)
  if (spec.type !== undefined && declared === undefined) {
    const expected = typeWords
    report.add(
      "policy/wrong-value",
      { where: `the type of ${label}`, got: spec.type.text, expected },
      spec.type.at,
    )
    return undefined
  }
  if (facts === undefined) {
    const type = declared ?? inferType(spec) ?? fallback
    if (type === undefined) report.add("policy/no-type", { column: label }, spec.at)
    return type
  }
  if (facts.type === undefined) {
    const stored = { column: label, type: facts.typeName }
    if (spec.origin !== "pack") report.add("policy/unsupported-type", stored, spec.at)
    return undefined
  }
  if (declared === undefined || mayRead(declared, facts.type)) return declared ?? facts.type
  if (spec.origin === "pack") return facts.type
  const other = { other: "the source's column", otherType: showType(facts.type) }
  report.add(
    "policy/type-differs",
    { column: label, type: showType(declared), ...other },
    spec.type?.at ?? spec.at,
  )
  return undefined
}

/** A pack's bounds mean nothing where the source has a type of another kind. */
function withoutStrangeBounds(spec: ColumnSpec, type: SqlType): ColumnSpec {
  const declared = spec.type === undefined ? undefined : parseType(spec.type.text)
  if (declared === undefined || declared.kind === type.kind) return spec
  if (isNumeric(declared) && isNumeric(type)) return spec
  const { min: _min, max: _max, grid: _grid, values: _values, ...rest } = spec
  return rest
}

/** Whether a stored type can be read as a declared one: each value has a reading, and no two ids are one. */
function mayRead(declared: SqlType, stored: SqlType): boolean {
  switch (declared.kind) {
    case "float":
    case "decimal":
      return ["integer", "decimal", "float"].includes(stored.kind)
    case "date":
    case "timestamp":
      return stored.kind === "date" || stored.kind === "timestamp"
    case "boolean":
    case "integer":
    case "text":
    case "interval":
    case "null":
      return declared.kind === stored.kind
    default:
      return declared satisfies never
  }
}

/**
 * Whether reading can give NULL where nothing is NULL: dates outside their range, NaN. Unless the source
 * stores whole or decimal numbers, a number may be NaN, or the owner says that it never is NULL, which is
 * checked as it is read.
 */
function mayReadNull(type: SqlType, { spec, facts }: Pick<ColumnInput, "spec" | "facts">): boolean {
  if (type.kind === "date" || type.kind === "timestamp") return true
  if (type.kind !== "float" && type.kind !== "decimal") return false
  return spec.nullable !== false && facts?.type?.kind !== "integer" && facts?.type?.kind !== "decimal"
}

function gridOf({ spec, label, report }: ColumnInput, type: SqlType): Rational | undefined {
  if (spec.grid === undefined || !isNumeric(type)) return undefined
  const grid = spec.grid.quoted ? undefined : numberOf(spec.grid.text)
  const where = `the grid of ${label}`
  if (grid === undefined) {
    const facts = { where, got: spec.grid.text, expected: "a number such as 0.01" }
    report.add("policy/wrong-value", facts, spec.grid.at)
  } else if (grid.numerator <= 0n) {
    report.add(
      "policy/out-of-range",
      { where, got: showParameter(grid), range: "greater than 0" },
      spec.grid.at,
    )
  } else if (type.kind === "integer" && grid.denominator !== 1n) {
    const facts = { where, got: showParameter(grid), range: "a whole number, as the column is" }
    report.add("policy/out-of-range", facts, spec.grid.at)
  } else return grid
  return undefined
}

/** A float with a decimal grid is read as a decimal. */
function onGrid(type: SqlType, grid: Rational): SqlType {
  if (type.kind !== "float" || grid.numerator !== 1n) return type
  for (let scale = 0; scale <= scaleMax; scale += 1) {
    if (grid.denominator === 10n ** BigInt(scale)) return { kind: "decimal", scale }
  }
  return type
}

/** Reports keys that mean nothing for the type. */
function checkApplicable({ spec, label, report }: ColumnInput, type: SqlType): boolean {
  if (spec.origin === "pack") return true
  const ordered = isNumeric(type) || type.kind === "date" || type.kind === "timestamp"
  const wrong: readonly (readonly [string, Written | undefined])[] = [
    ["min", ordered ? undefined : spec.min],
    ["max", ordered ? undefined : spec.max],
    ["grid", isNumeric(type) ? undefined : spec.grid],
    ["bounds", isNumeric(type) ? undefined : spec.bounds],
    ["values", type.kind === "float" ? spec.values?.[0] : undefined],
  ]
  for (const [key, written] of wrong) {
    if (written === undefined) continue
    report.add("policy/not-applicable", { key, column: label, type: showType(type) }, written.at)
  }
  if (spec.bounds !== undefined && (spec.min ?? spec.max) !== undefined) {
    const facts = { where: `bounds of ${label}`, got: "auto", expected: "no min and max beside it" }
    report.add("policy/wrong-value", facts, spec.bounds.at)
    return false
  }
  const text = spec.text !== undefined && type.kind !== "text"
  if (text) report.add("policy/not-applicable", { key: "text", column: label, type: showType(type) }, spec.at)
  return !text && wrong.every(([, written]) => written === undefined)
}

function rangeOf(input: ColumnInput, type: SqlType): Range | undefined | "wrong" {
  const natural = naturalRange(type, input.facts)
  if (natural === undefined) return undefined
  const min = endOf(input, type, "min") ?? { value: natural.min, declared: false }
  const max = endOf(input, type, "max") ?? { value: natural.max, declared: false }
  if (min === "wrong" || max === "wrong") return "wrong"
  if (compare(min.value, max.value) <= 0) return { min, max }
  const { spec, label, report } = input
  const facts = { where: label, min: spec.min?.text ?? "of its type", max: spec.max?.text ?? "of its type" }
  report.add("policy/min-above-max", facts, (spec.min ?? spec.max ?? spec).at)
  return "wrong"
}

function endOf(input: ColumnInput, type: SqlType, end: "min" | "max"): RangeEnd | "wrong" | undefined {
  const { spec, label, report } = input
  const written = spec[end]
  if (written === undefined) return undefined
  const where = `the ${end} of ${label}`
  const value = readEnd(written, type, end)
  if (value === undefined) {
    const expected = isNumeric(type) ? "a number" : "a date such as 1999-12-31"
    report.add("policy/wrong-value", { where, got: written.text, expected }, written.at)
    return "wrong"
  }
  const step: Rational | undefined =
    type.kind === "integer"
      ? one
      : type.kind === "decimal"
        ? rational(1n, 10n ** BigInt(type.scale))
        : undefined
  if (step !== undefined && divide(value, step).denominator !== 1n) {
    const range = type.kind === "integer" ? "a whole number" : `a multiple of ${showParameter(step)}`
    report.add("policy/out-of-range", { where, got: written.text, range }, written.at)
    return "wrong"
  }
  if (isNumeric(type) && !within(value, floatEnds)) {
    report.add("policy/out-of-range", { where, got: written.text, range: "from -1e30 to 1e30" }, written.at)
    return "wrong"
  }
  return { value: type.kind === "float" ? inward(value, end) : value, declared: true }
}

/** A float is clamped to a double, so its range ends at one, inside what was declared. */
function inward(value: Rational, end: "min" | "max"): Rational {
  return rationalOfNumber(end === "min" ? numberUp(value) : numberDown(value))
}

/** A stored number is rounded where the policy asks for fewer digits, perhaps beyond its own range. */
function outward(
  { min, max }: { readonly min: Rational; readonly max: Rational },
  scale: number,
): { readonly min: Rational; readonly max: Rational } {
  const steps = rational(10n ** BigInt(scale))
  return {
    min: divide(rational(floor(multiply(min, steps))), steps),
    max: divide(rational(ceil(multiply(max, steps))), steps),
  }
}

const floatEnds = { min: rational(-(10n ** 30n)), max: rational(10n ** 30n) }
const wordEnds = { min: rational(-(2n ** 63n)), max: rational(2n ** 63n - 1n) }

/** What a type can hold: the source's, or the widest that is read. */
function naturalRange(
  type: SqlType,
  facts: ColumnFacts | undefined,
): { readonly min: Rational; readonly max: Rational } | undefined {
  switch (type.kind) {
    case "integer":
      return facts?.range ?? wordEnds
    case "decimal":
      return facts?.range === undefined ? floatEnds : outward(facts.range, type.scale)
    case "float":
      return { min: inward(floatEnds.min, "min"), max: inward(floatEnds.max, "max") }
    case "date":
      return { min: rational(firstDay), max: rational(lastDay) }
    case "timestamp":
      return { min: rational(firstMicro), max: rational(lastMicro) }
    case "boolean":
    case "text":
    case "interval":
    case "null":
      return undefined
    default:
      return type satisfies never
  }
}

function valuesOf(
  { spec, label, report }: ColumnInput,
  type: SqlType,
  range: Range | undefined,
): readonly Constant[] | undefined | "wrong" {
  if (spec.values === undefined || type.kind === "float") return undefined
  const where = `the values of ${label}`
  if (spec.values.length === 0 || spec.values.length > valuesMax) {
    const facts = { where, got: `a list of ${spec.values.length}`, range: `a list of 1 to ${valuesMax}` }
    report.add("policy/out-of-range", facts, spec.at)
    return "wrong"
  }
  const seen = new Map<string, Constant>()
  for (const written of spec.values) {
    const constant = readConstant(written, type)
    const known = constant === undefined ? undefined : constantKey(constant)
    if (constant === undefined || known === undefined) {
      const facts = {
        where,
        got: written.text === "" ? "empty" : written.text,
        expected: `of type ${showType(type)}`,
      }
      report.add("policy/wrong-value", facts, written.at)
    } else if (seen.has(known)) {
      report.add("policy/duplicate", { what: `${written.text} among ${where}` }, written.at)
    } else if (range !== undefined && !inRange(constant, range, type)) {
      const facts = { where, got: written.text, range: "inside the column's range and on its grid" }
      report.add("policy/out-of-range", facts, written.at)
    } else seen.set(known, constant)
  }
  return seen.size === spec.values.length ? [...seen.values()] : "wrong"
}

function inRange(constant: Constant, range: Range, type: SqlType): boolean {
  const value = positionOf(constant)
  if (value === undefined) return true
  const scale = type.kind === "decimal" ? 10n ** BigInt(type.scale) : 1n
  const exact = constant.kind !== "number" || (scale * value.numerator) % value.denominator === 0n
  return exact && within(value, { min: range.min.value, max: range.max.value })
}

function positionOf(constant: Constant): Rational | undefined {
  if (constant.kind === "number") return constant.value
  if (constant.kind === "date") return rational(constant.day)
  return constant.kind === "timestamp" ? rational(constant.micros) : undefined
}

function within(value: Rational, ends: { readonly min: Rational; readonly max: Rational }): boolean {
  return compare(value, ends.min) >= 0 && compare(value, ends.max) <= 0
}

function isNumeric(type: SqlType): boolean {
  return type.kind === "integer" || type.kind === "decimal" || type.kind === "float"
}
