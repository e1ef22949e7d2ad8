// The engine: a policy, its data, its ledger, and questions.

import { systemBits, type RandomBits } from "@dosimeter/core"
import {
  loadGrammar,
  planWorkload,
  type Ask,
  type Compiled,
  type CompileOptions,
  type Constant,
  type Grammar,
  type Policy,
  type PreparedTable,
  type Workload,
  type WorkloadQuestion,
} from "@dosimeter/sql"
import { randomUUID } from "node:crypto"
import { duckdbBackend } from "./backend/duckdb-backend.ts"
import {
  datasetAccount,
  explainCompiled,
  explainLearning,
  recordOfExplanation,
  type Explained,
} from "./execute/explain-question.ts"
import { checkRoom } from "./execute/check-room.ts"
import {
  firstStage,
  learnBounds,
  planLearning,
  type LearningPlan,
  type LearntBounds,
} from "./execute/learn-bounds.ts"
import { checkConsentOf, ConsentWalks, type ConsentSource } from "./execute/consent-walk.ts"
import { CompileOnce } from "./execute/compile-once.ts"
import { runQuery, type Asker, type Recorded, type Walk } from "./execute/run-query.ts"
import { runWorkload, type WorkloadAnswer } from "./execute/run-workload.ts"
import { seriesCommands, type SeriesCommands } from "./series-commands.ts"
import { inSlots } from "./execute/slots.ts"
import type { Ledger } from "./ledger/ledger.ts"
import { openLedger } from "./open-ledger.ts"
import { openDataset, type DatasetOptions } from "./prepare/open-dataset.ts"

/** Where a dataset is, and how it is asked. */
export interface EngineOptions extends DatasetOptions {
  /** A question that takes longer is stopped: in place of the policy's resources. */
  readonly timeoutMs?: number
  /** Whether missing copies are made on opening: always (the default), or never. */
  readonly prepare?: "always" | "never"
  /** Where people's decisions are kept; nothing is answered without it where the policy asks for consent. */
  readonly consent?: ConsentSource
  /** For tests only. */
  readonly rng?: RandomBits
}

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
  readonly mayUse?: NonNullable<Walk["mayUse"]>
  /** Whether earlier releases answer: where they are as good (the default), whenever they can, never. */
  readonly reuse?: NonNullable<Asker["reuse"]>
  readonly signal?: AbortSignal
  /** Told where the charge stands, before anything is read. It must not throw. */
  readonly onCharged?: NonNullable<Asker["onCharged"]>
}

/** A workload is asked as a question is, without parameters; all of it has one allowance. */
export type WorkloadOptions = Omit<QuestionOptions, "parameters" | "reuse">

/** An answer, and the bounds that were learnt for it. */
export interface Answered extends Recorded {
  readonly learnt?: readonly LearntBounds[]
}

/** An engine over one dataset. */
export interface Engine {
  readonly policy: Policy
  readonly ledger: Ledger
  /** Copies that `dosimeter prepare` would make, so that questions are answered faster. */
  readonly unprepared: readonly string[]
  explain(sql: string, options?: QuestionOptions): Promise<Explained>
  ask(sql: string, options?: QuestionOptions): Promise<Answered>
  /** Plans several questions together, at no cost. */
  plan(questions: readonly WorkloadQuestion[], options?: WorkloadOptions): Promise<Workload>
  /** Releases a planned workload under one charge. */
  release(workload: Workload, options?: WorkloadOptions): Promise<WorkloadAnswer>
  /** Makes a series, releases the next periods of one, or shows it. */
  readonly series: SeriesCommands
  /** The dataset's account. */
  account(): ReturnType<typeof datasetAccount>
  close(): Promise<void>
}

