// The errors of @dosimeter/policy. docs/errors.md lists every code; tools/rules/docs.test.ts compares the
// two.

import {
  defineError,
  errorMaker,
  type ErrorDefinition,
  type ErrorMaker,
  type Fail,
} from "@dosimeter/core/errors"

interface Limited extends Record<string, string> {
  readonly got: string
  readonly limit: string
}

type Facts<Name extends string> = Readonly<Record<Name, string>>

/** Every error that policy can raise. */
export const policyErrors = {
  "policy/syntax": defineError<Facts<"reason">>({
    kind: "invalid",
    message: ({ reason }) => `the policy is not valid YAML: ${reason}`,
    help: () => "correct the policy at the mark; JSON is accepted too",
  }),
  "policy/too-long": defineError<Limited>({
    kind: "invalid",
    message: ({ got, limit }) => `the policy has ${got} bytes, and ${limit} are allowed`,
    help: () => "leave out tables and columns that nobody asks about: what is not named cannot be asked",
  }),
  "policy/too-deep": defineError<Record<string, string>>({
    kind: "invalid",
    message: () => "the policy is nested too deeply",
    help: () => "start from what `dosimeter init` writes: no policy needs more than six levels",
  }),
  "policy/unsupported-yaml": defineError<Facts<"what">>({
    kind: "invalid",
    message: ({ what }) => `the policy uses ${what}, which a reader could miss`,
    help: () => "write the value out where it is meant",
  }),
  "policy/unknown-key": defineError<Facts<"key" | "where" | "known">>({
    kind: "invalid",
    message: ({ key, where }) => `${where} has no key ${key}`,
    help: ({ known }) => `write ${known}`,
  }),
  "policy/duplicate": defineError<Facts<"what">>({
    kind: "invalid",
    message: ({ what }) => `${what} stands there twice`,
    help: () => "keep one of the two",
  }),
  "policy/missing": defineError<Facts<"key" | "where" | "example">>({
    kind: "invalid",
    message: ({ key, where }) => `${where} needs ${key}, and there is no default for it`,
    help: ({ example }) => `write ${example}`,
  }),
  "policy/wrong-value": defineError<Facts<"where" | "got" | "expected">>({
    kind: "invalid",
    message: ({ where, got, expected }) => `${where} is ${got}, and should be ${expected}`,
    help: ({ expected }) => `write ${expected}`,
  }),
  "policy/out-of-range": defineError<Facts<"where" | "got" | "range">>({
    kind: "invalid",
    message: ({ where, got, range }) => `${where} is ${got}, and must be ${range}`,
    help: ({ where, range }) => `choose ${where} so that it is ${range}`,
  }),
  "policy/min-above-max": defineError<Facts<"where" | "min" | "max">>({
    kind: "invalid",
    message: ({ where, min, max }) => `the least value of ${where}, ${min}, is above its greatest, ${max}`,
    help: () => "swap the two, or correct one of them",
  }),
  "policy/above-limit": defineError<Facts<"where" | "got" | "other" | "limit">>({
    kind: "invalid",
    message: ({ where, got, other, limit }) => `${where} is ${got}, above ${other}, which is ${limit}`,
    help: ({ where, limit }) => `write ${where} as ${limit} or less`,
  }),
  "policy/unknown-pack": defineError<Facts<"name" | "known">>({
    kind: "invalid",
    message: ({ name }) => `there is no schema pack ${name}`,
    help: ({ known }) => `write ${known}, or leave schema out and describe the tables`,
  }),
  "policy/unknown-table": defineError<Facts<"table" | "where" | "known">>({
    kind: "invalid",
    message: ({ table, where }) => `${where} names the table ${table}, which the policy does not describe`,
    help: ({ known }) => `write ${known}, or describe the table under tables`,
  }),
  "policy/unknown-column": defineError<Facts<"table" | "column" | "known">>({
    kind: "invalid",
    message: ({ table, column }) => `the table ${table} has no column ${column}`,
    help: ({ known }) => `write ${known}, or describe the column under columns`,
  }),
  "policy/not-in-source": defineError<Facts<"what" | "known">>({
    kind: "invalid",
    message: ({ what }) => `the source has no ${what}`,
    help: ({ known }) => `write ${known}, name it with source:, or remove the line`,
  }),
  "policy/no-type": defineError<Facts<"column">>({
    kind: "invalid",
    message: ({ column }) => `nothing says what type ${column} has`,
    help: () =>
      "write type: integer (or text, date, ...), or let `dosimeter init` read the types from the source",
  }),
  "policy/unsupported-type": defineError<Facts<"column" | "type">>({
    kind: "invalid",
    message: ({ column, type }) => `the source stores ${column} as ${type}, which cannot be asked about`,
    help: () => "remove the line, or store the column as a number, a text, a date or a timestamp",
  }),
  "policy/type-differs": defineError<Facts<"column" | "type" | "other" | "otherType">>({
    kind: "invalid",
    message: ({ column, type, other, otherType }) => `${column} is ${type}, and ${other} is ${otherType}`,
    help: ({ otherType }) => `write type: ${otherType}, or store both in the same type`,
  }),
  "policy/not-applicable": defineError<Facts<"key" | "column" | "type">>({
    kind: "invalid",
    message: ({ key, column, type }) => `${key} means nothing for ${column}, which is ${type}`,
    help: ({ key }) => `remove ${key}, or correct the type`,
  }),
  "policy/bad-path": defineError<Facts<"path" | "reason">>({
    kind: "invalid",
    message: ({ path, reason }) => `the path ${path} leads to nobody: ${reason}`,
    help: () =>
      "write a column (patient_id), or a path (order_id -> orders.id -> patient_id), or row, or public",
  }),
  "policy/path-cycle": defineError<Facts<"table" | "path">>({
    kind: "invalid",
    message: ({ table, path }) => `the path from ${table} to its unit runs in a circle: ${path}`,
    help: () => "end the path at the column that holds the unit's id",
  }),
  "policy/unit-type": defineError<Facts<"column" | "type">>({
    kind: "invalid",
    message: ({ column, type }) => `${column} tells units apart, and is ${type}`,
    help: () => "use a column of integers or text: other values are not read back exactly",
  }),
  "policy/mixed-units": defineError<Facts<"table" | "other">>({
    kind: "invalid",
    message: ({ table, other }) => `each row of ${table} is a unit, and ${other} belongs to persons`,
    help: () =>
      "give all private tables of a dataset the same unit, or put this one into a dataset of its own",
  }),
  "policy/inexact-key": defineError<Facts<"column" | "reason">>({
    kind: "invalid",
    message: ({ column, reason }) => `${column} tells rows or units apart, but ${reason}`,
    help: () => "keys and ids are integers or text without min, max, grid or values",
  }),
  "policy/unit-denied": defineError<Facts<"column">>({
    kind: "invalid",
    message: ({ column }) => `${column} is the unit's id, which is needed to count units`,
    help: () => "remove the deny: a unit's id is never shown, and only ever counted",
  }),
} satisfies Record<string, ErrorDefinition<never>>

/** The codes of policy, stable for ever. */
export type PolicyErrorCode = keyof typeof policyErrors

/** Makes the error of one code without throwing it. */
export const errorOf: ErrorMaker<typeof policyErrors> = errorMaker(policyErrors)

/** Throws the error of one code. */
export const fail: Fail<typeof policyErrors> = (...error) => {
  throw errorOf(...error)
}
