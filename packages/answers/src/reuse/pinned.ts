// What a condition pins: WHERE city IN ('Delft', 'Ghent') leaves two values of an expression, whatever the
// data holds.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Expr } from "@dosimeter/proof/algebra/expr"

/** An expression, and all values that it can have. */
export interface Pinned {
  readonly key: Expr
  readonly values: readonly Constant[]
}

/** The expressions that a condition pins to constants. */
export function pinned(condition: Expr): readonly Pinned[] {
  if (condition.kind !== "call" || (condition.name !== "equal" && condition.name !== "in-list")) return []
  const [first, ...others] = condition.args
  const [second] = others
  const [key, items] =
    condition.name === "equal" && first?.kind === "literal" ? [second, [first]] : [first, others]
  const values = items.flatMap((item) => (item.kind === "literal" ? [item.value] : []))
  return key === undefined || values.length < items.length ? [] : [{ key, values }]
}
