// The engine: a policy, its data, its ledger, and questions.

import { join } from "node:path"
import { systemBits, type RandomBits } from "@dosimeter/core"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import type { Workload, WorkloadQuestion } from "@dosimeter/planner/workload/plan-workload"
import type { Policy } from "@dosimeter/policy/file/policy"
import { alone } from "./dataset/file-lock.ts"
import type { AnswerColumn } from "@dosimeter/answers/shown/answer-table"
import { datasetAccount, type Explained } from "./ask/explain-question.ts"
import {
  askerOf,
  askQuestion,
  columnsOfQuestion,
  explainQuestion,
  type Answered,
  type QuestionOptions,
} from "./ask/ask-question.ts"
import { checkConsentOf, ConsentWalks, type ConsentSource } from "./ask/consent-walk.ts"
import { CompileOnce } from "./ask/compile-once.ts"
import type { Walk } from "./ask/run-query.ts"
import { planTogether } from "./ask/plan-together.ts"
import { runWorkload } from "./ask/run-workload.ts"
import type { WorkloadAnswer } from "./record/recorded.ts"
import { memoryFiles } from "./series/series-memory.ts"
import { seriesCommands, type SeriesCommands } from "./series/series-commands.ts"
import { inSlots } from "./ask/slots.ts"
import type { Ledger } from "./ledger/ledger.ts"
import { openPolicyLedger, type PolicyLedger } from "./lineage/open-accounts.ts"
import { FederatedSite, type SiteOptions } from "./federation/site.ts"
import { syntheticCommands, type SyntheticCommands } from "./synthetic/synthetic-commands.ts"
import { trainingCommands, type TrainingCommands } from "./training/training-commands.ts"
import { openDataset, type Dataset, type DatasetOptions } from "./prepare/open-dataset.ts"

/** Where a dataset is, and how it is asked. */
export interface EngineOptions extends DatasetOptions {
  /** Whether missing copies are made on opening: always (the default), or never. */
  readonly prepare?: "always" | "never"
  /** Where people's decisions are kept; nothing is answered without it where the policy asks for consent. */
  readonly consent?: ConsentSource
  /** Opens a dataset whose ledger is refused, too: it can be read and decided about, not charged. */
  readonly held?: boolean
  /** What remembers a ledger of the dataset besides its files, in a sentence. */
  readonly remembers?: () => Promise<string | undefined>
  /** For tests only. */
  readonly rng?: RandomBits
}

/** A workload is asked as a question is, without parameters; all of it has one allowance. */
export type WorkloadOptions = Omit<QuestionOptions, "parameters" | "reuse">

/** How a dataset is asked. */
export interface Asking {
  readonly policy: Policy
  /** Copies that `dosimeter prepare` would make, so that questions are answered faster. */
  readonly unprepared: readonly string[]
  explain(sql: string, options?: QuestionOptions): Promise<Explained>
  /** The columns of an answer, before it is asked. Reads no data and looks nothing up. */
  columns(sql: string, options?: QuestionOptions): Promise<readonly AnswerColumn[]>
  ask(sql: string, options?: QuestionOptions): Promise<Answered>
  /** Plans several questions together, at no cost. */
  plan(questions: readonly WorkloadQuestion[], options?: WorkloadOptions): Promise<Workload>
  /** Releases a planned workload under one charge. */
  release(workload: Workload, options?: WorkloadOptions): Promise<WorkloadAnswer>
  /** Makes a series, releases the next periods of one, or shows it. */
  readonly series: SeriesCommands
  /** Synthetic rows. */
  readonly synthetic: SyntheticCommands
  /** Models whose fit costs a stated loss. */
  readonly training: TrainingCommands
  /** The dataset's account. */
  account(): ReturnType<typeof datasetAccount>
}

/** How a dataset is enrolled, its views of the study's tables, and what it asks of every sum. */
export type EnrolledAs = Pick<
  SiteOptions,
  "name" | "signer" | "coordinator" | "study" | "peers" | "views" | "floor"
>

