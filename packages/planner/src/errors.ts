// The errors of @dosimeter/planner. docs/errors.md lists every code; tools/rules/docs.test.ts compares the
// two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"
import { languageErrors } from "@dosimeter/language/errors"

/** Every error that planner can raise. */
export const plannerErrors = {
  "sql/too-much-work": defineError<{ readonly problem: string; readonly remedy: string }>({
    kind: "refused",
    message: ({ problem }) => problem,
    help: ({ remedy }) => remedy,
  }),
  "privacy/rows-multiplied": defineError<{ readonly table: string }>({
    kind: "unsupported",
    message: ({ table }) => `a join may repeat rows of ${table}, and each of its rows is protected by itself`,
    help: ({ table }) =>
      `join ${table} with public tables on all columns of a key of theirs, and not in a union`,
  }),
  "series/not-a-series": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () => "a series is one count or sum for each day, week, month, quarter or year",
    help: () => "write SELECT date_trunc('week', visit_date), COUNT(*) FROM visits GROUP BY 1",
  }),
  "series/rows-may-vanish": defineError<Record<string, string>>({
    kind: "unsupported",
    message: () => "rows of this question may vanish when others are added, and a person could count anew",
    help: () =>
      "use conditions on rows and inner joins only: no outer join, EXISTS, window, inner GROUP BY, nor consent",
  }),
  "series/beyond-range": defineError<{
    readonly wanted: string
    readonly found: string
    readonly from: string
  }>({
    kind: "invalid",
    message: ({ wanted, found, from }) =>
      `${wanted} periods were asked for, and the declared range of the date has ${found} from ${from} on`,
    help: () => "ask for fewer periods, or ask the owner to declare a later max for the date",
  }),
  "privacy/no-delta-for-keys": defineError<{ readonly remedy: string }>({
    kind: "refused",
    message: () =>
      "the groups of this question come from the data, and the policy has no delta to select them",
    help: ({ remedy }) =>
      `group by columns whose values are listed or lie in a declared range, in at most 10,000 combinations; or ask the owner for ${remedy}`,
  }),
  "ask/too-large": defineError<{ readonly name: string; readonly got: string; readonly limit: string }>({
    kind: "refused",
    message: ({ name, got, limit }) => `${name} is ${got}, and the owner allows at most ${limit} a question`,
    help: ({ name, limit }) => `ask with ${name} at or below ${limit}`,
  }),
  "ask/not-positive": defineError<{ readonly name: string }>({
    kind: "invalid",
    message: ({ name }) => `${name} must be greater than 0`,
    help: ({ name }) => `give a number above 0 for ${name}, or leave it out`,
  }),
  "ask/too-small": defineError<{ readonly name: string; readonly got: string; readonly least: string }>({
    kind: "invalid",
    message: ({ name, got, least }) => `${name} is ${got}, and the least is ${least}`,
    help: ({ name, least }) => `ask with ${name} at or above ${least}`,
  }),
  "ask/no-such-column": defineError<{ readonly name: string; readonly columns: string }>({
    kind: "invalid",
    message: ({ name }) => `the answer has no column ${name} to be weighed`,
    help: ({ columns }) => `name one of: ${columns}`,
  }),
} satisfies Record<string, ErrorDefinition<never>>

const raised = { ...languageErrors, ...plannerErrors }

/** Makes the error of one code, or of one of language, without throwing it. */
export const errorOf: ErrorMaker<typeof raised> = errorMaker(raised)

/** Throws it. */
export const fail: Fail<typeof raised> = (...error) => {
  throw errorOf(...error)
}
