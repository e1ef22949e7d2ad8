// The functions of the IR, from their names.

import { assert } from "@dosimeter/core"
import type { Domain } from "../domain.ts"
import { arithmeticResults } from "./arithmetic.ts"
import { choiceResults } from "./choice.ts"
import { dateResults } from "./dates.ts"
import type { Argument, FunctionDefinition, NoResult, Spelling, Dialect } from "./definition.ts"
import type { FunctionName } from "./function-name.ts"
import { logicResults } from "./logic.ts"
import { mathResults } from "./math.ts"
import { arithmeticSpellings } from "./spell-arithmetic.ts"
import { castSpelling } from "./spell-cast.ts"
import { dateSpellings } from "./spell-dates.ts"
import { choiceSpellings, logicSpellings } from "./spell-logic.ts"
import { mathSpellings } from "./spell-math.ts"
import { textSpellings } from "./spell-text.ts"
import { textResults } from "./text.ts"

type Spellings = Readonly<Record<Dialect, Spelling>>

const results: Readonly<
  Record<Exclude<FunctionName, "cast">, (args: readonly Argument[]) => Domain | NoResult>
> = {
  ...logicResults,
  ...choiceResults,
  ...arithmeticResults,
  ...mathResults,
  ...textResults,
  ...dateResults,
}

/** The domain of a call, or why there is none. A cast's depends on its type: see `castResult`. */
export function resultOf(name: FunctionName, args: readonly Argument[]): Domain | NoResult {
  assert(name !== "cast", "the result of a cast follows from its type")
  return results[name](args)
}

const spellings: Readonly<Record<FunctionName, Spellings>> = {
  ...logicSpellings,
  ...choiceSpellings,
  ...arithmeticSpellings,
  ...mathSpellings,
  ...textSpellings,
  ...dateSpellings,
  cast: { duckdb: castSpelling("duckdb"), postgres: castSpelling("postgres"), trino: castSpelling("trino") },
}

/** What a function gives and how it is written. The result of a cast follows from its type, not from here. */
export function functionNamed(name: FunctionName): FunctionDefinition {
  return { result: (args) => resultOf(name, args), spellings: spellings[name] }
}
