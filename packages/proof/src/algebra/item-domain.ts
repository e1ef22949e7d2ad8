// What aggregates and window functions give: the domains of the columns that they add.

import { assert, unreachable } from "@dosimeter/core/errors"
import { multiply, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain, Range } from "../catalog/domain.ts"
import { positiveEstimate, shareEstimate } from "../functions/estimates.ts"
import { resultOf } from "../functions/results.ts"
import type { NoResult } from "../functions/definition.ts"
import { isNoResult } from "../functions/no-result.ts"
import { isNumeric, numericDomain } from "../functions/numeric-domain.ts"
import type { AggregateItem, WindowItem } from "./rel.ts"

/** No table that we read has as many rows: bounds the width of counts and sums. */
export const rowsMax: bigint = 1n << 40n
/** The largest step of spread places: with rowsMax rows, 64 bits hold what is computed. */
export const spreadMax: bigint = 1n << 22n

const end = (value: Rational, declared: boolean): Range["min"] => ({ value, declared })
const countDomain: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: { min: end(rational(0n), true), max: end(rational(rowsMax), false) },
}
const placeDomain: Domain = {
  ...countDomain,
  range: { min: end(rational(1n), true), max: end(rational(rowsMax), false) },
}

/** The domain of an aggregate that has one. */
export function aggregateDomain(item: AggregateItem): Domain {
  return proven(aggregateResult(item))
}

/** The domain of a window function's column that has one. */
export function windowDomain(item: WindowItem): Domain {
  return proven(windowResult(item))
}

function proven(result: Domain | NoResult): Domain {
  assert(!isNoResult(result), "every aggregate has a type that holds it")
  return result
}

/** What an aggregate gives over any number of rows; none at all give NULL, but for counts. */
export function aggregateResult(item: AggregateItem): Domain | NoResult {
  const argument = item.argument?.domain
  switch (item.function) {
    case "rows":
    case "count":
    case "count-distinct":
      return countDomain
    case "sum":
      return sumResult(argument ?? countDomain)
    case "min":
    case "max":
      return { ...(argument ?? countDomain), nullable: true }
    case "every":
    case "some":
      return { type: { kind: "boolean" }, nullable: true }
    case "standardised-rate":
    case "log-rank":
    case "hazard-ratio":
      return positiveEstimate
    case "log-rank-p":
      return shareEstimate
    default:
      return unreachable(item.function)
  }
}

/** A sum of at most rowsMax rows, where the widest type holds it and every sum on the way. */
function sumResult({ type, range, autoBounds }: Domain): Domain | NoResult {
  if (range === undefined || !isNumeric(type)) return { type, nullable: true }
  const most = rational(rowsMax)
  // A sum of no rows is NULL, so 0 need not be inside.
  const min = range.min.value.numerator < 0n ? multiply(range.min.value, most) : range.min.value
  const max = range.max.value.numerator > 0n ? multiply(range.max.value, most) : range.max.value
  const keepsMin = range.min.declared && range.min.value.numerator >= 0n
  const keepsMax = range.max.declared && range.max.value.numerator <= 0n
  const auto = autoBounds === true ? { autoBounds } : {}
  const sum = numericDomain(
    { type, nullable: true, range: { min: end(min, keepsMin), max: end(max, keepsMax) } },
    "SUM",
  )
  return isNoResult(sum) ? sum : { ...sum, ...auto }
}

/** What a window function gives. */
export function windowResult(item: WindowItem): Domain | NoResult {
  const [argument] = item.args
  switch (item.function) {
    case "row-number":
    case "rank":
    case "dense-rank":
    case "spread-place":
      return placeDomain
    case "lag":
    case "lead": {
      // A default of another domain would be a value besides those of the argument.
      assert(item.args.length <= 2, "LAG and LEAD have no default here")
      return { ...(argument?.domain ?? countDomain), nullable: true }
    }
    case "first-value":
    case "last-value":
      return { ...(argument?.domain ?? countDomain), nullable: true }
    case "kaplan-meier":
      return shareEstimate
    case "at-risk": {
      const both = resultOf("add", item.args)
      return isNoResult(both) ? both : sumResult(both)
    }
    default:
      return aggregateResult({ function: item.function, argument })
  }
}

/** The domain of whole steps between two bounds. */
export function stepsDomain(lower: bigint, upper: bigint, nullable: boolean): Domain {
  return {
    type: { kind: "integer" },
    nullable,
    range: { min: end(rational(lower), true), max: end(rational(upper), true) },
  }
}

/** The domain of a share (see ShareExpr): never further from 0 than the sum. */
export function shareDomain(sum: Domain): Domain {
  const { range } = sum
  if (range === undefined) return sum
  const none = rational(0n)
  const min = range.min.value.numerator > 0n ? end(none, range.min.declared) : range.min
  const max = range.max.value.numerator < 0n ? end(none, range.max.declared) : range.max
  return { type: sum.type, nullable: sum.nullable, range: { min, max } }
}
