// Sites of a federation whose numbers are seen without their noise, for tests: what a site sends, less what
// one with no rows sends from the same bits. And what is read from such numbers.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnswerValue } from "@dosimeter/answers/shown/answer-table"
import { seededBits } from "@dosimeter/core/testing"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { answerOf } from "../answer/answer.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { noisyTables, postProcessTables } from "../answer/post-process.ts"
import { FederatedJob, type JobRequest, type StudyOptions } from "../federation/coordinator.ts"
import { Signer } from "../federation/signing.ts"
import { FederatedSite } from "../federation/site.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { rowsOfSum } from "../release/release-shares.ts"
import { makeDuckdb } from "./make-duckdb.ts"

/** What these sites are asked with. */
export const exactAsk: JobRequest["ask"] = {
  epsilon: "1",
  delta: "1/100000000",
  confidence: "19/20",
  groupsPerUnit: "1",
  rowsPerGroup: "1",
  shownFrom: "0",
}

const now = new Date("2026-11-19T10:00:00.000Z")
const inHours = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString()

/** Databases of sites under one policy. */
export class ExactSites {
  readonly study: StudyOptions
  readonly #folder: string
  readonly #datasets: readonly Dataset[]

  private constructor(study: StudyOptions, folder: string, datasets: readonly Dataset[]) {
    this.study = study
    this.#folder = folder
    this.#datasets = datasets
  }

  /** Opens a database for each script; the policy's source is `data.duckdb`. The last one has no rows. */
  static async open(policy: string, scripts: readonly string[]): Promise<ExactSites> {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-exact-"))
    const datasets: Dataset[] = []
    for (const script of scripts) {
      const own = mkdtempSync(join(folder, "site-"))
      await makeDuckdb(join(own, "data.duckdb"), script)
      datasets.push(await openDataset({ policy, folder: own, prepare: "never" }))
    }
    const study = { policy: readPolicy(policy), grammar: await loadGrammar(), signer: Signer.make() }
    return new ExactSites(study, folder, datasets)
  }

  async close(): Promise<void> {
    for (const { backend } of this.#datasets) await backend.close()
    rmSync(this.#folder, { recursive: true })
  }

  /** The exact numbers of one site. */
  async numbersAt(place: number, sql: string): Promise<readonly bigint[]> {
    const seed = `${place} ${sql}`
    const nobody = this.#datasets.length - 1
    const [numbers, noise] = [await this.#sentAt(place, sql, seed), await this.#sentAt(nobody, sql, seed)]
    if (numbers.length !== noise.length) throw new Error("sites send vectors of different lengths")
    return numbers.map((number, index) => number - (noise[index] ?? 0n))
  }

  /** What several sites add up. */
  async pooled(places: readonly number[], sql: string): Promise<readonly bigint[]> {
    const [first = [], ...others] = await Promise.all(places.map((place) => this.numbersAt(place, sql)))
    return first.map((number, index) => others.reduce((sum, own) => sum + (own[index] ?? 0n), number))
  }

  /** What a site sends of a question where every site adds all of the noise, drawn from bits of this seed. */
  async #sentAt(place: number, sql: string, seed: string): Promise<readonly bigint[]> {
    const dataset = this.#datasets[place]
    if (dataset === undefined) throw new Error("there is no such site")
    const { policy, backend, version } = dataset
    const own = Signer.make()
    const job = FederatedJob.create(
      this.study,
      {
        study: "pooled",
        purpose: "to compare",
        sql,
        sites: [{ name: "one", key: own.publicKey }],
        mode: "separate",
        ask: exactAsk,
        deadlines: { approval: inHours(1), stepSeconds: 3600, end: inHours(9) },
      },
      now,
    )
    const ledger = await openMemoryLedger({ dataset: policy.dataset })
    await ledger.openAccount("dataset", policy.terms.budget)
    const site = new FederatedSite({
      name: "one",
      signer: own,
      coordinator: this.study.signer.publicKey,
      study: "pooled",
      peers: () => [],
      policy,
      backend,
      ledger,
      version,
      grammar: this.study.grammar,
      rng: seededBits(seed),
      now: () => now,
    })
    const offer = await site.offer(job.document)
    const [, sent] = await site.approve(offer.job, "committee")
    const { numbers = [] }: { readonly numbers?: readonly string[] } = JSON.parse(JSON.stringify(sent?.body))
    return numbers.map(BigInt)
  }
}

/** The values of the answer, as one site's numbers would give it. */
export function answerOfNumbers(
  planned: VerifiedPlan,
  numbers: readonly bigint[],
): readonly (readonly AnswerValue[])[] {
  const { plan, rows } = rowsOfSum(planned, { numbers, honest: 1, survivors: 1 })
  const table = postProcessTables(plan, noisyTables(plan, rows, new DrawNumbers()), new Map())
  return answerOf(table, plan).rows.map((row) => row.map(({ value }) => value))
}
