// What spellings are made of. A spelling is written once for all databases and asks the dialect for what
// differs; what it returns stands by itself: a name, a call, or something in brackets.

import { assert } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import type { Argument } from "../functions/definition.ts"
import { isNoResult } from "../functions/no-result.ts"
import { coerce, storedType, type Stored } from "./stored.ts"
import { unionDomain } from "../functions/union-domain.ts"

/** What a spelling works with. */
export interface Written {
  /** The written arguments, each in brackets where it needs them. */
  readonly args: readonly string[]
  readonly domains: readonly Domain[]
  readonly arguments: readonly Argument[]
  readonly result: Domain
  readonly dialect: DialectSpelling
}

/**
 * How a function is written, in every database. Total: for values inside the arguments' domains it gives a
 * value inside the result's, or NULL, and no error.
 */
export type Spell = (written: Written) => string

/** Argument i in the stored type of a domain. */
export function argAs({ args, domains, dialect }: Written, index: number, to: Stored): string {
  const text = args[index]
  const from = domains[index]
  assert(text !== undefined && from !== undefined, `argument ${index} is there`)
  return coerce(text, { from, to }, dialect)
}

/** Argument i in a type that its values have already, or a typed NULL. */
export function argOf(written: Written, index: number, type: SqlType): string {
  const domain = domainAt(written, index)
  return argAs(written, index, domain.type.kind === "null" ? { type } : domain)
}

/** The domain of argument i. */
export function domainAt({ domains }: Written, index: number): Domain {
  const domain = domains[index]
  assert(domain !== undefined, `argument ${index} is there`)
  return domain
}

/** Argument i as a double. */
export function asFloat(written: Written, index: number): string {
  return argAs(written, index, { type: { kind: "float" } })
}

/** A domain that holds the values of all arguments. */
export function commonDomain({ domains }: Written): Domain {
  const common = unionDomain(domains, "a function")
  assert(!isNoResult(common), "the arguments have a type in common")
  return common
}

/** CAST(text AS type). */
export function castTo(text: string, to: Stored, dialect: DialectSpelling): string {
  return `CAST(${text} AS ${storedType(to, dialect)})`
}

/** A value that is compared; texts by code points. */
export function ordered(text: string, type: SqlType, dialect: DialectSpelling): string {
  return type.kind === "text" ? dialect.texts.byCodePoint(text) : text
}
