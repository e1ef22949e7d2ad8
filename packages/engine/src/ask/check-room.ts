// Whether a question of several stages fits before its first stage is paid: what is paid for should lead to
// an answer. Each stage is still charged by itself, so no budget is passed if others ask meanwhile.

import { compare } from "@dosimeter/core/exact"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { fail } from "../errors.ts"
import { showAccount, showCharge } from "../ledger/entries/account.ts"
import { planHash } from "../release/plan-hash.ts"
import type { Asker, Walk } from "./run-query.ts"

/**
 * Refuses where not all of it fits. Where the first stage is on record the others are likely to be, too, and
 * cost nothing.
 */
export async function checkRoom(
  { first, whole }: { readonly first: VerifiedPlan | undefined; readonly whole: VerifiedPlan },
  { ledger, version }: Pick<Walk, "ledger" | "version">,
  asker: Pick<Asker, "accounts">,
): Promise<void> {
  const key = first === undefined ? undefined : { planHash: planHash(first), dataVersion: version.name }
  if (key !== undefined && (await ledger.find(key)) !== undefined) return
  const names = new Set(["dataset", ...asker.accounts])
  const { charge } = whole
  const { accounting } = charge
  for (const { name, left } of await ledger.accounts()) {
    if (!names.has(name)) continue
    if (compare(charge.amount, left.amount) <= 0 && compare(charge.delta, left.delta) <= 0) continue
    fail("budget/exhausted", {
      account: showAccount(name),
      asked: showCharge(charge),
      left: showCharge({ accounting, ...left }),
    })
  }
}