/** An engine over one dataset. */
export interface Engine extends PolicyLedger, Asking {
  /** This dataset as a site of a federation, under the name and key with which it is enrolled. */
  site(enrolled: EnrolledAs): Promise<FederatedSite>
  close(): Promise<void>
}

/** Opens a dataset: reads its policy against its source, checks its keys, opens its ledger. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { prepare = "always" } = options
  const dataset = await openDataset({ ...options, prepare })
  const { state, backend, hasOrphans } = dataset
  const { folder, store, remembers, held = false } = options
  const kept = await openPolicyLedger(dataset.policy, {
    folder,
    state,
    held,
    hasOrphans,
    ...(store === undefined ? {} : { store }),
    ...(remembers === undefined ? {} : { remembers }),
  })
  const { ledger, policy } = kept
  const asking = await askingOver({ dataset: { ...dataset, policy }, ledger }, options)
  const sites: FederatedSite[] = []
  return {
    ...kept,
    ...asking,
    site: async (enrolled) => {
      const { rng = systemBits() } = options
      const own = { policy, backend, ledger, version: dataset.version, rng, now: () => new Date() }
      const site = new FederatedSite({ ...enrolled, ...own, grammar: await loadGrammar() })
      await site.settleLeft()
      sites.push(site)
      return site
    },
    close: async () => {
      for (const site of sites) await site.close()
      await backend.close()
      await ledger.close()
    },
  }
}

/** What questions are asked of: a dataset that is open, and a ledger with its accounts. */
export interface AskedOf {
  readonly dataset: Dataset
  readonly ledger: Ledger
  /** Plans that were made before, where several ledgers are asked about one dataset. */
  readonly once?: CompileOnce
}

/** The ways to ask a dataset that is open. */
export async function askingOver(
  { dataset, ledger, once = new CompileOnce() }: AskedOf,
  options: Pick<EngineOptions, "consent" | "rng">,
): Promise<Asking> {
  const { policy, version, state, backend, prepared, missing } = dataset
  const { rng = systemBits() } = options
  const grammar = await loadGrammar()
  const walk: Walk = { policy, backend, ledger, version, rng, mayUse: async () => true }
  const consent = new ConsentWalks(backend, options.consent)
  const besides = { grammar, prepared, once }
  const under = async <Result>(
    { purposes, mayUse }: QuestionOptions,
    work: (walk: Walk) => Promise<Result>,
  ): Promise<Result> => consent.run({ ...walk, ...(mayUse === undefined ? {} : { mayUse }) }, purposes, work)
  return {
    policy,
    unprepared: missing,
    explain: async (sql, question = {}) => {
      const { purposes, mayUse } = question
      const own = await consent.explaining({ ...walk, ...(mayUse === undefined ? {} : { mayUse }) }, purposes)
      return explainQuestion({ ...besides, walk: own, sql, question })
    },
    columns: async (sql, question = {}) => {
      const own = await consent.explaining(walk, question.purposes)
      return columnsOfQuestion({ ...besides, walk: own, sql, question })
    },
    ask: (sql, question = {}) =>
      under(question, (own) => askQuestion({ ...besides, walk: own, sql, question })),
    plan: async (questions, { ask = {}, purposes, mayUse } = {}) => {
      const own = await consent.explaining({ ...walk, ...(mayUse === undefined ? {} : { mayUse }) }, purposes)
      return planTogether(questions, { ...own.policy, grammar, ask, prepared }, own)
    },
    release: (workload, question = {}) =>
      under(question, (own) => {
        checkConsentOf(workload, own)
        return inSlots(policy.terms.slotMs, () => runWorkload(workload, own, askerOf(question)))
      }),
    series: seriesCommands({
      walk,
      grammar,
      memories: memoryFiles(join(state, `${policy.dataset}.series`), alone),
    }),
    synthetic: syntheticCommands(walk, consent, { grammar, prepared }),
    training: trainingCommands(walk, consent, { grammar, prepared }),
    account: () => datasetAccount(ledger),
  }
}
