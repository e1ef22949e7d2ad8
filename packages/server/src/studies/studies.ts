// Studies as they are kept: proposed by analysts, reviewed by two of the committee, opened by the owner.
// Every change is a transaction with its entry in the audit trail.

import { exactly, showParameter } from "@dosimeter/core"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { purposeOf } from "./purposes.ts"
import { checkSeparate, decide, type Part } from "../people/separate-people.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import {
  numberOf,
  oneRow,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../state/state-store.ts"
import { sayView, voicesOf, type View, type Voice } from "./voices.ts"
import {
  checkMayAsk,
  checkMove,
  mayAsk,
  outcomeOf,
  type Actor,
  type StudyLife,
  type StudyState,
} from "./study-state.ts"

/** What is proposed. */
export interface StudyProposal {
  /** Lower-case letters, digits and dashes: the name of its account in the ledger, too. */
  readonly id: string
  readonly title: string
  /** In plain words, for everybody. */
  readonly summary: string
  /** Codes of the Data Use Ontology; at least one permission. */
  readonly purposes: readonly string[]
  /** Accounts. The one who proposes is always among them. */
  readonly people: readonly string[]
  /** Days, as 2026-01-31. */
  readonly starts: string
  readonly ends: string
  /** Its share of the dataset's budget, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
  /** Whether releases wait for an approval. */
  readonly airlock?: boolean | undefined
  /** The datasets that it is about; this one if nothing is said. */
  readonly datasets?: readonly string[] | undefined
}

/** A judgement. */
export interface Review {
  readonly reviewer: string
  readonly decision: "approve" | "refuse"
  readonly reasons: string
  readonly at: string
}

/** A study with all that happened to it. */
export interface Study extends StudyProposal, StudyLife {
  readonly airlock: boolean
  readonly datasets: readonly string[]
  readonly proposedBy: string
  readonly reviews: readonly Review[]
  /** What a community advisory board says of it. */
  readonly voices: readonly Voice[]
}

interface Move {
  readonly move: "submit" | "activate" | "close"
  readonly to: StudyState
  readonly what: string
  readonly before?: () => Promise<void>
}

