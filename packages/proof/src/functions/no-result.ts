// How functions say that they have no result.

import { showType } from "../catalog/sql-type.ts"
import type { Argument, NoResult } from "./definition.ts"

/** The arguments have the wrong types. */
export function mismatch(reason: string, remedy: string): NoResult {
  return { kind: "no-result", code: "sql/type-mismatch", reason, remedy }
}

/** The function does not take such arguments; `wants` says what it takes. */
export function wrongTypes(what: string, args: readonly Argument[], wants: string): NoResult {
  const got = args.map(({ domain }) => showType(domain.type)).join(", ")
  return mismatch(
    `${what} is not defined for ${got === "" ? "no arguments" : got}`,
    `give it ${wants}, or CAST its arguments`,
  )
}

/** Values could pass what the databases can hold. */
export function mayOverflow(what: string, limit: string): NoResult {
  return {
    kind: "no-result",
    code: "sql/may-overflow",
    reason: `${what} may exceed ${limit}`,
    remedy:
      "write CLAMP(x, low, high) around its arguments, or ask the owner to declare bounds for the columns in it",
  }
}

/** Whether there is no result. */
export function isNoResult(result: object): result is NoResult {
  return "kind" in result && result.kind === "no-result"
}
