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
  "synthetic/unbounded-column": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) =>
      `${name} has no declared values or range, so its synthetic values would come from the data`,
    help: ({ name }) => `leave ${name} out, or ask the owner to declare values, or min and max, for ${name}`,
  }),
  "synthetic/too-many-columns": defineError<{ readonly got: string; readonly limit: string }>({
    kind: "invalid",
    message: ({ got, limit }) =>
      `${got} columns are too many for one set of synthetic rows; at most ${limit} are made`,
    help: () => "leave out what is not needed: each column takes its part of the loss",
  }),
  "synthetic/same-name": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `two columns are called ${name}`,
    help: ({ name }) => `give one of them another name: SELECT ${name} AS other_name`,
  }),
  "synthetic/bad-rule": defineError<{ readonly rule: string }>({
    kind: "invalid",
    message: ({ rule }) => `this is no rule about two columns: ${rule}`,
    help: () =>
      'write it as "age < 16 => employed = no"; a side may say <, <=, >, >=, =, !=, in (a, b), is missing or is not missing',
  }),
  "synthetic/unknown-column": defineError<{ readonly rule: string; readonly column: string }>({
    kind: "invalid",
    message: ({ rule, column }) => `the rule ${rule} speaks of ${column}, which is no column of the rows`,
    help: ({ column }) => `add ${column} to the columns, or leave the rule out`,
  }),
  "synthetic/rule-never-met": defineError<{ readonly rule: string; readonly column: string }>({
    kind: "invalid",
    message: ({ rule, column }) => `in the rule ${rule} no value of ${column} meets its side`,
    help: () => "compare with values that are declared for the column",
  }),
  "synthetic/rules-contradict": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "no row can keep all of these rules",
    help: () => "leave out a rule: two of them contradict each other, or leave a column without a value",
  }),
  "synthetic/rules-too-wide": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "these rules tie too many values of too many columns together",
    help: () => "write fewer rules, or rules about columns with fewer values",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof mlErrors> = errorMaker(mlErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof mlErrors> = (...error) => {
  throw errorOf(...error)
}
