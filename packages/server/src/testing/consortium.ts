// A coordinator behind a real port and nodes that dial it, for tests. The site of each node answers jobs by
// signed letters without reading any data: what is tested is the way of letters, not what they say.

import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  decodeJob,
  jobId,
  sealed,
  signJob,
  type Envelope,
  type JobDocument,
  type JobOffer,
  type SignedJob,
  type Signer,
  type SiteEnd,
} from "@dosimeter/engine"
import { openCoordinatorDoor } from "../doors/http/open-coordinator-door.ts"
import type { HttpServer } from "../doors/http/http-server.ts"
import { Coordinator } from "../federation/coordinator/coordinator.ts"
import { siteBell } from "../federation/coordinator/desk.ts"
import { letterTo } from "../federation/mail/envelope-letter.ts"
import { keepLetters } from "../federation/mail/letters.ts"
import { CoordinatorLine } from "../federation/node/coordinator-line.ts"
import { Dialler } from "../federation/node/dialler.ts"
import type { Route } from "../federation/node/https-client.ts"
import { join as joinStudy } from "../federation/node/membership.ts"
import { NodeWork } from "../federation/node/work.ts"
import { openKeyFile } from "../federation/wire/identity.ts"
import { readInvitation } from "../federation/wire/invitation.ts"
import { Accounts } from "../people/accounts.ts"
import { Sessions } from "../people/sessions.ts"
import { Tokens } from "../people/tokens.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"

/** Pauses that fit a test. */
export const quick = { first: 20, most: 100, look: 20 }

/** A coordinator with a port. */
export class CoordinatorLab {
  readonly store: StateStore
  readonly signer: Signer
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  coordinator: Coordinator
  readonly #folder: string | undefined
  #door: HttpServer | undefined
  #port = 0

  constructor(
    tls?: { readonly cert: string; readonly key: string },
    own?: { readonly store: StateStore; readonly signer: Signer },
  ) {
    const folder = own === undefined ? mkdtempSync(join(tmpdir(), "dosimeter-coordinator-")) : undefined
    this.tls = tls
    this.#folder = folder
    this.store = own?.store ?? openSqliteState(join(folder ?? "", "server.state"))
    this.signer = own?.signer ?? openKeyFile(join(folder ?? "", "coordinator.key"))
    this.coordinator = this.#make()
  }

  #make(): Coordinator {
    return new Coordinator({ store: this.store, signer: this.signer, study: "heart" })
  }

  get url(): string {
    return `${this.tls === undefined ? "http" : "https"}://localhost:${this.#port}`
  }

  /** Opens the port: the one that it had before, after the first time. */
  async open(): Promise<void> {
    this.coordinator = this.#make()
    const { store } = this
    this.#door = await openCoordinatorDoor({
      desk: this.coordinator.desk,
      people: { accounts: new Accounts(store), sessions: new Sessions(store), tokens: new Tokens(store) },
      host: "localhost",
      port: this.#port,
      requestsPerMinute: 1_000_000,
      patience: { headersTimeout: 600_000, requestTimeout: 600_000, handshakeTimeout: 600_000 },
      ...(this.tls === undefined ? {} : { tls: this.tls }),
    })
    this.#port = this.#door.port
  }

  /** Closes the port, as a coordinator that is stopped does. */
  async shut(): Promise<void> {
    this.coordinator.close()
    await this.#door?.close()
  }

  async close(): Promise<void> {
    await this.shut()
    if (this.#folder === undefined) return
    await this.store.close()
    rmSync(this.#folder, { recursive: true })
  }

  /** A signed job for sites. */
  document(
    sites: readonly Pick<NodeLab, "name" | "signer">[],
    sql: string,
  ): { readonly job: string; readonly document: SignedJob } {
    const document = signJob(documentOf(sites, this.signer.publicKey, sql), this.signer)
    return { job: jobId(document.document), document }
  }

  /** Offers a job to sites, and lays letters ready. */
  async offer(sites: readonly NodeLab[], sql = "SELECT COUNT(*) FROM person"): Promise<string> {
    const { job, document } = this.document(sites, sql)
    for (const { name } of sites) {
      await this.say({ job, step: "job", from: "coordinator", to: name, sequence: 0, body: document })
    }
    return job
  }

  /** Signs a letter to a site and lays it ready. */
  async say(message: Omit<Envelope, "signature">): Promise<void> {
    const letter = letterTo(sealed(message, this.signer))
    const at = new Date().toISOString()
    await this.store.transaction((access) => keepLetters(access, "out", [letter], at))
    this.coordinator.bells.ring(siteBell(message.to))
  }

  /** Letters that came: of whom, and which step. */
  async came(): Promise<readonly string[]> {
    const rows = await this.store.all(
      "SELECT peer, step FROM federation_letters WHERE box = 'in' ORDER BY position",
    )
    return rows.map(({ peer, step }) => `${String(peer)} ${String(step)}`)
  }
}

/** A node with its state in a folder. */
export class NodeLab {
  readonly name: string
  readonly route: Route
  readonly folder: string
  readonly store: StateStore
  readonly signer: Signer
  readonly notes: string[] = []
  #stop: AbortController | undefined
  #running: Promise<void> | undefined

  constructor(name: string, route: Route = {}) {
    this.name = name
    this.route = route
    this.folder = mkdtempSync(join(tmpdir(), `dosimeter-node-${name}-`))
    this.store = openSqliteState(join(this.folder, "server.state"))
    this.signer = openKeyFile(join(this.folder, "node.key"))
  }

  line(lab: CoordinatorLab, url = lab.url): CoordinatorLine {
    const { signer, route, name: site } = this
    return new CoordinatorLine({ url, coordinator: lab.signer.publicKey, site, signer, route })
  }

  async join(lab: CoordinatorLab): Promise<void> {
    const text = await lab.coordinator.invite(this.name, { url: lab.url, by: "lead" })
    const { store, signer } = this
    const line = this.line(lab)
    await joinStudy(store, { invitation: readInvitation(text), signer, line, by: "olga" })
  }

  start(lab: CoordinatorLab): void {
    const { store } = this
    const note = (line: string): void => void this.notes.push(line)
    const work = new NodeWork({ store, note, site: new LetterSite(this.name, this.signer) })
    this.#stop = new AbortController()
    this.#running = new Dialler({
      store,
      line: this.line(lab),
      work: async () => work.step(),
      note,
      pauses: quick,
    }).run(this.#stop.signal)
  }

  async stop(): Promise<void> {
    this.#stop?.abort()
    await this.#running
  }

  async close(): Promise<void> {
    await this.stop()
    await this.store.close()
    rmSync(this.folder, { recursive: true })
  }
}

