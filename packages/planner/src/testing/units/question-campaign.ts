// Generated questions over a generated dataset, each with every person taken out or replaced: what was asked,
// and what does not hold.

import { DosimeterError, rational } from "@dosimeter/core"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { randomQuestion } from "../random/random-question.ts"
import { randomDataset } from "../random/random-tables.ts"
import {
  closeDataset,
  isTooLong,
  learntOrRefusal,
  loadDataset,
  planOrRefusal,
  removeEachUnit,
} from "./remove-each-unit.ts"
import type { Policy } from "@dosimeter/policy/file/policy"
import { brokenClaimsOf } from "@dosimeter/proof/testing/second-way/plan-claims"
import { everyone } from "./test-database.ts"
import { tightPolicy } from "../random/tight-policy.ts"

/** What to ask. */
export interface Campaign {
  readonly seed: string
  readonly grammar: Grammar
  /** How many questions must be accepted; four times as many are tried. */
  readonly accepted: number
  /** Also hold every claim about every column of every relation of a plan against the table. */
  readonly claims: boolean
  /** Called with every accepted plan. */
  readonly cover: (plan: ReleasePlan) => void
}

/** What came of it. */
export interface CampaignOutcome {
  readonly accepted: number
  readonly refused: number
  /** In words, with the question. */
  readonly problems: readonly string[]
  readonly reached: readonly string[]
}

/** Asks the questions of a seed. */
export async function askQuestions(campaign: Campaign): Promise<CampaignOutcome> {
  const { seed, grammar } = campaign
  const dataset = randomDataset(seed)
  const policy = tightPolicy(dataset)
  const loaded = await loadDataset(dataset)
  const problems: string[] = []
  const reached: string[] = []
  let [accepted, refused] = [0, 0]
  try {
    for (let place = 0; accepted < campaign.accepted && place < 4 * campaign.accepted; place += 1) {
      const sql = randomQuestion(dataset, `${seed}, question ${place}`)
      const keep = (broken: readonly string[]): void => {
        if (broken.length > 0) problems.push(`question ${place}: ${broken.slice(0, 3).join("; ")}\n  ${sql}`)
      }
      try {
        const plan = planAt(place, sql, { policy, grammar })
        if (plan instanceof DosimeterError) {
          refused += 1
          continue
        }
        accepted += 1
        campaign.cover(plan)
        const outcome = await removeEachUnit(plan, loaded, dataset.owners)
        reached.push(...outcome.reached)
        keep(outcome.broken)
        if (campaign.claims) {
          keep(await brokenClaimsOf(plan, async (text) => loaded.ordered.columns(text, everyone)))
        }
      } catch (error) {
        if (isTooLong(error)) refused += 1
        else keep([String(error)])
      }
    }
  } finally {
    closeDataset(loaded)
  }
  return { accepted, refused, problems, reached }
}

// Every other one reads keys and COUNT(*) from one number, where it can; every fourth has a norm as if it had
// been learnt, from a quarter of a row to 16 rows long.
function planAt(
  place: number,
  sql: string,
  { policy, grammar }: { readonly policy: Policy; readonly grammar: Grammar },
): ReleasePlan | DosimeterError {
  const quarters = 2n ** BigInt(Math.floor(place / 4) % 7)
  if (place % 4 === 3) return learntOrRefusal(sql, policy, { grammar, bound: rational(quarters, 4n) })
  return planOrRefusal(sql, policy, grammar, place % 2 === 0 ? { keys: "counts" } : {})
}
