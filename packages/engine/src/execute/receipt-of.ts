// The receipt of a release: what was promised, in full, and nothing of the data.

import { showLoss, showParameter } from "@dosimeter/core"
import { explain, type VerifiedPlan } from "@dosimeter/sql"
import { canonicalJson } from "../ledger/canonical.ts"
import type { Question } from "../ledger/ledger.ts"

/** The receipt of a plan, as canonical JSON. */
export function receiptOf(plan: VerifiedPlan, question: Question): string {
  const { charge, releases } = plan
  const { tables, releases: explained, notes } = explain(plan)
  const shown = charge.shown
  return canonicalJson({
    ...question,
    unit: plan.unitName,
    neighbours: plan.neighbours,
    accounting: charge.accounting,
    loss: { amount: showParameter(charge.amount), delta: showParameter(charge.delta), shown: showLoss(shown) },
    epsilon: "epsilon" in shown ? showParameter(shown.epsilon) : null,
    delta: "delta" in shown ? showParameter(shown.delta) : "0",
    confidence: showParameter(plan.confidence),
    bounding: releases.map(({ bounds }) => ({
      groupsPerUnit: bounds.groupsPerUnit,
      rowsPerGroup: bounds.rowsPerGroup,
    })),
    mechanisms: explained.map(({ groups, bounding, measures }) => ({ groups, bounding, measures })),
    read: tables,
    reliesOn: plan.reliesOn,
    notes,
  })
}