/** The studies of a dataset. */
export class Studies {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  async propose(proposal: StudyProposal, actor: Actor): Promise<void> {
    if (actor.role !== "analyst" && actor.role !== "owner") {
      fail("study/not-allowed", { name: actor.name, move: "propose", study: proposal.id })
    }
    checkProposal(proposal)
    await this.#change(async (access, at) => {
      if ((await findStudy(access, proposal.id)) !== undefined) fail("study/exists", { study: proposal.id })
      const { id, title, summary, purposes, starts, ends, epsilon, delta } = proposal
      await access.run(
        `INSERT INTO studies (id, title, summary, purposes, starts, ends, epsilon, delta, state, suspended,
         proposed_by, created_at, position)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'draft', 0, ?, ?, ${nextPosition("studies")})`,
        [id, title, summary, purposes.join(" "), starts, ends, epsilon, delta, actor.name, at],
      )
      await writePeople(access, proposal, actor.name)
      await writeTerms(access, proposal)
      await record(access, deed(actor, "study-proposed", id, { epsilon, delta }), at)
    })
  }

  /** Changes a draft; what is not named stays. */
  async edit(id: string, changes: Partial<Omit<StudyProposal, "id">>, actor: Actor): Promise<void> {
    await this.#change(async (access, at) => {
      const study = await requireStudy(access, id)
      checkMove(study, "edit", actor)
      const next = { ...study, ...changes }
      checkProposal(next)
      const { title, summary, purposes, starts, ends, epsilon, delta } = next
      await access.run(
        `UPDATE studies SET title = ?, summary = ?, purposes = ?, starts = ?, ends = ?, epsilon = ?, delta = ?
         WHERE id = ?`,
        [title, summary, purposes.join(" "), starts, ends, epsilon, delta, id],
      )
      await access.run("DELETE FROM study_people WHERE study = ?", [id])
      await writePeople(access, next, study.proposedBy)
      await access.run("DELETE FROM study_terms WHERE study = ?", [id])
      await writeTerms(access, next)
      await record(access, deed(actor, "study-edited", id, { changed: Object.keys(changes).join(" ") }), at)
    })
  }

  async submit(id: string, actor: Actor): Promise<void> {
    await this.#move(id, actor, { move: "submit", to: "submitted", what: "study-submitted" })
  }

  /** One refusal is enough to refuse; two different people are needed to approve. */
  async review(id: string, review: Pick<Review, "decision" | "reasons">, actor: Actor): Promise<StudyState> {
    if (review.reasons.trim() === "") fail("study/no-reasons", { study: id })
    return decide(this.#store, aboutOf(actor, id), async (access) => {
      const at = this.#now().toISOString()
      const study = await requireStudy(access, id)
      checkMove(study, "review", actor)
      if (study.reviews.some(({ reviewer }) => reviewer === actor.name)) {
        fail("study/reviewed-already", { name: actor.name, study: id })
      }
      const { decision, reasons } = review
      if (decision === "approve") {
        const members = study.people.map((name) => ({ name, at }))
        await checkSeparate(access, { name: actor.name, at }, [...approvalsOf(study), ...members])
      }
      await access.run(
        `INSERT INTO reviews (study, reviewer, decision, reasons, at, position)
         VALUES (?, ?, ?, ?, ?, ${nextPosition("reviews")})`,
        [id, actor.name, decision, reasons, at],
      )
      const outcome = outcomeOf([...study.reviews, { reviewer: actor.name, decision }])
      await access.run("UPDATE studies SET state = ? WHERE id = ?", [outcome, id])
      await record(access, deed(actor, "study-reviewed", id, { decision, reasons, outcome }), at)
      return outcome
    })
  }

  /** A view of the community's board: advisory, so the study stays where it stands. */
  async voice(
    id: string,
    said: { readonly view: View; readonly comment: string },
    actor: Actor,
  ): Promise<void> {
    const study = await requireStudy(this.#store, id)
    await sayView(this.#store, { ...said, study }, { actor, at: this.#now().toISOString() })
  }

  /** Opens an approved study; `before` opens its account in the ledger, after the study was checked. */
  async activate(id: string, actor: Actor, before: () => Promise<void> = async () => {}): Promise<void> {
    await this.#move(id, actor, { move: "activate", to: "active", what: "study-activated", before })
  }

  /** The committee or the owner lets all releases wait; before the first question, and never taken back. */
  async demandAirlock(id: string, actor: Actor): Promise<void> {
    await this.#change(async (access, at) => {
      const study = await requireStudy(access, id)
      checkMove(study, "airlock", actor)
      await access.run("DELETE FROM study_terms WHERE study = ?", [id])
      await writeTerms(access, { ...study, airlock: true })
      await record(access, deed(actor, "study-airlocked", id, {}), at)
    })
  }

  async close(id: string, actor: Actor): Promise<void> {
    await this.#move(id, actor, { move: "close", to: "closed", what: "study-closed" })
  }

  /** Takes effect at once: the next question is refused. */
  async suspend(id: string, reasons: string, actor: Actor): Promise<void> {
    await this.#setSuspended(id, true, { reasons, actor })
  }

  async resume(id: string, reasons: string, actor: Actor): Promise<void> {
    await this.#setSuspended(id, false, { reasons, actor })
  }

  async find(id: string): Promise<Study | undefined> {
    return findStudy(this.#store, id)
  }

  async list(): Promise<readonly Study[]> {
    const rows = await this.#store.all(`SELECT id FROM studies ${asStored("created_at, id")}`)
    const found = await Promise.all(rows.map((row) => findStudy(this.#store, textOf(row, "id"))))
    return found.flatMap((study) => study ?? [])
  }

  /** The study that somebody may ask in today; refused otherwise. */
  async requireActive(id: string, actor: Actor): Promise<Study> {
    const study = await requireStudy(this.#store, id)
    checkMayAsk(study, actor, this.#now().toISOString().slice(0, 10))
    return study
  }

  /** The studies that somebody may ask in today. */
  async openTo(actor: Actor): Promise<readonly Study[]> {
    const day = this.#now().toISOString().slice(0, 10)
    return (await this.list()).filter((study) => mayAsk(study, actor, day))
  }

  async #move(id: string, actor: Actor, { move, to, what, before }: Move): Promise<void> {
    await decide(this.#store, aboutOf(actor, id), async (access) => {
      const at = this.#now().toISOString()
      const study = await requireStudy(access, id)
      checkMove(study, move, actor)
      if (move === "activate") await checkSeparate(access, { name: actor.name, at }, approvalsOf(study))
      await before?.()
      await access.run("UPDATE studies SET state = ? WHERE id = ?", [to, id])
      await record(access, deed(actor, what, id, {}), at)
    })
  }

  async #setSuspended(
    id: string,
    suspended: boolean,
    { reasons, actor }: { readonly reasons: string; readonly actor: Actor },
  ): Promise<void> {
    if (reasons.trim() === "") fail("study/no-reasons", { study: id })
    await this.#change(async (access, at) => {
      checkMove(await requireStudy(access, id), suspended ? "suspend" : "resume", actor)
      await access.run("UPDATE studies SET suspended = ? WHERE id = ?", [suspended ? 1 : 0, id])
      await record(access, deed(actor, suspended ? "study-suspended" : "study-resumed", id, { reasons }), at)
    })
  }

  #change<Result>(work: (access: StateAccess, at: string) => Promise<Result>): Promise<Result> {
    return this.#store.transaction((access) => work(access, this.#now().toISOString()))
  }
}

