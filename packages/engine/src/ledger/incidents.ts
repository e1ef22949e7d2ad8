// Incidents: what failed after it was charged. Such a failure depends on the data and no noise hides it, so
// whoever could see it gets nothing more until the owner has looked. Part of the fold over a ledger's
// entries: every process and every door sees the same.

import type { FailureCause, ReopeningEntry } from "./entries/failure-entries.ts"
import type { ChargeEntry } from "./entries/entry.ts"
import { questionKey } from "./entries/entry-keys.ts"

/** Something that failed after it was charged, and whether the owner has looked at it. */
export interface Incident {
  /** Of the entry that tells of it: what an owner acknowledges. */
  readonly position: bigint
  readonly at: string
  /** The position of the charge. */
  readonly charge: bigint
  /** Unknown where the entry was made before causes were written down. */
  readonly cause: FailureCause | "unknown"
  readonly principal: string
  readonly planHash: string
  readonly study?: string
  /** Whether whoever asked was told that the answer waits for an approval, as of every answer there. */
  readonly isUntold: boolean
  /** Who has looked at it, and what they found. */
  readonly seen?: { readonly at: string; readonly by: readonly string[]; readonly why: string }
}

/** The incidents of a ledger. */
export class Incidents {
  readonly #all = new Map<bigint, Incident>()
  /** The charges that failed without the asker being told. */
  readonly #untold = new Set<bigint>()
  /** Of each question those that no owner has looked at, the first to fail first. */
  readonly #waiting = new Map<string, Set<bigint>>()

  /** In the order of the ledger. */
  get all(): readonly Incident[] {
    return [...this.#all.values()]
  }

  /**
   * The charge of a question that failed untold: asked again, it waits as an answer would. Of several, the
   * first that failed, as of several answers the first is found. When an owner has looked at it, the question
   * can be asked anew.
   */
  untold(question: { readonly planHash: string; readonly dataVersion: string }): bigint | undefined {
    const [first] = this.#waiting.get(questionKey(question)) ?? []
    return first
  }

  /** Whether a charge failed where nobody was told; who sends its request again is never told. */
  isUntold(charge: bigint): boolean {
    return this.#untold.has(charge)
  }

  /**
   * The incidents that close somebody's door: those that nobody has looked at, the oldest first.
   *
   * Guarantee: after a failure that somebody could tell from an answer, no charge is made in their name until
   *   an owner's entry says that the failure was looked at.
   * Needs: every charge passes here, in the transaction that enters it (proposeCharge); whoever settles says
   *   truly whether the failure was told (`held` in the charge).
   * Proof: the incident stays in this fold until a reopening names it, and a fold over the same entries is
   *   the same in every process. A failure where every answer waits for an approval is told to nobody, so it
   *   closes nothing here: a closed door would tell it. There the approvals stop instead (Airlock.review).
   *   That a process has ended is seen by whoever was connected, so it is never untold.
   * Numerics: none.
   * Source: this file. This is an alarm and no bound: each earlier answer told that there was no failure.
   */
  closing(principal: string): readonly Incident[] {
    return this.all.filter((one) => one.principal === principal && one.seen === undefined && !one.isUntold)
  }

  /** Whether an incident waits for the owner. */
  isOpen(position: bigint): boolean {
    const incident = this.#all.get(position)
    return incident !== undefined && incident.seen === undefined
  }

  /** Enters a failure; a question that its asker has stopped counts as none. */
  enter(
    failure: Pick<Incident, "position" | "at"> & { readonly cause?: FailureCause | undefined },
    charge: { readonly position: bigint; readonly entry: ChargeEntry },
  ): void {
    const { position, at, cause } = failure
    if (cause === "cancelled") return
    const { principal, planHash, study, held = false } = charge.entry
    const isUntold = held && cause !== "lost"
    if (isUntold) this.#keepUntold(charge)
    this.#all.set(position, {
      position,
      at,
      charge: charge.position,
      cause: cause ?? "unknown",
      principal,
      planHash,
      ...(study === undefined ? {} : { study }),
      isUntold,
    })
  }

  /** Takes the owner's entry. */
  reopen({ incident, at, by, why }: ReopeningEntry): void {
    const found = this.#all.get(incident)
    if (found === undefined) return
    this.#all.set(incident, { ...found, seen: { at, by, why } })
    for (const charges of this.#waiting.values()) charges.delete(found.charge)
  }

  #keepUntold({ position, entry }: { readonly position: bigint; readonly entry: ChargeEntry }): void {
    this.#untold.add(position)
    const key = questionKey(entry)
    this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(position))
  }
}