/** Opens a dataset: reads its policy against its source, checks its keys, opens its ledger. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { prepare = "always", rng = systemBits() } = options
  const { policy, version, state, opened, prepared, missing } = await openDataset({ ...options, prepare })
  const { timeoutMs = policy.resources.seconds * 1000 } = options
  const { folder, store } = options
  const ledger = await openLedger(policy, { folder, state, ...(store === undefined ? {} : { store }) })
  await openAccounts(ledger, policy)
  const grammar = await loadGrammar()
  const backend = duckdbBackend(opened, { timeoutMs })
  const walk: Walk = { policy, backend, ledger, version, rng }
  const consent = new ConsentWalks(backend, options.consent)
  const besides = { grammar, prepared, once: new CompileOnce() }
  const under = async <Result>(
    { purposes, mayUse }: QuestionOptions,
    work: (walk: Walk) => Promise<Result>,
  ): Promise<Result> => consent.run({ ...walk, ...(mayUse === undefined ? {} : { mayUse }) }, purposes, work)
  return {
    policy,
    ledger,
    unprepared: missing,
    explain: async (sql, question = {}) => {
      const { purposes, mayUse } = question
      const own = await consent.explaining({ ...walk, ...(mayUse === undefined ? {} : { mayUse }) }, purposes)
      return explainQuestion({ ...besides, walk: own, sql, question })
    },
    ask: (sql, question = {}) =>
      under(question, (own) => askQuestion({ ...besides, walk: own, sql, question })),
    plan: async (questions, { ask = {}, purposes } = {}) => {
      const own = await consent.explaining(walk, purposes)
      return planWorkload(questions, { ...own.policy, grammar, ask, prepared })
    },
    release: (workload, question = {}) =>
      under(question, (own) => {
        checkConsentOf(workload, own)
        return inSlots(policy.terms.slotMs, () => runWorkload(workload, own, askerOf(question)))
      }),
    series: seriesCommands({ walk, grammar }),
    account: () => datasetAccount(ledger),
    close: async () => {
      backend.close()
      await ledger.close()
    },
  }
}

async function openAccounts(ledger: Ledger, { terms, limits }: Policy): Promise<void> {
  await ledger.openAccount("dataset", terms.budget)
  for (const { name, budget } of limits.studies) await ledger.openAccount(`study:${name}`, budget)
  for (const { name, budget } of limits.analysts) await ledger.openAccount(`analyst:${name}`, budget)
}

interface Asked {
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

/** Where bounds are learnt first, that is explained: the question itself is planned with what it tells. */
async function explainQuestion(asked: Asked): Promise<Explained> {
  const options = compileOptions(asked)
  const learning = planLearning(asked.sql, options)
  const { walk, question } = asked
  if (learning !== undefined) return explainLearning(learning, walk, question.reuse)
  return explainCompiled(asked.once.compile(asked.sql, options), walk, question.reuse)
}

async function askQuestion(asked: Asked): Promise<Answered> {
  const { sql, walk } = asked
  const options = compileOptions(asked)
  const plan = planLearning(sql, options)
  if (plan !== undefined) return plan.isExplain ? explainedAnswer(asked) : askLearning(plan, asked)
  const compiled = asked.once.compile(sql, options)
  if (compiled.isExplain) return explainedAnswer(asked)
  const asker = askerOf(asked.question)
  return inSlots(walk.policy.terms.slotMs, () => runQuery(compiled, walk, asker))
}

async function explainedAnswer(asked: Asked): Promise<Recorded> {
  return recordOfExplanation(await explainQuestion(asked))
}

/** Each stage is a request of its own: sent again, all of them are answered from the record. */
async function askLearning(plan: LearningPlan, asked: Asked): Promise<Answered> {
  const { sql, walk } = asked
  const asker = askerOf(asked.question)
  let stage = 0
  const run = async (compiled: Compiled): Promise<Recorded> => {
    stage += 1
    const requestId = `${asker.requestId} stage ${stage}`
    return inSlots(walk.policy.terms.slotMs, () => runQuery(compiled, walk, { ...asker, requestId }))
  }
  await checkRoom({ first: firstStage(plan)?.plan, whole: plan.trial.plan }, walk, asker)
  const { compiled, learnt } = await learnBounds(sql, compileOptions(asked), { plan, run })
  const answer = await inSlots(walk.policy.terms.slotMs, () => runQuery(compiled, walk, asker))
  return { ...answer, learnt }
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
  } = question
  return {
    principal,
    requestId,
    accounts,
    ...(study === undefined ? {} : { study }),
    ...(reuse === undefined ? {} : { reuse }),
    ...(signal === undefined ? {} : { signal }),
    ...(onCharged === undefined ? {} : { onCharged }),
  }
}
