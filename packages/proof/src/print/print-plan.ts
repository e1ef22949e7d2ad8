// The SQL of a proven plan.

import { assert } from "@dosimeter/core/errors"
import type { Dialect } from "../dialects/dialect.ts"
import { isVerified, type VerifiedPlan } from "../verify/verify.ts"
import { printRel, type SqlText } from "./print.ts"

/** The SQL of every table that a plan reads, in order: releases, and their extracts. */
export function printPlan(plan: VerifiedPlan, dialect: Dialect): readonly SqlText[] {
  assert(isVerified(plan), "only proven plans are printed")
  return plan.releases.flatMap(({ extracts }) => extracts.map(({ rel }) => printRel(rel, dialect)))
}
