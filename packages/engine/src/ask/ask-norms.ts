// A question whose norm is learnt, asked: its ladders first, from the record where they are there, then the
// question itself with the norm that they tell.

import { showParameter } from "@dosimeter/core/exact"
import type { CompileOptions } from "@dosimeter/planner/compile"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { checkRoom } from "./check-room.ts"
import { explainCompiled, isAnswered, type Explained } from "./explain-question.ts"
import type { LearntAnswer } from "./learn-bounds.ts"
import { withNorms, type AnsweredLadder, type NormedQuestion, type NormLearning } from "./learn-norms.ts"
import type { Question } from "../ledger/ledger.ts"
import { ladderOfStage, ladderOnRecord } from "./ladder-record.ts"
import { oneAtATime } from "./one-at-a-time.ts"
import { runQuery, type Asker, type Walk } from "./run-query.ts"
import type { Recorded } from "../record/recorded.ts"
import type { ReuseMode } from "../record/reuse.ts"
import { planHash } from "../release/plan-hash.ts"
import { printed } from "../release/printed-plan.ts"
import { inSlots } from "./slots.ts"
import { checkStage } from "./stage-source.ts"

/** A question, and how it is compiled. */
export interface NormQuestion {
  readonly sql: string
  readonly options: CompileOptions
  readonly learning: NormLearning
}

/**
 * Asks it. Each ladder is a request of its own: sent again, all of it is answered from the record. Of several
 * who ask it at once the first pays, for ladders and answer.
 */
export async function askNorms(question: NormQuestion, walk: Walk, asker: Asker): Promise<LearntAnswer> {
  // When held work ends, and how, is told to nobody.
  if (asker.held === true) return askInTurn(question, walk, asker)
  const { planHash: hash, dataVersion } = questionOf(question.learning.trial, walk)
  return oneAtATime(
    walk.ledger,
    { planHash: `ladders and ${hash}`, dataVersion },
    {
      answer: async () => askInTurn(question, walk, asker),
      again: async () => askNorms(question, walk, asker),
    },
  )
}

// The ladders, then the question.
async function askInTurn(question: NormQuestion, walk: Walk, asker: Asker): Promise<LearntAnswer> {
  const { learning } = question
  const { slotMs } = walk.policy.terms
  // What cannot be written is refused before the first ladder is charged; a norm is only a constant in it.
  printed(learning.trial.plan, walk.backend)
  await checkRoom({ first: learning.ladders[0]?.ladder.plan, whole: learning.trial.plan }, walk, asker)
  const answered: AnsweredLadder[] = []
  const stages: Recorded[] = []
  for (const [place, ladder] of learning.ladders.entries()) {
    const requestId = `${asker.requestId} ladder ${place + 1}`
    const run = async (reuse: ReuseMode): Promise<Recorded> => {
      const stage = { ...asker, requestId, reuse }
      const recorded = await inSlots(slotMs, () => runQuery(ladder.ladder, walk, stage))
      await checkStage(recorded, walk, asker.study)
      return recorded
    }
    // An earlier ladder serves, however little was paid for it, if enough can be seen in it.
    const earlier = await run(asker.reuse === "never" ? "never" : "always")
    const known = await ladderOfStage(ladder.ladder, earlier, walk)
    const isOfUse = earlier.origin !== "reused" || known !== undefined
    const recorded = isOfUse ? earlier : await run("auto")
    const read = isOfUse ? known : await ladderOfStage(ladder.ladder, recorded, walk)
    stages.push(recorded)
    answered.push({ ladder, read, isPaid: await isOwnCharge(recorded, { ...asker, requestId }, walk) })
  }
  const { compiled, norms } = await bestOf(question, answered, { walk, reuse: asker.reuse })
  const answer = await inSlots(slotMs, () => runQuery(compiled, walk, asker))
  // An answer of the record may be of another norm, which its own receipt tells.
  if (answer.origin === "reused" && stages.every(({ origin }) => origin !== "released"))
    return { ...answer, learnt: [] }
  if (norms.length === 0) return { ...answer, learnt: [], unread: stages }
  return {
    ...answer,
    learnt: norms.map(({ label, high }) => ({ label, low: 0, high, stages, isNorm: true })),
  }
}

