// The errors of @dosimeter/ml. docs/errors.md lists every code; tools/rules/docs.test.ts compares the two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"

/** Every error that ml can raise. */
export const mlErrors = {
  "model/unbounded-feature": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} has no declared range, so one person could change a model without limit`,
    help: ({ name }) =>
      `write CLAMP(${name}, low, high), or ask the owner to declare min and max for ${name}`,
  }),
  "model/constant-feature": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} can hold one value only, so it tells nothing`,
    help: ({ name }) => `leave ${name} out: every model has an intercept of its own`,
  }),
  "model/no-features": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "a model needs at least one feature beside its target",
    help: () => "select at least one more column of numbers, or of true and false",
  }),
  "model/too-many-features": defineError<{ readonly got: string; readonly limit: string }>({
    kind: "invalid",
    message: ({ got, limit }) => `the model has ${got} features, and at most ${limit} are fitted`,
    help: ({ limit }) => `select at most ${limit} features`,
  }),
  "model/wrong-target": defineError<{ readonly family: string; readonly needs: string }>({
    kind: "invalid",
    message: ({ family, needs }) => `the target of a ${family} model is ${needs}`,
    help: () => "name another target, or another model: linear, logistic, multinomial or poisson",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof mlErrors> = errorMaker(mlErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof mlErrors> = (...error) => {
  throw errorOf(...error)
}
