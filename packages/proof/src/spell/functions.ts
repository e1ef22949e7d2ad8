// The functions of the IR, from their names.

import { assert } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import type { Argument, FunctionDefinition, NoResult } from "../functions/definition.ts"
import type { FunctionName } from "../functions/function-name.ts"
import { results } from "../functions/results.ts"
import { spellings } from "./spellings.ts"

/** The domain of a call, or why there is none. A cast's depends on its type: see `castResult`. */
export function resultOf(name: FunctionName, args: readonly Argument[]): Domain | NoResult {
  assert(name !== "cast", "the result of a cast follows from its type")
  return results[name](args)
}

/** What a function gives and how it is written. */
export function functionNamed(name: FunctionName): FunctionDefinition {
  return { result: (args) => resultOf(name, args), spellings: spellings[name] }
}
