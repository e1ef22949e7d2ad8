// Estimates have no spelling: the planner refuses them inside of what a database is asked for.

import { assert } from "@dosimeter/core/errors"
import type { EstimateName } from "../functions/function-name.ts"
import type { Spell } from "./spell.ts"

const none: Spell = () => {
  assert(false, "an estimate is computed after the release")
  return ""
}

/** The spellings of these functions. */
export const estimateSpellings: Readonly<Record<EstimateName, Spell>> = {
  "rate-per": none,
  risk: none,
  "risk-ratio": none,
  "risk-difference": none,
  "rate-ratio": none,
  "rate-difference": none,
  "odds-ratio": none,
  "row-of": none,
}
