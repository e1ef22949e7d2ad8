// What the stages of a question are worked out from: nothing that waits for an approval elsewhere.

import { fail } from "../errors.ts"
import type { Walk } from "./run-query.ts"
import type { Recorded } from "../record/recorded.ts"

/**
 * Refuses to go on from a stage that is the record of an earlier release, where that release may not be
 * worked with. In its own study a stage may be: there the answer waits as well.
 */
export async function checkStage(
  { charge, from = [] }: Pick<Recorded, "charge" | "from">,
  { ledger, mayUse }: Pick<Walk, "ledger" | "mayUse">,
  study?: string,
): Promise<void> {
  for (const one of charge === undefined ? from : [charge, ...from]) {
    if (await mayUse(one)) continue
    const [found] = await ledger.entries(one, 1)
    const payer = found?.entry.kind === "charge" ? found.entry.study : undefined
    if (payer === undefined || payer !== study) fail("reuse/held", { position: `${one}` })
  }
}
