// What a function of the IR is here: from the values of its arguments to its value.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"

/** What a function may look at besides values. */
export interface CallTypes {
  /** The types of the arguments. */
  readonly types: readonly SqlType[]
  readonly result: SqlType
}

/** Total: every list of values gives a value, NULL where there is none. */
export type ValueFunction = (values: readonly Constant[], call: CallTypes) => Constant
