// What stands beside an answer that cost nothing: from which releases its numbers come.

import type { KeptScale } from "@dosimeter/answers/reuse/kept-facts"
import { showNumber } from "@dosimeter/planner/explain/words/show-number"
import type { FreeReceipt } from "@dosimeter/answers/shown/receipt"
import type { DataVersion } from "../dataset/data-version.ts"
import { boundingTexts, type ReceiptBounding } from "../receipts/receipt.ts"
import { keptScaledTexts } from "../receipts/scaled-texts.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { planHash } from "../release/plan-hash.ts"
import type { Found, QuestionPlan } from "./reuse.ts"

// The norm of the earlier release, which may be another than this question would have.
function scaleOf(scale: KeptScale | undefined): Pick<ReceiptBounding, "norm" | "scaledTo"> {
  const scaledTo = scale === undefined ? undefined : keptScaledTexts(scale)
  if (scale === undefined || scaledTo === undefined) return {}
  const kind = scale.norm === "l1" ? "a sum" : "a length"
  const words = `${kind} of ${scaledTo.norms.map((one) => showNumber(Number(one))).join(" and ")}`
  const norm = scale.beyond === undefined ? words : `${words} (learnt)`
  return { norm, scaledTo }
}

/** What stands in place of a receipt: no charge, and where the numbers come from. */
export function freeReceipt(
  { plan }: QuestionPlan,
  {
    found,
    from,
    ledger,
    version,
  }: {
    readonly found: Found
    readonly from: readonly bigint[]
    /** Where they are. */
    readonly ledger: { readonly id: string }
    readonly version: DataVersion
  },
): FreeReceipt {
  const { dataset, unit, neighbours, public: shown, notes, library, consent } = receiptFacts(plan)
  const sources = found.flatMap((release) => release?.chosen?.sources ?? [])
  const differences = found.flatMap((release) => release?.chosen?.differences ?? [])
  // In the order of its text, as every receipt is.
  return {
    bounding: sources.map(({ table: { facts } }) =>
      boundingTexts({
        ...facts,
        ...scaleOf(facts.scaled),
        ...(facts.cutsGroups ? {} : { groupsProof: "no group is dropped" }),
        ...(facts.oneRow ? { rowsProof: `a ${unit} has one row in a group` } : {}),
      }),
    ),
    ...(consent === undefined ? {} : { consent }),
    dataVersion: version.name,
    dataset,
    delta: "0",
    differences: [...new Set(differences)],
    epsilon: "0",
    format: "dosimeter-free/1",
    from: from.map((position) => `${ledger.id}/${position}`),
    library,
    neighbours,
    notes,
    planHash: planHash(plan),
    public: shown,
    unit,
  }
}
