// Post-processing sees released and public rows only.

import { unreachable } from "@dosimeter/core/errors"
import { reject } from "../units/reject.ts"
import type { Catalog } from "../catalog/catalog.ts"
import type { Rel, Released } from "../algebra/rel.ts"
import type { Release, ReleasePlan } from "../algebra/release-plan.ts"
import { inputsOf } from "../algebra/walk.ts"
import { checkWidths } from "./check-columns.ts"
import { checkTables } from "./check-tables.ts"

/**
 * Checks what is worked out from the releases of a plan.
 *
 * Guarantee: it depends on released rows and public tables alone.
 * Needs: which tables are public is the owner's word.
 * Proof: every node is met; leaves are constants, releases of the plan with their own columns, and scans of
 *   tables of the catalog that are public (checkTables: the catalog's own objects).
 * Numerics: none.
 * Source: Dwork and Roth 2014, section 2 (post-processing).
 */
export function checkPost(rel: Rel, plan: ReleasePlan, catalog: Catalog): void {
  checkTables(rel, catalog, [])
  checkZone(rel, plan)
  checkWidths(rel)
}

function checkZone(rel: Rel, plan: ReleasePlan): void {
  switch (rel.kind) {
    case "boundary":
      return reject("a boundary is left in the post-processing")
    case "scan":
      return rel.table.unit.kind === "public" ? undefined : reject("post-processing reads people")
    case "released":
      return checkReleased(rel, plan.releases[rel.release])
    case "values":
    case "filter":
    case "project":
    case "join":
    case "mark":
    case "aggregate":
    case "window":
    case "union":
    case "sort":
      for (const input of inputsOf(rel)) checkZone(input, plan)
      return undefined
    default:
      return unreachable(rel)
  }
}

function checkReleased({ columns }: Released, release: Release | undefined): void {
  const isSame = release?.columns.every((id, index) => columns[index]?.id === id) ?? false
  if (!isSame || release?.columns.length !== columns.length) reject("a release has other columns")
}