/** Whether a ladder was paid for by this request, now or when it was sent before. */
async function isOwnCharge(
  { origin, charge }: Recorded,
  { principal, requestId }: Asker,
  { ledger }: Pick<Walk, "ledger">,
): Promise<boolean> {
  if (origin === "released") return true
  if (origin !== "recorded" || charge === undefined) return false
  const [found] = await ledger.entries(charge, 1)
  return (
    found?.entry.kind === "charge" &&
    found.entry.principal === principal &&
    found.entry.requestId === requestId
  )
}

/**
 * The question with what is left after the ladders that it paid for. Where it paid for none: as it was asked
 * when somebody paid for them, if that is on record and costs nothing, also where it waits for an approval;
 * else with its whole loss.
 */
async function bestOf(
  { sql, options, learning }: NormQuestion,
  answered: readonly AnsweredLadder[],
  { walk, reuse }: { readonly walk: Walk; readonly reuse: ReuseMode | undefined },
): Promise<NormedQuestion> {
  const own = withNorms(sql, options, learning, { answered, cost: "paid" })
  if (answered.every(({ isPaid }) => isPaid) || reuse === "never") return own
  if (await isAnswered(own.compiled, walk, reuse)) return own
  const before = withNorms(sql, options, learning, { answered, cost: "all" })
  if (await isAnswered(before.compiled, walk, reuse)) return before
  for (const asked of [own, before]) {
    if ((await walk.ledger.find(questionOf(asked.compiled, walk))) !== undefined) return asked
  }
  return own
}

function questionOf({ plan }: Pick<NormedQuestion["compiled"], "plan">, { version }: Walk): Question {
  return { planHash: planHash(plan), dataVersion: version.name }
}

/** The question as it would be asked now; undefined if a ladder must be paid for first. */
async function normsOnRecord(
  question: NormQuestion,
  walk: Walk,
  reuse: ReuseMode = "auto",
): Promise<NormedQuestion | undefined> {
  const answered: AnsweredLadder[] = []
  for (const ladder of question.learning.ladders) {
    const read = reuse === "never" ? undefined : await ladderOnRecord(ladder.ladder, walk)
    if (read === undefined) return undefined
    answered.push({ ladder, read, isPaid: false })
  }
  return bestOf(question, answered, { walk, reuse })
}

/** What would be asked: the question itself where its ladders are on record, else these first. */
export async function explainNorms(
  question: NormQuestion,
  walk: Walk,
  reuse?: ReuseMode,
): Promise<Explained> {
  const onRecord = await normsOnRecord(question, walk, reuse)
  if (onRecord === undefined) return explainLadders(question.learning, walk, reuse)
  const { isExplain } = onRecord.compiled
  return { ...(await explainCompiled(onRecord.compiled, walk, { reuse })), isExplain }
}

/** What would be asked where the norm is learnt first: ladders, then the question with what they leave. */
async function explainLadders(
  { ladders, trial, rest, aim }: NormLearning,
  walk: Walk,
  reuse?: ReuseMode,
): Promise<Explained> {
  const explained = await explainCompiled(trial, walk, { reuse })
  const printedLadders = ladders.flatMap(({ ladder }) => printPlan(ladder.plan, walk.backend.dialect))
  const shares = ladders.map(({ share }) => showParameter(share)).join(" and ")
  const norm = [
    `norm        learnt first: a ladder counts each ${trial.plan.unitName} by the length of all that it adds, for ${shares} of the loss`,
    `            then the question with about epsilon ${showParameter(rest.epsilon)}, with the norm that the ladder tells (${aim}), not the one above`,
    "            a ladder is paid for once: later questions about these numbers have it free",
  ]
  return {
    ...explained,
    isExplain: trial.isExplain,
    isFree: false,
    learnsFirst: true,
    sql: [...printedLadders.map(({ text }) => text), ...explained.sql],
    text: [explained.text, norm.join("\n")].join("\n"),
  }
}
