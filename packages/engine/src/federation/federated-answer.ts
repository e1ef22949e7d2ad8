// What the two ends of a job show: the offer to a site's committee, the state of a job to its lead, and the
// answer with its receipt. Plain data, the same for every door.

import type { AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { BoundingTexts, MechanismTexts } from "@dosimeter/answers/shown/receipt"
import type { ModelFile } from "../training/model-file.ts"
import type { JobDocument, JobLoss, JobMode, JobModel } from "./job.ts"

/** A job as a site sees it before it decides: nothing was charged and nothing was read. */
export interface JobOffer {
  readonly job: string
  readonly document: JobDocument
  /** In plain words: the question, the dose, what leaves, who sees it. */
  readonly words: readonly string[]
  /** What the words are made of, for other languages. */
  readonly facts: {
    readonly numbers: number
    readonly unit: string
    /** How many sums are made; one where nothing is said. */
    readonly rounds?: number
  }
  /** What approving it charges the site's own ledger. */
  readonly charge: JobLoss
  readonly epsilon: string
  readonly delta: string
  /** What is left in the dataset's account afterwards, in the words of the ledger; absent if too little. */
  readonly leaves?: string
  readonly columns: readonly AnswerColumn[]
}

/** How far a job has come at one site. */
export type SiteProgress = "waiting" | "approved" | "refused" | "summing" | "done" | "lost"

/** A job as its lead sees it. */
export interface JobState {
  readonly job: string
  readonly phase: "offered" | "summing" | "answered" | "failed"
  readonly sites: readonly {
    readonly name: string
    readonly progress: SiteProgress
    /** What a site has given as its reason. */
    readonly why?: string
  }[]
  /** How many sums are made in all, and how many were. */
  readonly rounds: { readonly done: number; readonly all: number }
  /** The step that is waited for, and until when. */
  readonly step?: string
  readonly until?: string
  /** Why there is no answer. */
  readonly why?: string
}

/** An epsilon at a delta, as exact texts, with whom it is against. */
export interface LossAgainst {
  readonly epsilon: string
  readonly delta: string
}

/** The receipt of a job. */
export interface FederatedReceipt {
  readonly format: "dosimeter-federated/1"
  readonly job: string
  readonly study: string
  readonly sql: string
  /** Of a regression. */
  readonly model?: JobModel
  readonly layout: string
  readonly mode: JobMode
  readonly unit: string
  readonly neighbours: "add-or-remove" | "replace"
  /** Charged at every site that took part. */
  readonly loss: JobLoss
  /** Against whoever sees the answer alone, */
  readonly toPublic: LossAgainst
  /** against a site that took part, knows its own share of the noise and is in league with so many others, */
  readonly toSite: LossAgainst & { readonly others: number }
  /** and against the coordinator with so many sites in league. */
  readonly toCoordinator: LossAgainst & { readonly colluding: number }
  /** Of a person who is a patient of so many sites: from 1 to all that took part. */
  readonly atSites: readonly (LossAgainst & { readonly sites: number })[]
  /** The sites whose numbers and noise are in the answer. */
  readonly survivors: readonly string[]
  readonly lost: readonly string[]
  readonly honest: number
  readonly mechanisms: readonly MechanismTexts[]
  readonly bounding: readonly BoundingTexts[]
  readonly public: readonly string[]
  readonly notes: readonly string[]
  readonly library: string
}

/** The answer of a job. */
export interface FederatedAnswer {
  readonly answer: AnswerTable
  readonly receipt: FederatedReceipt
  /** Of a regression, at the coordinator: the model, which predicts. */
  readonly model?: ModelFile
  /** Of a job in the mode "separate": what each site has answered by itself. */
  readonly bySite?: readonly { readonly site: string; readonly answer: AnswerTable }[]
}
