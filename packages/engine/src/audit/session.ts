// One ledger in memory over an open dataset. It keeps every rule of the ledger in a file (limits, charges
// before reading, re-use of answers), and is gone when nothing holds it any more.

import { usedOf } from "@dosimeter/core/accounting"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { askingOver, type AskedOf, type EngineOptions } from "../engine.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openAccounts } from "../lineage/open-accounts.ts"
import { outcomeOf, type Outcome } from "./outcome.ts"
import { statedOf, type Stated } from "./stated.ts"

/** A ledger of its own: questions after one another, until the budget is spent. */
export interface AuditSession {
  /** Asks, and charges this session. The same question again gets the recorded answer, free. */
  ask(sql: string, options?: QuestionOptions): Promise<Outcome>
  /** What is stated about a question. Free. */
  state(sql: string, options?: QuestionOptions): Promise<Stated>
  /** The share of the budget that this session has spent, from 0 to 1. */
  spent(): Promise<number>
}

/** Begins one with the whole budget of the policy. */
export async function beginSession(
  over: Omit<AskedOf, "ledger">,
  options: Pick<EngineOptions, "consent" | "rng">,
): Promise<AuditSession> {
  const { policy } = over.dataset
  const ledger = await openMemoryLedger({ dataset: policy.dataset })
  await openAccounts(ledger, policy)
  const asking = await askingOver({ ...over, ledger }, options)
  return {
    ask: (sql, question = {}) => outcomeOf(asking.ask(sql, question)),
    state: async (sql, question = {}) => statedOf(await asking.explain(sql, question)),
    spent: async () => usedOf(await asking.account()).share,
  }
}
