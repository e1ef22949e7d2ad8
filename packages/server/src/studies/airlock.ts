// The airlock of a study: its releases are paid for and recorded, and leave when somebody outside of it has
// looked at them. Until then nothing is worked out from them, for anybody. A release without an approval
// waits, so that none gets out if the server ends between its charge and its entry here.

import type { RecordedAnswer } from "@dosimeter/answers/shown/answer-text"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { answerOfRelease, receiptOfRelease, type Answered, type Ledger } from "@dosimeter/engine"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { may } from "../people/roles.ts"
import { checkSeparate, decide } from "../people/separate-people.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import { oneRow, textOf, type StateAccess, type StateRow, type StateStore } from "../state/state-store.ts"
import type { Actor } from "./study-state.ts"

/** A release before, or after, somebody looked at it. */
export interface HeldRelease {
  readonly study: string
  /** The position of its charge in the ledger. */
  readonly charge: string
  readonly state: "waiting" | "approved" | "refused"
  readonly askedBy: string
  readonly askedAt: string
  /** As it was asked; the answer is in the ledger. */
  readonly question: string
  readonly reviewer: string | undefined
  readonly reasons: string | undefined
  readonly reviewedAt: string | undefined
}

/** A release as a reviewer sees it; both are undefined where nothing was released. */
export interface ShownRelease extends HeldRelease {
  readonly answer: RecordedAnswer | undefined
  readonly receipt: AnyReceipt | undefined
}

/** Which releases are held back, as it stood at one moment. */
export interface AirlockRules {
  /** Whether anything is held back at all. */
  readonly holds: boolean
  /** Whether a release may be worked with by anybody. */
  isOpen(charge: bigint): Promise<boolean>
  /** Whether a study has an airlock. */
  isAirlocked(study: string | undefined): boolean
}

/** What is needed of a ledger. */
export type AirlockLedger = Pick<Ledger, "entries" | "find" | "incidents">

/** The airlocks of a dataset's studies. */
export class Airlock {
  readonly #store: StateStore
  readonly #ledger: AirlockLedger
  readonly #now: () => Date
  /** The study of each charge; it never changes. */
  readonly #payers = new Map<bigint, string | undefined>()

  constructor(store: StateStore, ledger: AirlockLedger, now: () => Date = () => new Date()) {
    this.#store = store
    this.#ledger = ledger
    this.#now = now
  }

  /** What is held back now. Releases that come later, of studies with an airlock, are held back as well. */
  async rules(): Promise<AirlockRules> {
    const rows = await this.#store.all("SELECT study FROM study_terms WHERE airlock = 1")
    const studies = new Set(rows.map((row) => textOf(row, "study")))
    if (studies.size === 0) return noRules
    const approved = await this.#store.all("SELECT study, charge FROM airlock WHERE state = 'approved'")
    const open = new Set(approved.map((row) => `${textOf(row, "study")} ${textOf(row, "charge")}`))
    return {
      holds: true,
      isAirlocked: (study) => study !== undefined && studies.has(study),
      isOpen: async (charge) => {
        const payer = await this.#payer(charge)
        return payer === undefined || !studies.has(payer) || open.has(`${payer} ${charge}`)
      },
    }
  }

  /** Lets an answer pass, or refuses it with the number of the release that waits. */
  async check(
    answered: Pick<Answered, "charge" | "from">,
    asked: { readonly user: string; readonly study: string | undefined; readonly sql: string },
    rules: AirlockRules,
  ): Promise<void> {
    if (!rules.holds) return
    const { charge, from = [] } = answered
    for (const one of charge === undefined ? from : [charge, ...from]) {
      const payer = await this.#payer(one)
      const studies = new Set([payer, asked.study].filter((study) => rules.isAirlocked(study)))
      for (const study of studies) if (study !== undefined) await this.#check(study, one, asked)
    }
  }

  /** Those of all studies, or of one; the oldest first. */
  async list(study?: string): Promise<readonly HeldRelease[]> {
    const where = study === undefined ? "" : " WHERE study = ?"
    const values = study === undefined ? [] : [study]
    const sql = `SELECT * FROM airlock${where} ${asStored("asked_at, charge")}`
    const rows = await this.#store.all(sql, values)
    return rows.map(heldOf)
  }

