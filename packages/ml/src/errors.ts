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
    help: () => "select at least one more column of numbers or categories",
  }),
  "model/no-loss": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "a training needs a loss above 0",
    help: () => "give an epsilon with a delta, or a rho, above 0",
  }),
  "model/one-class": defineError<{ readonly name: string }>({
    kind: "refused",
    message: ({ name }) => `${name} has one class only, so there is nothing to tell apart`,
    help: ({ name }) => `take a target with two or more values in place of ${name}`,
  }),
  "model/two-classes": defineError<{ readonly name: string; readonly got: string }>({
    kind: "unsupported",
    message: ({ name, got }) => `this model tells two classes apart, and ${name} has ${got}`,
    help: ({ name }) => `make ${name} a yes or no, such as ${name} = 'one of them'`,
  }),
  "model/same-name": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `two features are called ${name}`,
    help: ({ name }) => `give one of them another name: SELECT ${name} AS other_name`,
  }),
  "model/no-such-feature": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `there is no feature called ${name}`,
    help: () => "name one of the features that are selected",
  }),
  "model/bad-setting": defineError<{ readonly name: string; readonly got: string; readonly range: string }>({
    kind: "invalid",
    message: ({ name, got, range }) => `${name} is ${got}, and must be ${range}`,
    help: ({ name, range }) => `give ${range} for ${name}, or leave it out`,
  }),
  "model/too-many-features": defineError<{ readonly got: string; readonly limit: string }>({
    kind: "invalid",
    message: ({ got, limit }) => `the model has ${got} features, and at most ${limit} are fitted`,
    help: ({ limit }) => `select at most ${limit} features`,
  }),
  "model/wrong-target": defineError<{ readonly family: string; readonly needs: string }>({
    kind: "invalid",
    message: ({ family, needs }) => `the target of a ${family} model is ${needs}`,
    help: () =>
      "name another target, or another model: linear, logistic, multinomial, poisson, boosting or bayes",
  }),
  "model/unreadable": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "this is no model that Dosimeter wrote, or a part of it is missing or changed",
    help: () => "export the model again, and read the file as it is",
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