function aboutOf({ name }: Actor, study: string) {
  return { name, about: `study ${study}` }
}

function approvalsOf({ reviews }: Study): readonly Part[] {
  return reviews.flatMap(({ reviewer, decision, at }) =>
    decision === "approve" ? { name: reviewer, at } : [],
  )
}

function deed(actor: Actor, what: string, study: string, facts: Readonly<Record<string, string>>) {
  return { who: actor.name, what, about: `study ${study}`, facts }
}

function checkProposal(proposal: StudyProposal): void {
  const { id, title, purposes, starts, ends, epsilon, delta, datasets = [] } = proposal
  const wrong = (what: string): never => fail("study/bad-proposal", { study: id.slice(0, 80), what })
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(id)) wrong("its id is not of lower-case letters, digits and dashes")
  if (title.trim() === "") wrong("it has no title")
  const unknown = purposes.filter((code) => purposeOf(code) === undefined)
  if (unknown.length > 0) wrong(`${unknown.join(", ")} is no purpose`)
  if (!purposes.some((code) => purposeOf(code)?.kind === "permission")) wrong("it names no purpose")
  const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(Date.parse(day))
  if (!isDay(starts) || !isDay(ends) || ends < starts) wrong("its days are not two days in order")
  if (datasets.some((name) => !/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name)))
    wrong("a dataset has no such name")
  for (const [name, text] of [
    ["epsilon", epsilon],
    ["delta", delta],
  ] as const) {
    if (!/^\d{1,10}(\.\d{1,60})?(e-\d{1,2})?$/.test(text)) wrong(`${name} is not a number`)
  }
  if (showParameter(exactly(epsilon, "epsilon")) === "0") wrong("epsilon is 0")
}

// Whoever proposed it stays among them.
async function writePeople(
  access: StateAccess,
  { id, people }: Pick<StudyProposal, "id" | "people">,
  proposer: string,
): Promise<void> {
  for (const name of new Set([proposer, ...people])) {
    await access.run("INSERT INTO study_people (study, name) VALUES (?, ?)", [id, name])
  }
}

async function writeTerms(
  access: StateAccess,
  { id, airlock = false, datasets = [] }: StudyProposal,
): Promise<void> {
  await access.run("INSERT INTO study_terms (study, airlock, datasets) VALUES (?, ?, ?)", [
    id,
    airlock ? 1 : 0,
    datasets.join(" "),
  ])
}

async function requireStudy(access: StateAccess, id: string): Promise<Study> {
  return (await findStudy(access, id)) ?? fail("study/unknown", { study: id.slice(0, 80) })
}

async function findStudy(access: StateAccess, id: string): Promise<Study | undefined> {
  const row = await oneRow(access, "SELECT * FROM studies WHERE id = ?", [id])
  if (row === undefined) return undefined
  const people = await access.all("SELECT name FROM study_people WHERE study = ? ORDER BY name", [id])
  const reviews = await access.all(
    `SELECT reviewer, decision, reasons, at FROM reviews WHERE study = ? ${asStored("at, reviewer")}`,
    [id],
  )
  const terms = await oneRow(access, "SELECT airlock, datasets FROM study_terms WHERE study = ?", [id])
  const datasets = terms === undefined ? "" : textOf(terms, "datasets")
  return {
    id,
    airlock: terms !== undefined && numberOf(terms, "airlock") === 1,
    datasets: datasets === "" ? [] : datasets.split(" "),
    title: textOf(row, "title"),
    summary: textOf(row, "summary"),
    purposes: textOf(row, "purposes").split(" "),
    people: people.map((person) => textOf(person, "name")),
    starts: textOf(row, "starts"),
    ends: textOf(row, "ends"),
    epsilon: textOf(row, "epsilon"),
    delta: textOf(row, "delta"),
    state: stateOf(textOf(row, "state")),
    suspended: numberOf(row, "suspended") === 1,
    proposedBy: textOf(row, "proposed_by"),
    reviews: reviews.map(reviewOf),
    voices: await voicesOf(access, id),
  }
}

function reviewOf(row: StateRow): Review {
  const decision = textOf(row, "decision") === "approve" ? "approve" : "refuse"
  return {
    reviewer: textOf(row, "reviewer"),
    decision,
    reasons: textOf(row, "reasons"),
    at: textOf(row, "at"),
  }
}

/** What cannot be read is closed. */
function stateOf(text: string): StudyState {
  const states: readonly StudyState[] = ["draft", "submitted", "approved", "refused", "active", "closed"]
  return states.find((state) => state === text) ?? "closed"
}
