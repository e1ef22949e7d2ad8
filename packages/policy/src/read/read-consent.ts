// Whether people decide themselves what their rows may be used for.

import type { CatalogTable, ConsentFacts, ConsentMode } from "@dosimeter/proof/catalog/catalog"
import { consentBefore } from "@dosimeter/proof/catalog/consent"
import { optional, wordIn, type Fields } from "../file/shapes.ts"

const modes: readonly ConsentMode[] = ["required", "opt-out"]

/** How consent is applied; undefined if it is not, or if the report says what is wrong. */
export function readConsent(fields: Fields, tables: readonly CatalogTable[]): ConsentFacts | undefined {
  const node = optional(fields, "consent")
  const mode = node === undefined ? undefined : wordIn(node, "consent", modes, fields.report)
  if (node === undefined || mode === undefined) return undefined
  const consent = consentBefore(mode, tables)
  if (consent === undefined) {
    // A record by itself has no id to be found by.
    const facts = { key: "consent", column: "this dataset", type: "made of records without an owner" }
    fields.report.add("policy/not-applicable", facts, node.at)
  }
  return consent
}

/** Whether decisions count from the next midnight on, not at once. */
export function refreshesDaily(fields: Fields): boolean {
  const node = optional(fields, "consent_refresh")
  if (node === undefined) return false
  if (optional(fields, "consent") === undefined) {
    fields.report.add(
      "policy/missing",
      { key: "consent", where: "the policy", example: "consent: required" },
      node.at,
    )
  }
  return wordIn(node, "consent_refresh", ["at-once", "daily"], fields.report) === "daily"
}
