// Estimates have no spelling: the planner refuses them inside of what a database is asked for.

import { assert } from "@dosimeter/core/errors"
import type { Dialect, Spelling } from "../functions/definition.ts"
import type { EstimateName } from "../functions/function-name.ts"

const none: Spelling = () => {
  assert(false, "an estimate is computed after the release")
  return ""
}

const inNone: Readonly<Record<Dialect, Spelling>> = { duckdb: none, postgres: none, trino: none }

/** The spellings of these functions. */
export const estimateSpellings: Readonly<Record<EstimateName, Readonly<Record<Dialect, Spelling>>>> = {
  "rate-per": inNone,
  risk: inNone,
  "risk-ratio": inNone,
  "risk-difference": inNone,
  "rate-ratio": inNone,
  "rate-difference": inNone,
  "odds-ratio": inNone,
  "row-of": inNone,
}
