// The document of a job: all that a site must know to decide whether it takes part, signed by the
// coordinator. Its hash is the id of the job and is in every message, so nobody can be shown another one.

import { createHash } from "node:crypto"
import {
  listOf,
  objectOf,
  readText,
  Unreadable,
  withField,
  wordOf,
  type Read,
} from "@dosimeter/answers/shown/read-fields"
import { roundsMax, roundsMin } from "../training/training-question.ts"
import { fail } from "../errors.ts"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { coordinatorName, readHash, readName, textLike } from "./envelope.ts"
import { isPublicKey, isSigned, type Signer } from "./signing.ts"

/** How the numbers of sites are brought together. */
export const jobModes = ["summed", "separate"] as const

/**
 * "summed": the coordinator learns the sum over sites and nothing else of a site; the noise is shared between
 * them. "separate": each site adds all of the noise, and the coordinator sees the noisy numbers of each.
 */
export type JobMode = (typeof jobModes)[number]

/** Who may take part, and the key that its messages are signed with. */
export interface JobSite {
  readonly name: string
  readonly key: string
}

/** Regressions that sites fit together. */
export const jobModels = ["linear", "logistic", "poisson"] as const

/** A regression that a job fits: its rows are those of the job's SELECT, one for each unit. */
export interface JobModel {
  readonly kind: (typeof jobModels)[number]
  /** The column that is explained; all others explain it. */
  readonly target: string
  /** How often the gradient is added up. */
  readonly rounds: number
}

/** A job. */
export interface JobDocument {
  readonly format: "dosimeter-job/1"
  readonly study: string
  /** Why it is asked, in the words of the lead: shown to committees. */
  readonly purpose: string
  /** Over the tables of the study's catalog. */
  readonly sql: string
  /** Of a regression. Without it the question is answered by one sum. */
  readonly model?: JobModel
  /** What is spent on it, and how people are bounded: what each site plans it with. */
  readonly ask: JobAsk
  /** What is spent at each site, exactly: { accounting, amount, delta }. */
  readonly loss: JobLoss
  /** Hash of the layout of the plan: what each site's own plan must be. */
  readonly layout: string
  readonly mode: JobMode
  readonly sites: readonly JobSite[]
  /** Fewer sites give no answer. */
  readonly threshold: number
  /** How many shares of the noise nobody may know for the loss to hold; 1 for separate. */
  readonly honest: number
  /**
   * How many sites' shares of the noise are not counted on: sites that are in league, with the coordinator
   * or among themselves. At least 1 where numbers are summed: a site that takes part sees the answer, and can
   * take its own share off. 0 for separate.
   */
  readonly colluding: number
  readonly coordinator: string
  readonly created: string
  readonly deadlines: JobDeadlines
  /** Random: two jobs of one question are two jobs. */
  readonly nonce: string
}

/** What a question is planned with, as exact texts. */
export interface JobAsk {
  readonly epsilon: string
  readonly delta: string
  readonly confidence: string
  readonly groupsPerUnit: string
  readonly rowsPerGroup: string
  /** Counts below this, after noise, are not shown: 0 where all are. */
  readonly shownFrom: string
}

/** The loss at each site, in the measure of its account, as exact texts. */
export interface JobLoss {
  readonly accounting: "pure" | "zcdp"
  readonly amount: string
  readonly delta: string
}

/** Until when, as ISO times. */
export interface JobDeadlines {
  /** Sites approve or refuse. */
  readonly approval: string
  /** How long each step of the sum waits for sites, in seconds. */
  readonly stepSeconds: number
  /** Nothing of the job is accepted afterwards. */
  readonly end: string
}

/** A job with its coordinator's signature. */
export interface SignedJob {
  readonly document: JobDocument
  readonly signature: string
}

/** Most sites of a job. */
export const sitesMax = 100

const label = "dosimeter job 1"

/** The id of a job: a hash of all that it says. */
export function jobId(document: JobDocument): string {
  return createHash("sha256")
    .update(`${label}\n${canonicalJson(document)}`)
    .digest("hex")
}

/** Signs a job. */
export function signJob(document: JobDocument, signer: Signer): SignedJob {
  return { document, signature: signer.sign(label, document) }
}

/** Reads a job: whatever is not known, contradicts itself or is not signed by its coordinator is refused. */
export function decodeJob(value: unknown): SignedJob {
  const job = readOrFail(value)
  const { document, signature } = job
  const wrong = contradictionIn(document)
  if (wrong !== undefined) fail("federation/bad-message", { what: `is a job whose ${wrong}` })
  if (!isSigned(label, document, { publicKey: document.coordinator, signature })) {
    fail("federation/bad-message", { what: "is a job that its coordinator has not signed" })
  }
  return job
}

/**
 * Reads the job that has this id; refused where it is another one. What people read and agree to is the
 * document, and what is then done is found by the id.
 */
export function jobNamed(id: string, value: unknown): SignedJob {
  const job = decodeJob(value)
  if (jobId(job.document) !== id) fail("federation/bad-message", { what: "holds another job than it names" })
  return job
}

function readOrFail(value: unknown): SignedJob {
  try {
    return readSigned(value, "the job")
  } catch (error) {
    if (error instanceof Unreadable) return fail("federation/bad-message", { what: "is no job" })
    throw error
  }
}

