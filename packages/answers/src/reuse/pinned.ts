// What a condition pins: WHERE city IN ('Delft', 'Ghent') leaves two values of an expression, whatever the
// data holds.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Expr } from "@dosimeter/proof/algebra/expr"

/** An expression, and all values that it can have. */
export interface Pinned {
  readonly key: Expr
  readonly values: readonly Constant[]
  /** Whether values and expression are of one kind: several whole numbers equal one float. */
  readonly isOfKind: boolean
}

/** The expressions that a condition pins to constants. */
export function pinned(condition: Expr): readonly Pinned[] {
  if (condition.kind !== "call" || (condition.name !== "equal" && condition.name !== "in-list")) return []
  const [first, ...others] = condition.args
  const [second] = others
  const [key, items] =
    condition.name === "equal" && first?.kind === "literal" ? [second, [first]] : [first, others]
  const values = items.flatMap((item) => (item.kind === "literal" ? [item.value] : []))
  if (key === undefined || values.length < items.length) return []
  const isOfKind = items.every(
    ({ domain: { type } }) => type.kind === key.domain.type.kind || type.kind === "null",
  )
  return [{ key, values, isOfKind }]
}
