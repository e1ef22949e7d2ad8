// What each function gives, from its name.

import { assert } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import { arithmeticResults } from "./arithmetic.ts"
import { choiceResults } from "./choice.ts"
import { dateResults } from "./dates.ts"
import type { Argument, NoResult } from "./definition.ts"
import { estimateResults } from "./estimates.ts"
import type { FunctionName } from "./function-name.ts"
import { logicResults } from "./logic.ts"
import { mathResults } from "./math.ts"
import { textResults } from "./text.ts"

/** The rules of all functions but casts, whose result follows from their type. */
export const results: Readonly<
  Record<Exclude<FunctionName, "cast">, (args: readonly Argument[]) => Domain | NoResult>
> = {
  ...logicResults,
  ...choiceResults,
  ...arithmeticResults,
  ...mathResults,
  ...textResults,
  ...dateResults,
  ...estimateResults,
}

/** The domain of a call, or why there is none. A cast's depends on its type: see `castResult`. */
export function resultOf(name: FunctionName, args: readonly Argument[]): Domain | NoResult {
  assert(name !== "cast", "the result of a cast follows from its type")
  return results[name](args)
}
