// A plan as data: frozen, and of known kinds and fields only. All other checks look at what this lets pass.

import type { Catalog } from "../catalog/catalog.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { freezeData } from "./freeze-data.ts"
import { planShape } from "./shapes/plan-shape.ts"

/**
 * Freezes a plan and the catalog that it is proven with, and checks the plan's shape.
 *
 * Guarantee: every later read of the plan gives the same, and the plan has the kinds, fields, numbers and
 *   fractions that its types promise, and no other property.
 * Needs: nothing.
 * Proof: freezeData; planShape walks every part but those of the catalog, and rejects what it does not name.
 * Numerics: none.
 * Source: none.
 */
export function checkData(plan: ReleasePlan, catalog: Catalog): void {
  freezeData(plan)
  freezeData(catalog)
  planShape.check(plan, "the plan")
}
