// COALESCE, NULLIF, GREATEST, LEAST, CLAMP on values.

import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import { widened, widening } from "./convert.ts"
import { nullConstant } from "./doubles.ts"
import type { ValueFunction } from "./value-function.ts"

const coalesce: ValueFunction = (values, { result }) => {
  const found = values.find(({ kind }) => kind !== "null")
  return found === undefined ? nullConstant : widened(found, result)
}

const nullif: ValueFunction = ([value = nullConstant, other = nullConstant], { types }) => {
  const wide = widening(types)
  return constantKey(wide(value)) === constantKey(wide(other)) ? nullConstant : value
}

/** NULLs are left out. */
function extreme(direction: 1 | -1): ValueFunction {
  return (values, { result }) => {
    let best: Constant = nullConstant
    for (const value of values) {
      if (value.kind === "null") continue
      const wide = widened(value, result)
      if (best.kind === "null" || direction * compareConstants(wide, best) > 0) best = wide
    }
    return best
  }
}

const clamp: ValueFunction = (
  [value = nullConstant, low = nullConstant, high = nullConstant],
  { result },
) => {
  if (value.kind === "null") return nullConstant
  const [wide, least, most] = [widened(value, result), widened(low, result), widened(high, result)]
  if (compareConstants(wide, least) < 0) return least
  return compareConstants(wide, most) > 0 ? most : wide
}

/** The functions of this family. */
export const choiceFunctions = {
  coalesce,
  nullif,
  greatest: extreme(1),
  least: extreme(-1),
  clamp,
} satisfies Record<string, ValueFunction>
