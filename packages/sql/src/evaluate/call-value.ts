// The value of a call, from the values of its arguments.

import type { FunctionName } from "../catalog/functions/function-name.ts"
import { arithmeticFunctions } from "./call-arithmetic.ts"
import { castFunction } from "./call-cast.ts"
import { choiceFunctions } from "./call-choice.ts"
import { dateFunctions } from "./call-dates.ts"
import { logicFunctions } from "./call-logic.ts"
import { mathFunctions } from "./call-math.ts"
import { textFunctions } from "./call-text.ts"
import type { ValueFunction } from "./value-function.ts"

const functions: Readonly<Record<FunctionName, ValueFunction>> = {
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
  return functions[name]
}