  /** A release that is held, and its noisy answer as it would leave. */
  async show(charge: string, actor: Actor, study?: string): Promise<ShownRelease> {
    const held = await this.#require(this.#store, charge, study)
    await checkReviewer(this.#store, held.study, actor)
    const entry = await this.#entry(BigInt(charge))
    const found = entry === undefined ? undefined : await this.#ledger.find(entry)
    const release = `${found?.charge}` === charge ? found : undefined
    if (release === undefined) return { ...held, answer: undefined, receipt: undefined }
    return { ...held, answer: answerOfRelease(release), receipt: receiptOfRelease(release) }
  }

  /** The releases that failed after they were charged: reviewers know, whoever asked does not. */
  async failed(): Promise<ReadonlySet<string>> {
    return new Set((await this.#ledger.incidents()).map(({ charge }) => `${charge}`))
  }

  /**
   * A release is reviewed once: an approved one has left, and a refused one stays. Nothing of a study is
   * approved while an incident of it waits for the owner: from what is approved and what is not, the asker
   * could tell what failed.
   */
  async review(
    charge: string,
    review: { readonly decision: "approve" | "refuse"; readonly reasons: string; readonly study?: string },
    actor: Actor,
  ): Promise<void> {
    const { decision, reasons } = review
    if (reasons.trim() === "") fail("airlock/no-reasons", { release: charge })
    await decide(this.#store, { name: actor.name, about: `release ${charge}` }, async (access) => {
      const { study, state } = await this.#require(access, charge, review.study)
      await checkReviewer(access, study, actor)
      if (state !== "waiting") fail("airlock/decided", { release: charge, state })
      if (decision === "approve") await this.#checkIncidents(charge, study)
      const at = this.#now().toISOString()
      if (decision === "approve") {
        const members = await access.all("SELECT name FROM study_people WHERE study = ?", [study])
        const parts = members.map((row) => ({ name: textOf(row, "name"), at }))
        await checkSeparate(access, { name: actor.name, at }, parts)
      }
      const next = decision === "approve" ? "approved" : "refused"
      await access.run(
        "UPDATE airlock SET state = ?, reviewer = ?, reasons = ?, reviewed_at = ? WHERE study = ? AND charge = ?",
        [next, actor.name, reasons, at, study, charge],
      )
      const facts = { release: charge, decision, reasons }
      await record(access, { who: actor.name, what: "release-reviewed", about: `study ${study}`, facts }, at)
    })
  }

  async #check(
    study: string,
    charge: bigint,
    { user, sql }: { readonly user: string; readonly sql: string },
  ): Promise<void> {
    const release = `${charge}`
    const state = await this.#store.transaction(async (access) => {
      const row = await oneRow(access, "SELECT * FROM airlock WHERE study = ? AND charge = ?", [
        study,
        release,
      ])
      if (row !== undefined) return heldOf(row)
      const at = this.#now().toISOString()
      await access.run(
        `INSERT INTO airlock (study, charge, state, asked_by, asked_at, question, position)
         VALUES (?, ?, 'waiting', ?, ?, ?, ${nextPosition("airlock")})`,
        [study, release, user, at, sql],
      )
      await record(
        access,
        { who: user, what: "release-held", about: `study ${study}`, facts: { release } },
        at,
      )
      return undefined
    })
    if (state?.state === "refused") {
      fail("airlock/refused", { release, study, name: state.reviewer ?? "", reasons: state.reasons ?? "" })
    }
    if (state?.state !== "approved") fail("airlock/waiting", { release, study })
  }

  async #checkIncidents(release: string, study: string): Promise<void> {
    const incidents = await this.#ledger.incidents()
    if (incidents.some((one) => `${one.charge}` === release)) fail("airlock/nothing", { release })
    const [first] = incidents.filter((one) => one.study === study && one.isUntold && one.seen === undefined)
    if (first !== undefined) fail("airlock/incident", { study, position: `${first.position}` })
  }

  async #require(access: StateAccess, charge: string, study: string | undefined): Promise<HeldRelease> {
    const rows = await access.all("SELECT * FROM airlock WHERE charge = ? ORDER BY study", [charge])
    const held = rows.map(heldOf).filter((one) => study === undefined || one.study === study)
    const [first] = held
    if (first === undefined) return fail("airlock/unknown", { release: charge.slice(0, 40) })
    return held.find(({ state }) => state === "waiting") ?? first
  }

  /** The study that a charge was entered for. */
  async #payer(charge: bigint): Promise<string | undefined> {
    const known = this.#payers.get(charge)
    if (known !== undefined || this.#payers.has(charge)) return known
    const study = (await this.#entry(charge))?.study
    this.#payers.set(charge, study)
    return study
  }

  async #entry(charge: bigint): Promise<ChargeFacts | undefined> {
    const [found] = charge < 1n ? [] : await this.#ledger.entries(charge, 1)
    return found?.entry.kind === "charge" ? found.entry : undefined
  }
}

interface ChargeFacts {
  readonly planHash: string
  readonly dataVersion: string
  readonly study?: string
}

/** The rules where nothing is held back. */
export const noRules: AirlockRules = { holds: false, isOpen: async () => true, isAirlocked: () => false }

// Owner or committee, and nobody judges the releases of their own study.
async function checkReviewer(access: StateAccess, study: string, { name, role }: Actor): Promise<void> {
  const member = await oneRow(access, "SELECT name FROM study_people WHERE study = ? AND name = ?", [
    study,
    name,
  ])
  if (member !== undefined || (role !== "owner" && !may(role, "review"))) {
    fail("airlock/not-allowed", { name, study })
  }
}

function heldOf(row: StateRow): HeldRelease {
  const perhaps = (column: string): string | undefined => textOf(row, column) || undefined
  const state = textOf(row, "state")
  return {
    study: textOf(row, "study"),
    charge: textOf(row, "charge"),
    // What cannot be read is held back.
    state: state === "approved" || state === "refused" ? state : "waiting",
    askedBy: textOf(row, "asked_by"),
    askedAt: textOf(row, "asked_at"),
    question: textOf(row, "question"),
    reviewer: perhaps("reviewer"),
    reasons: perhaps("reasons"),
    reviewedAt: perhaps("reviewed_at"),
  }
}