/** Controls but tabs and ends of lines, and marks that turn the order of what is read around. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u

/** What is wrong with a job, in words that go on "whose ...". */
function contradictionIn(document: JobDocument): string | undefined {
  // People decide by what they read.
  const words = [document.study, document.purpose, document.sql, document.model?.target ?? ""]
  if (words.some((text) => unseen.test(text))) return "words have signs that nobody sees"
  const { sites, threshold, honest, colluding, mode, model, deadlines, created } = document
  const names = new Set(sites.map(({ name }) => name))
  const keys = new Set([document.coordinator, ...sites.map(({ key }) => key)])
  if (names.size !== sites.length || names.has(coordinatorName)) return "sites have equal names"
  if (keys.size !== sites.length + 1) return "sites have equal keys"
  if (sites.length > sitesMax) return `sites are more than ${sitesMax}`
  if (threshold > sites.length) return "threshold is above its number of sites"
  if (model !== undefined) {
    const { rounds } = model
    if (rounds < roundsMin || rounds > roundsMax) return `rounds are not ${roundsMin} to ${roundsMax}`
    // Each step of a fit follows from the sum of the one before.
    if (mode === "separate") return "model needs sums: at one site by itself it is trained there"
  }
  if (mode === "separate") {
    if (honest !== 1 || colluding !== 0 || threshold < 1) return "noise is not by site"
  } else {
    // A sum over two has no third to hide behind; two sets of survivors must have an honest site in common.
    if (sites.length < 3) return "sites are fewer than 3, which no sum can hide"
    if (2 * threshold <= sites.length + colluding) return "threshold lets two sets of sites be told apart"
    if (colluding < 1) return "noise is too small once a site takes its own share off"
    if (honest < 2 || honest + colluding > threshold) return "honest sites may be fewer than its noise needs"
  }
  const { epsilon, delta, confidence, groupsPerUnit, rowsPerGroup } = document.ask
  const amounts = [epsilon, delta, confidence].map(toNumber)
  if (amounts.some((amount) => !(amount > 0)) || amounts.slice(1).some((share) => share >= 1)) {
    return "epsilon, delta or confidence is out of range"
  }
  if (groupsPerUnit === "0" || rowsPerGroup === "0") return "bounds let nobody count"
  const times = [created, deadlines.approval, deadlines.end].map((text) => Date.parse(text))
  const [made = 0, approval = 0, end = 0] = times
  return made < approval && approval < end ? undefined : "deadlines are not in order"
}

function toNumber(amount: string): number {
  const [numerator = "0", denominator = "1"] = amount.split("/")
  return Number(numerator) / Number(denominator)
}

const readKey: Read<string> = (found, at) => {
  const text = readText(found, at)
  if (!isPublicKey(text)) throw new Unreadable(`${at} is no key`)
  return text
}

const readTime: Read<string> = (found, at) => {
  const text = readText(found, at)
  const time = new Date(text)
  if (Number.isNaN(time.getTime()) || time.toISOString() !== text) throw new Unreadable(`${at} is no time`)
  return text
}

/** A text with a limit. */
function textUpTo(most: number): Read<string> {
  return (found, at) => {
    const text = readText(found, at)
    if (text === "" || text.length > most) throw new Unreadable(`${at} is too short or too long`)
    return text
  }
}

function countUpTo(most: number): Read<number> {
  return (found, at) => {
    if (typeof found !== "number" || !Number.isInteger(found) || found < 0 || found > most) {
      throw new Unreadable(`${at} is no whole number in its range`)
    }
    return found
  }
}

const readAmount: Read<string> = textLike(/^(0|[1-9]\d{0,99})(\/[1-9]\d{0,99})?$/)

const readCount: Read<string> = textLike(/^(0|[1-9]\d{0,17})$/)

/** Reads what a model is. */
export const readModelOfJob: Read<JobModel> = objectOf(({ need }) => ({
  kind: need("kind", wordOf(...jobModels)),
  target: need("target", textUpTo(200)),
  rounds: need("rounds", countUpTo(roundsMax)),
}))

const readSigned: Read<SignedJob> = objectOf(({ need }) => ({
  document: need("document", readDocument),
  signature: need("signature", readText),
}))

const readDocument: Read<JobDocument> = objectOf(({ need, may }) => ({
  format: need("format", wordOf("dosimeter-job/1")),
  study: need("study", textUpTo(200)),
  purpose: need("purpose", textUpTo(4000)),
  sql: need("sql", textUpTo(100_000)),
  ...withField("model", may("model", readModelOfJob)),
  ask: need(
    "ask",
    objectOf((ask) => ({
      epsilon: ask.need("epsilon", readAmount),
      delta: ask.need("delta", readAmount),
      confidence: ask.need("confidence", readAmount),
      groupsPerUnit: ask.need("groupsPerUnit", readCount),
      rowsPerGroup: ask.need("rowsPerGroup", readCount),
      shownFrom: ask.need("shownFrom", readCount),
    })),
  ),
  loss: need(
    "loss",
    objectOf((loss) => ({
      accounting: loss.need("accounting", wordOf("pure", "zcdp")),
      amount: loss.need("amount", readAmount),
      delta: loss.need("delta", readAmount),
    })),
  ),
  layout: need("layout", readHash),
  mode: need("mode", wordOf(...jobModes)),
  sites: need(
    "sites",
    listOf(objectOf((site) => ({ name: site.need("name", readName), key: site.need("key", readKey) }))),
  ),
  threshold: need("threshold", countUpTo(sitesMax)),
  honest: need("honest", countUpTo(sitesMax)),
  colluding: need("colluding", countUpTo(sitesMax)),
  coordinator: need("coordinator", readKey),
  created: need("created", readTime),
  deadlines: need(
    "deadlines",
    objectOf((deadline) => ({
      approval: deadline.need("approval", readTime),
      stepSeconds: deadline.need("stepSeconds", countUpTo(31 * 24 * 3600)),
      end: deadline.need("end", readTime),
    })),
  ),
  nonce: need("nonce", readHash),
}))
