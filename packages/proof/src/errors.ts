// The errors of @dosimeter/proof. docs/errors.md lists every code; tools/rules/docs.test.ts compares the two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"

/** Every error that proof can raise. */
export const proofErrors = {
  "sql/too-many": defineError<{ readonly what: string; readonly limit: string; readonly remedy: string }>({
    kind: "invalid",
    message: ({ what, limit }) => `the query has more than ${limit} ${what}`,
    help: ({ remedy }) => remedy,
  }),
  "bug/plan-rejected": defineError<{ readonly what: string }>({
    kind: "bug",
    message: ({ what }) => `the plan could not be proven private: ${what}`,
    help: () => "please report this with the SQL; nothing was read and nothing was charged",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof proofErrors> = errorMaker(proofErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof proofErrors> = (...error) => {
  throw errorOf(...error)
}
