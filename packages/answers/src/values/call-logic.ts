// Logic with three values, and comparisons, on values.

import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import { booleanConstant, nullConstant } from "./doubles.ts"
import type { ValueFunction } from "./value-function.ts"
import { widening } from "./convert.ts"

/** True, false, or undefined for unknown. */
export function truthOf(value: Constant): boolean | undefined {
  return value.kind === "boolean" ? value.value : undefined
}

function truthConstant(value: boolean | undefined): Constant {
  return value === undefined ? nullConstant : booleanConstant(value)
}

function and(values: readonly Constant[]): Constant {
  const truths = values.map(truthOf)
  if (truths.includes(false)) return booleanConstant(false)
  return truthConstant(truths.includes(undefined) ? undefined : true)
}

function or(values: readonly Constant[]): Constant {
  const truths = values.map(truthOf)
  if (truths.includes(true)) return booleanConstant(true)
  return truthConstant(truths.includes(undefined) ? undefined : false)
}

function not([value = nullConstant]: readonly Constant[]): Constant {
  const truth = truthOf(value)
  return truthConstant(truth === undefined ? undefined : !truth)
}

/** NULL if a side is NULL. */
function comparison(holds: (order: number) => boolean): ValueFunction {
  return ([left = nullConstant, right = nullConstant], { types }) => {
    if (left.kind === "null" || right.kind === "null") return nullConstant
    const wide = widening(types)
    return booleanConstant(holds(compareConstants(wide(left), wide(right))))
  }
}

const distinctFrom: ValueFunction = ([left = nullConstant, right = nullConstant], { types }) => {
  const wide = widening(types)
  return booleanConstant(constantKey(wide(left)) !== constantKey(wide(right)))
}

const inList: ValueFunction = ([value = nullConstant, ...items], { types }) => {
  if (value.kind === "null") return nullConstant
  const wide = widening(types)
  const wanted = constantKey(wide(value))
  if (items.some((item) => constantKey(wide(item)) === wanted)) return booleanConstant(true)
  return items.some(({ kind }) => kind === "null") ? nullConstant : booleanConstant(false)
}

/** The functions of this family. */
export const logicFunctions = {
  and,
  or,
  not,
  "is-null": ([value = nullConstant]) => booleanConstant(value.kind === "null"),
  "is-true": ([value = nullConstant]) => booleanConstant(truthOf(value) === true),
  "is-false": ([value = nullConstant]) => booleanConstant(truthOf(value) === false),
  equal: comparison((order) => order === 0),
  "not-equal": comparison((order) => order !== 0),
  less: comparison((order) => order < 0),
  "less-or-equal": comparison((order) => order <= 0),
  greater: comparison((order) => order > 0),
  "greater-or-equal": comparison((order) => order >= 0),
  "distinct-from": distinctFrom,
  "in-list": inList,
} satisfies Record<string, ValueFunction>
