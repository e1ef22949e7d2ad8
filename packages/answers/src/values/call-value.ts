// The value of a call, from the values of its arguments.

import { assert } from "@dosimeter/core/errors"
import { isEstimate } from "@dosimeter/proof/functions/estimates"
import type { EstimateName, FunctionName } from "@dosimeter/proof/functions/function-name"
import { arithmeticFunctions } from "./call-arithmetic.ts"
import { castFunction } from "./call-cast.ts"
import { choiceFunctions } from "./call-choice.ts"
import { dateFunctions } from "./call-dates.ts"
import { logicFunctions } from "./call-logic.ts"
import { mathFunctions } from "./call-math.ts"
import { textFunctions } from "./call-text.ts"
import type { ValueFunction } from "./value-function.ts"

const functions: Readonly<Record<Exclude<FunctionName, EstimateName>, ValueFunction>> = {
  ...logicFunctions,
  ...choiceFunctions,
  ...arithmeticFunctions,
  ...mathFunctions,
  ...textFunctions,
  ...dateFunctions,
  cast: castFunction,
}

/** The function of a name, on values. */
export function valueFunction(name: FunctionName): ValueFunction {
  // An estimate is a cell with a spread of its own: estimate-cell.ts.
  assert(!isEstimate(name), "an estimate is no function of values alone")
  return functions[name]
}
