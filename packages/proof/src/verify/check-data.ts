// A plan as data: frozen, and of known kinds and fields only. All other checks look at what this lets pass.

import type { Catalog } from "../catalog/catalog.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { freezeData } from "./freeze-data.ts"
import { planShape } from "./shapes/plan-shape.ts"

/** Freezes a plan and the catalog that it is proven with, and checks the plan's shape. */
export function checkData(plan: ReleasePlan, catalog: Catalog): void {
  freezeData(plan)
  freezeData(catalog)
  planShape.check(plan, "the plan")
}
