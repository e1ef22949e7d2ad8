// Every node of an AST, for checks over all of them.

import type { Placed } from "../parse/ast.ts"

/** All nodes below and including one. */
export function nodesOf(root: Placed): readonly Placed[] {
  const found: Placed[] = []
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== "object" || value === null) continue
    if (isPlaced(value)) found.push(value)
    const parts: readonly unknown[] = Object.values(value)
    stack.push(...parts)
  }
  return found
}

function isPlaced(value: object): value is Placed {
  return "at" in value && "kind" in value
}
