// Synthetic rows of a dataset that is open: what they would cost, and their making.

import type { CompileOptions } from "@dosimeter/planner/compile"
import type { ConsentWalks } from "../ask/consent-walk.ts"
import { askerOf } from "../ask/ask-question.ts"
import { billedOf, type Walk } from "../ask/run-query.ts"
import { Bill } from "../release/bill.ts"
import { inSlots } from "../ask/slots.ts"
import { planSynthesis, type SyntheticPlan } from "./plan-synthesis.ts"
import { runSynthesis, type SyntheticRelease } from "./run-synthesis.ts"
import type { SyntheticQuestion } from "./synthetic-question.ts"

/** Synthetic rows. */
export interface SyntheticCommands {
  /** What they would cost and how good they would be; reads no data and costs nothing. */
  plan(question: SyntheticQuestion): Promise<SyntheticPlan>
  /** Whether that was measured already, so that it costs nothing. */
  isMeasured(question: SyntheticQuestion): Promise<boolean>
  /** Measures what they are made of, under one charge; the same question again costs nothing. */
  measure(question: SyntheticQuestion): Promise<SyntheticRelease>
}

/** The commands of a dataset. */
export function syntheticCommands(
  walk: Walk,
  consent: ConsentWalks,
  besides: Pick<CompileOptions, "grammar" | "prepared">,
): SyntheticCommands {
  const optionsOf = (question: SyntheticQuestion, own: Walk): Omit<CompileOptions, "parameters"> => ({
    ...besides,
    ...own.policy,
    ask: question.ask ?? {},
  })
  return {
    plan: async (question) => {
      const own = await consent.explaining(walk, question.purposes)
      return planSynthesis(question, optionsOf(question, own))
    },
    isMeasured: async (question) => {
      const own = await consent.explaining(walk, question.purposes)
      const { rule, charge } = planSynthesis(question, optionsOf(question, own))
      const found = await own.ledger.find(Bill.ofRounds(rule, charge, billedOf(own)).question)
      // Of what waits for an approval nobody is told whether there is anything.
      const { mayUse = own.mayUse } = question
      return found !== undefined && (await mayUse(found.charge))
    },
    measure: (question) =>
      consent.run(walk, question.purposes, async (own) => {
        const options = optionsOf(question, own)
        const plan = planSynthesis(question, options)
        const { onProgress } = question
        return inSlots(own.policy.terms.slotMs, () =>
          runSynthesis(plan, { walk: own, asker: askerOf(question), options, onProgress }),
        )
      }),
  }
}
