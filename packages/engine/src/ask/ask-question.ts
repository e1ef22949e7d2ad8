// One question, explained or asked: as it is, or after the stages that learn its bounds.

import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Compiled, CompileOptions } from "@dosimeter/planner/compile"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { randomUUID } from "node:crypto"
import { answerColumns } from "../answer/answer.ts"
import { askNorms, explainNorms } from "./ask-norms.ts"
import type { CompileOnce } from "./compile-once.ts"
import {
  explainCompiled,
  explanationColumns,
  recordOfExplanation,
  type Explained,
} from "./explain-question.ts"
import { askBounds } from "./ask-bounds.ts"
import { explainBounds } from "./explain-bounds.ts"
import { planLearning, type LearntAnswer } from "./learn-bounds.ts"
import { learningOf } from "./learning-of.ts"
import { compileWithNorms, leftOutNotes, recordedNorms, type KnownNorms } from "./recorded-norms.ts"
import { runQuery, type Asker, type Walk } from "./run-query.ts"
import type { Recorded } from "../record/recorded.ts"
import { inSlots } from "./slots.ts"

/** A question. */
export interface QuestionOptions {
  readonly ask?: Ask
  readonly parameters?: readonly Constant[]
  readonly principal?: string
  readonly requestId?: string
  readonly accounts?: Asker["accounts"]
  readonly study?: string
  /** What the answer is for, as codes: needed where people decide that. */
  readonly purposes?: readonly string[]
  /** Whether the release of a charge may be worked with; all may, if nothing is said. */
  readonly mayUse?: Walk["mayUse"]
  /** Whether the answer waits for an approval: then nobody who asks is told if it failed. */
  readonly held?: boolean
  /** Whether earlier releases answer: where they are as good (the default), whenever they can, never. */
  readonly reuse?: NonNullable<Asker["reuse"]>
  /** Nothing is learnt first: norms are these, or those of ladders on record. */
  readonly norms?: "recorded" | KnownNorms
  readonly signal?: AbortSignal
  /** Told where the charge stands, before anything is read. It must not throw. */
  readonly onCharged?: NonNullable<Asker["onCharged"]>
}

/** An answer, and what was asked before it to learn bounds. */
export interface Answered extends Recorded, Partial<Pick<LearntAnswer, "learnt" | "unread">> {}

/** A question, and what it is asked of. */
export interface Asked {
  readonly sql: string
  readonly question: QuestionOptions
  readonly walk: Walk
  readonly grammar: Grammar
  readonly prepared: readonly PreparedTable[]
  readonly once: CompileOnce
}

function compileOptions({ question, walk, grammar, prepared }: Asked): CompileOptions {
  const { catalog, terms } = walk.policy
  const { ask = {}, parameters = [] } = question
  return { grammar, catalog, terms, ask, parameters, prepared }
}

/**
 * Where bounds are learnt first, the stages that learn them are explained: the question itself is planned
 * with their results.
 */
export async function explainQuestion(asked: Asked): Promise<Explained> {
  const options = compileOptions(asked)
  const { walk, question, sql } = asked
  const known = await knownNorms(asked)
  if (known !== undefined) {
    const compiled = compileWithNorms(sql, options, known)
    const { isExplain } = compiled
    return { ...(await explained(asked, compiled)), isExplain, norms: known }
  }
  const { norms, bounds } = learningOf(sql, options)
  if (bounds !== undefined) return explainBounds({ bounds, norms }, walk, question.reuse)
  if (norms !== undefined) return explainNorms({ sql, options, learning: norms }, walk, question.reuse)
  const compiled = asked.once.compile(sql, options)
  const { isExplain } = compiled
  return { ...(await explained(asked, compiled)), isExplain }
}

async function explained(asked: Asked, compiled: Compiled): Promise<Omit<Explained, "isExplain">> {
  const { sql, walk, question } = asked
  // Whoever knows the norms already plans the stages of an answer.
  const isStage = question.norms !== undefined && question.norms !== "recorded"
  const { plan } = compiled
  const notes = isStage ? [] : await leftOutNotes(sql, compileOptions(asked), { plan, walk })
  return explainCompiled(compiled, walk, { reuse: question.reuse, notes })
}

/** The columns of its answer; whatever bounds are learnt, they are the same. */
export function columnsOfQuestion(asked: Asked): Explained["columns"] {
  const options = compileOptions(asked)
  const { plan, isExplain } =
    planLearning(asked.sql, options)?.trial ?? asked.once.compile(asked.sql, options)
  return isExplain ? explanationColumns : answerColumns(plan)
}

/** Asks it: what is learnt first is paid for from the same allowance. */
export async function askQuestion(asked: Asked): Promise<Answered> {
  const { sql, walk } = asked
  const options = compileOptions(asked)
  const known = await knownNorms(asked)
  if (known !== undefined) return askWithNorms(asked, known)
  const { norms, bounds } = learningOf(sql, options)
  const compiled = bounds?.trial ?? norms?.trial ?? asked.once.compile(sql, options)
  if (compiled.isExplain) return recordOfExplanation(await explainQuestion(asked))
  const asker = askerOf(asked.question)
  if (bounds !== undefined) return askBounds({ sql, options, bounds, norms }, walk, asker)
  if (norms !== undefined) return askNorms({ sql, options, learning: norms }, walk, asker)
  return inSlots(walk.policy.terms.slotMs, () => runQuery(compiled, walk, asker))
}

async function knownNorms(asked: Asked): Promise<KnownNorms | undefined> {
  const { norms } = asked.question
  return norms === "recorded" ? recordedNorms(asked.sql, compileOptions(asked), asked.walk) : norms
}

async function askWithNorms(asked: Asked, norms: KnownNorms): Promise<Answered> {
  const { sql, walk } = asked
  const compiled = compileWithNorms(sql, compileOptions(asked), norms)
  if (compiled.isExplain) return recordOfExplanation(await explainQuestion(asked))
  return inSlots(walk.policy.terms.slotMs, () => runQuery(compiled, walk, askerOf(asked.question)))
}

/** Who asks, as the walk needs it. */
export function askerOf(question: QuestionOptions): Asker {
  const {
    principal = "owner",
    requestId = randomUUID(),
    accounts = [],
    study,
    signal,
    reuse,
    onCharged,
    held,
  } = question
  return {
    principal,
    requestId,
    accounts,
    ...(study === undefined ? {} : { study }),
    ...(held === undefined ? {} : { held }),
    ...(reuse === undefined ? {} : { reuse }),
    ...(signal === undefined ? {} : { signal }),
    ...(onCharged === undefined ? {} : { onCharged }),
  }
}
