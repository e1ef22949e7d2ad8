// The hash of a plan: equal for the same question, whatever its spaces and line breaks.

import { createHash } from "node:crypto"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { canonicalJson } from "../ledger/entries/canonical.ts"

/**
 * A text of 64 hexadecimal digits. Tables count by their names, by what they are in the database, whose their
 * rows are and by their keys; trees by their names (the groups that they give are in the plan); places in the
 * SQL not at all.
 */
export function planHash(plan: VerifiedPlan): string {
  const known = hashes.get(plan)
  if (known !== undefined) return known
  const hash = hashOf(plan, "dosimeter plan 2", tableFacts)
  hashes.set(plan, hash)
  return hash
}

/** Plans do not change, and one that is asked for again is the same object. */
const hashes = new WeakMap<VerifiedPlan, string>()

/**
 * Whether a hash is that of a plan, now or before tables counted by more than their names: a series that was
 * charged then goes on.
 */
export function isHashOf(hash: string, plan: VerifiedPlan): boolean {
  return hash === planHash(plan) || hash === hashOf(plan, "dosimeter plan 1", ({ name }) => name)
}

function hashOf(plan: VerifiedPlan, form: string, ofTable: (table: Named) => unknown): string {
  const reduce = (key: string, value: unknown): unknown => {
    if (key === "at" || key === "notes") return undefined
    if (typeof value === "bigint") return `${value}n`
    if (typeof value !== "object" || value === null || !("name" in value)) return value
    if (key === "tree") return value.name
    return key === "table" ? ofTable(value) : value
  }
  const plain: unknown = JSON.parse(JSON.stringify(plan, reduce))
  return createHash("sha256")
    .update(`${form}\n${canonicalJson(plain)}`)
    .digest("hex")
}

interface Named {
  readonly name: unknown
}

function tableFacts(table: Named): unknown {
  const { name } = table
  const of = (key: string): unknown => (Object.hasOwn(table, key) ? Reflect.get(table, key) : null)
  return { name, path: of("path"), unit: of("unit"), keys: of("keys"), prepared: of("prepared") }
}
