// How each function is written, from its name.

import type { FunctionName } from "../functions/function-name.ts"
import type { Spell } from "./spell.ts"
import { arithmeticSpellings } from "./spell-arithmetic.ts"
import { castSpelling } from "./spell-cast.ts"
import { dateSpellings } from "./spell-dates.ts"
import { estimateSpellings } from "./spell-estimates.ts"
import { choiceSpellings, logicSpellings } from "./spell-logic.ts"
import { mathSpellings } from "./spell-math.ts"
import { textSpellings } from "./spell-text.ts"

/** The spellings of all functions. */
export const spellings: Readonly<Record<FunctionName, Spell>> = {
  ...logicSpellings,
  ...choiceSpellings,
  ...arithmeticSpellings,
  ...mathSpellings,
  ...textSpellings,
  ...dateSpellings,
  ...estimateSpellings,
  cast: castSpelling,
}
