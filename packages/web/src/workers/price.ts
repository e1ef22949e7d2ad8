// What a question would cost and how exact it would be, worked out from the policy alone: the compiler that
// answers on the server, without data. Runs in a worker, and in tests.

import { DosimeterError, type Issue } from "@dosimeter/core"
import { numberNear } from "@dosimeter/core/exact"
import { compile } from "@dosimeter/planner/compile"
import { explain } from "@dosimeter/planner/explain/explain"
import { effectOf, priceOf, type Effect } from "@dosimeter/planner/explain/price"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import type { Catalog, CatalogColumn } from "@dosimeter/proof/catalog/catalog"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { accountOf, type ChargedAccount } from "./cost.ts"
import { askOf, type TypedAsk } from "./wanted.ts"

/** What the compiler must know of a dataset: what the policy says, never data. */
export interface CompileFacts {
  readonly catalog: Catalog
  readonly terms: Terms
}

/** An aggregate of a question: what is measured, with which noise, how far off it may be. */
export interface PricedAggregate {
  readonly label: string
  readonly mechanism: string
  readonly error: string
}

/** A question that can be answered, and what it does to the accounts that it is charged to. */
export interface Priced extends Effect {
  readonly kind: "priced"
  /** The loss of this question by itself, in words. */
  readonly cost: string
  /** As epsilon, for a number beside the words. */
  readonly epsilon: number
  readonly unit: string
  readonly confidence: number
  readonly tables: readonly string[]
  readonly groups: readonly string[]
  readonly bounding: readonly string[]
  readonly aggregates: readonly PricedAggregate[]
  readonly notes: readonly string[]
  /** Whether a norm is learnt before it: errors are then those of the norm of groups and rows. */
  readonly learnsNorm: boolean
  /** Whether earlier releases answer it; only the server knows. */
  readonly free?: boolean
  /** For an error in percent, which needs a first look: what the looks and the question may cost. */
  readonly looks?: { readonly epsilon: string; readonly more: readonly string[]; readonly thenAtMost: string }
}

/** One thing that is wrong, where it is, and what to write. */
export interface PriceIssue {
  readonly code: string
  readonly message: string
  readonly help: string | undefined
  readonly facts: Readonly<Record<string, string>>
  readonly start: number | undefined
  readonly end: number | undefined
}

/** A question that cannot be answered as it stands. */
export interface Unpriced {
  readonly kind: "issues"
  readonly issues: readonly PriceIssue[]
}

/** Prices a question; everything that is wrong with it comes back as issues. */
export function price(
  sql: string,
  {
    facts,
    grammar,
    wanted,
    accounts,
  }: {
    readonly facts: CompileFacts
    readonly grammar: Grammar
    readonly wanted: TypedAsk
    /** The accounts that it is charged to. */
    readonly accounts: readonly ChargedAccount[]
  },
): Priced | Unpriced {
  try {
    const { catalog, terms } = facts
    const norm = terms.bounding.norm ?? "auto"
    const isAuto = learnsNorms(wanted, norm)
    const learns = isAuto ? ({ learnsNorm: true } as const) : {}
    const { plan } = compile(sql, { grammar, catalog, terms, ask: askOf(wanted), ...learns })
    const told = explain(plan)
    const { words, epsilon } = priceOf(told.charge)
    return {
      kind: "priced",
      cost: words,
      epsilon: epsilon ?? 0,
      ...effectOf(told.charge, accounts.map(accountOf)),
      unit: told.unitName,
      confidence: numberNear(told.confidence),
      tables: told.tables,
      groups: told.releases.map(({ groups }) => groups),
      bounding: [...new Set(told.releases.map(({ bounding }) => bounding))],
      aggregates: told.releases.flatMap(({ aggregates }) => aggregates),
      notes: told.notes,
      learnsNorm: learnsNorm(told.releases, wanted, norm),
    }
  } catch (error) {
    // A refusal is an ordinary answer here; any other error is passed on.
    if (!(error instanceof DosimeterError)) throw error
    return { kind: "issues", issues: error.issues.map(issueOf) }
  }
}

/**
 * Whether the norm of a question as it is explained is still to be learnt: where people are scaled, and
 * nobody says groups, rows or a fixed norm.
 */
export function learnsNorm(
  releases: readonly { readonly scaled?: "fixed" | "learnt" | undefined }[],
  wanted: TypedAsk,
  norm: PolicyNorm,
): boolean {
  return learnsNorms(wanted, norm) && releases.some(({ scaled }) => scaled === "fixed")
}

/** What a policy says of norms. */
export type PolicyNorm = "auto" | "fixed"

function learnsNorms(wanted: TypedAsk, policy: PolicyNorm): boolean {
  const isGiven = wanted.groupsPerUnit.trim() !== "" || wanted.rowsPerGroup.trim() !== ""
  const usual = isGiven ? "fixed" : policy
  return (wanted.norm === "usual" ? usual : wanted.norm) === "auto"
}

/** A table with what may be asked of it, for completion and for the list beside the editor. */
export interface KnownTable {
  readonly name: string
  readonly kind: "private" | "public"
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** The tables of a dataset. */
export function tablesOf({ catalog }: CompileFacts): readonly KnownTable[] {
  return catalog.tables.map(({ name, unit, columns }) => ({
    name,
    kind: unit.kind === "public" ? "public" : "private",
    columns: columns.filter(isAllowed).map((column) => ({
      name: column.name,
      type: showType(column.domain.type),
    })),
  }))
}

function isAllowed({ access }: CatalogColumn): boolean {
  return access === "allowed"
}

function issueOf({ code, message, help, facts, at }: Issue): PriceIssue {
  return { code, message, help, facts, start: at?.start, end: at?.end }
}
