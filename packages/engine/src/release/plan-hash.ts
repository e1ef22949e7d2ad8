// The hash of a plan: equal for the same question, whatever its spaces and line breaks.

import { createHash } from "node:crypto"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { canonicalJson } from "../ledger/entries/canonical.ts"

/**
 * A text of 64 hexadecimal digits. Tables and trees count by their names (the groups that trees give are in
 * the plan), places in the SQL not at all.
 */
export function planHash(plan: VerifiedPlan): string {
  const known = hashes.get(plan)
  if (known !== undefined) return known
  const hash = hashOf(plan)
  hashes.set(plan, hash)
  return hash
}

/** Plans do not change, and one that is asked for again is the same object. */
const hashes = new WeakMap<VerifiedPlan, string>()

function hashOf(plan: VerifiedPlan): string {
  const plain: unknown = JSON.parse(JSON.stringify(plan, reduce))
  return createHash("sha256")
    .update(`dosimeter plan 1\n${canonicalJson(plain)}`)
    .digest("hex")
}

function reduce(key: string, value: unknown): unknown {
  if (key === "at" || key === "notes") return undefined
  if (typeof value === "bigint") return `${value}n`
  const isNamed = key === "table" || key === "tree"
  return isNamed && typeof value === "object" && value !== null && "name" in value ? value.name : value
}