/** Answers jobs with letters, and any other message with its own size. */
export class LetterSite implements SiteEnd {
  readonly name: string
  readonly #signer: Signer
  readonly #documents = new Map<string, JobDocument>()

  constructor(name: string, signer: Signer) {
    this.name = name
    this.#signer = signer
  }

  async offer(job: unknown): Promise<JobOffer> {
    const { document } = decodeJob(job)
    const id = jobId(document)
    this.#documents.set(id, document)
    return {
      job: id,
      document,
      words: ["It counts, and the sum leaves."],
      facts: { numbers: 1, unit: "patient" },
      charge: document.loss,
      epsilon: "0.1",
      delta: "0",
      columns: [],
    }
  }

  /** What a job asks. */
  sqlOf(job: string): string {
    return this.#documents.get(job)?.sql ?? ""
  }

  async approve(job: string, by: string): Promise<readonly Envelope[]> {
    return [this.#say(job, { step: "approve", sequence: 0, body: { by } })]
  }

  async refuse(job: string, by: string, why: string): Promise<readonly Envelope[]> {
    return [this.#say(job, { step: "refuse", sequence: 0, body: { by, why } })]
  }

  async receive({ job, sequence, body }: Envelope): Promise<readonly Envelope[]> {
    // As long as what came, so that long letters go both ways, and the same for the same letter.
    const long = typeof body === "string" ? body.length : 0
    const hash = createHash("sha256").update(JSON.stringify(body)).digest("hex")
    const text = hash.repeat(Math.ceil(long / 64)).slice(0, long)
    return [this.#say(job, { step: "echo", sequence: sequence + 1, body: text })]
  }

  async advance(): Promise<void> {
    // Nothing of a job is kept here that could be over.
  }

  result(): undefined {
    return undefined
  }

  #say(job: string, said: Pick<Envelope, "step" | "sequence" | "body">): Envelope {
    return sealed({ job, from: this.name, to: "coordinator", ...said }, this.#signer)
  }
}

function documentOf(
  sites: readonly Pick<NodeLab, "name" | "signer">[],
  coordinator: string,
  sql: string,
): JobDocument {
  const now = Date.now()
  const later = (ms: number): string => new Date(now + ms).toISOString()
  return {
    format: "dosimeter-job/1",
    study: "heart",
    purpose: "How many are there?",
    sql,
    ask: {
      epsilon: "1/10",
      delta: "1/1000000000",
      confidence: "19/20",
      groupsPerUnit: "1",
      rowsPerGroup: "1",
      shownFrom: "0",
    },
    loss: { accounting: "zcdp", amount: "1/100", delta: "0" },
    layout: "0".repeat(64),
    mode: sites.length < 3 ? "separate" : "summed",
    sites: sites.map(({ name, signer }) => ({ name, key: signer.publicKey })),
    threshold: sites.length,
    honest: sites.length < 3 ? 1 : 2,
    colluding: sites.length < 3 ? 0 : 1,
    coordinator,
    created: later(0),
    deadlines: { approval: later(600_000), stepSeconds: 60, end: later(1_200_000) },
    nonce: createHash("sha256")
      .update(`${now} ${Math.trunc(performance.now() * 1e6)}`)
      .digest("hex"),
  }
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await sleep(15)
}
