// A regression over sites in one process, for tests: each site has some of the rows of one list, messages
// are carried one by one, and what they say may be changed on the way.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { seededBits } from "@dosimeter/core/testing"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { FederatedJob, type JobRequest, type StudyOptions } from "../federation/coordinator.ts"
import type { Envelope } from "../federation/envelope.ts"
import { Signer } from "../federation/signing.ts"
import { FederatedSite } from "../federation/site.ts"
import type { Ledger } from "../ledger/ledger.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { exactAsk } from "./exact-sites.ts"
import { makeDuckdb } from "./make-duckdb.ts"

/** What each site has: SQL that makes its tables. */
export interface SitesOf {
  readonly policy: string
  readonly scripts: Readonly<Record<string, string>>
}

/** One site with its ledger. */
export interface ModelSite {
  readonly site: FederatedSite
  readonly ledger: Ledger
}

/** What comes out of a message on its way: itself, another one, or nothing. */
export type OnTheWay = (envelope: Envelope) => Envelope | undefined

const start = new Date("2026-11-19T10:00:00.000Z")
const later = (hours: number): Date => new Date(start.getTime() + hours * 3_600_000)

/** Sites of one study. */
export class ModelSites {
  readonly study: StudyOptions
  readonly coordinator: Signer
  readonly sites = new Map<string, ModelSite>()
  readonly #signers: ReadonlyMap<string, Signer>
  readonly #folder: string
  readonly #datasets: ReadonlyMap<string, Dataset>

  private constructor(folder: string, datasets: ReadonlyMap<string, Dataset>, study: StudyOptions) {
    this.study = study
    this.coordinator = study.signer
    this.#folder = folder
    this.#datasets = datasets
    this.#signers = new Map([...datasets.keys()].map((name) => [name, Signer.make()]))
  }

  static async open({ policy, scripts }: SitesOf): Promise<ModelSites> {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-model-"))
    const datasets = new Map<string, Dataset>()
    for (const [name, script] of Object.entries(scripts)) {
      const own = mkdtempSync(join(folder, "site-"))
      await makeDuckdb(join(own, "data.duckdb"), script)
      datasets.set(name, await openDataset({ policy, folder: own, prepare: "never" }))
    }
    const study = { policy: readPolicy(policy), grammar: await loadGrammar(), signer: Signer.make() }
    return new ModelSites(folder, datasets, study)
  }

  async close(): Promise<void> {
    for (const { backend } of this.#datasets.values()) await backend.close()
    rmSync(this.#folder, { recursive: true })
  }

  /** The sites of the study, with fresh ledgers; each draws from bits of its own name. */
  async begin(seed: string): Promise<void> {
    this.sites.clear()
    const peers = (): JobRequest["sites"] => this.#peers()
    for (const [name, { policy, backend, version }] of this.#datasets) {
      const ledger = await openMemoryLedger({ dataset: policy.dataset })
      await ledger.openAccount("dataset", policy.terms.budget)
      const site = new FederatedSite({
        name,
        study: "rings",
        signer: this.signerOf(name),
        coordinator: this.coordinator.publicKey,
        peers,
        policy,
        backend,
        ledger,
        version,
        grammar: this.study.grammar,
        rng: seededBits(`${seed} ${name}`),
        now: () => start,
      })
      this.sites.set(name, { site, ledger })
    }
  }

  signerOf(name: string): Signer {
    return this.#signers.get(name) ?? none()
  }

  at(name: string): ModelSite {
    return this.sites.get(name) ?? none()
  }

  /** A job for all of them. */
  job(more: Pick<JobRequest, "sql" | "model"> & Partial<JobRequest>): FederatedJob {
    return FederatedJob.create(
      this.study,
      {
        study: "rings",
        purpose: "to see it work",
        sites: this.#peers(),
        ask: exactAsk,
        deadlines: { approval: later(24).toISOString(), stepSeconds: 3600, end: later(900).toISOString() },
        ...more,
      },
      start,
    )
  }

  /** Everybody agrees, and messages are carried until the job is over or nothing moves any more. */
  async walk(job: FederatedJob, onTheWay: OnTheWay = (envelope) => envelope): Promise<void> {
    const queue: Envelope[] = [...job.invitations()]
    for (let hours = 1; hours < 800;) {
      const envelope = queue.shift()
      if (envelope === undefined) {
        const { phase } = job.state()
        if (phase === "answered" || phase === "failed") return
        queue.push(...job.advance(later(hours)))
        hours += 2
        continue
      }
      // What travels is text.
      const text: Envelope = JSON.parse(JSON.stringify(envelope))
      const arrived = onTheWay(text)
      if (arrived !== undefined) queue.push(...(await this.deliver(job, arrived)))
    }
    throw new Error("the job does not end")
  }

  /** Gives a message to whom it is for. */
  async deliver(job: FederatedJob, envelope: Envelope): Promise<readonly Envelope[]> {
    if (envelope.to === "coordinator") return job.receive(envelope)
    const { site } = this.at(envelope.to)
    if (envelope.step !== "job") return site.receive(envelope)
    const offer = await site.offer(envelope.body)
    return site.approve(offer.job, "committee")
  }

  #peers(): JobRequest["sites"] {
    return [...this.#signers].map(([name, { publicKey }]) => ({ name, key: publicKey }))
  }
}

function none(): never {
  throw new Error("there is no such site")
}
