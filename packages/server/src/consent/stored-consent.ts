// The decisions that hold, as the engine asks for them: the later one of each person and purpose, and where
// none is about a purpose, the one about the nearest wider purpose (consent-rules.ts).

import type { ConsentSource, CurrentConsent } from "@dosimeter/engine"
import type { ConsentMode } from "@dosimeter/proof/catalog/catalog"
import { createHash } from "node:crypto"
import { isIncluded } from "./consent-rules.ts"
import type { Decision } from "./consents.ts"
import { lastMidnight } from "./own-consent.ts"
import { withWider } from "../studies/purposes.ts"
import { numberOf, textOf, type StateAccess } from "../state/state-store.ts"

/** Reads decisions from the server's state. */
export class StoredConsent implements ConsentSource {
  readonly #store: () => StateAccess | Promise<StateAccess>
  readonly #now: () => Date

  constructor(store: () => StateAccess | Promise<StateAccess>, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** The version of the decisions that count now, for data that is wanted for all of some purposes. */
  async current(purposes: readonly string[], refresh?: "daily"): Promise<CurrentConsent> {
    const looked = [...new Set(purposes.flatMap(withWider))].toSorted()
    const marks = looked.map(() => "?").join(", ")
    const rows = await (
      await this.#store()
    ).all(
      `SELECT number, purpose, hash, through FROM consent_versions AS v
       WHERE purpose IN (${marks}) AND number = (
         SELECT MAX(number) FROM consent_versions AS w WHERE w.purpose = v.purpose AND w.at < ?)`,
      [...looked, this.#before(refresh)],
    )
    const number = Math.max(0, ...rows.map((row) => numberOf(row, "number")))
    const through = Math.max(0, ...rows.map((row) => numberOf(row, "through")))
    const hashes = rows.map((row) => `${textOf(row, "purpose")} ${textOf(row, "hash")}`)
    const hash = createHash("sha256").update(hashes.toSorted().join("\n")).digest("hex")
    return {
      version: number === 0 ? "0" : `${number}-${hash.slice(0, 12)}`,
      units: (mode) => this.#units(mode, purposes, { looked, through }),
    }
  }

  async #units(
    mode: ConsentMode,
    purposes: readonly string[],
    { looked, through }: { readonly looked: readonly string[]; readonly through: number },
  ): Promise<readonly string[]> {
    const rows = await (
      await this.#store()
    ).all(
      `SELECT participant, purpose, decision FROM consent_decisions
       WHERE position <= ? AND purpose IN (${looked.map(() => "?").join(", ")})
       ORDER BY decided_at, position`,
      [through, ...looked],
    )
    const people = new Map<string, Map<string, Decision>>()
    for (const row of rows) {
      const id = textOf(row, "participant")
      const own = people.get(id) ?? new Map<string, Decision>()
      own.set(textOf(row, "purpose"), textOf(row, "decision") === "given" ? "given" : "withdrawn")
      people.set(id, own)
    }
    // Who agreed where that is required; otherwise who withdrew.
    const listed = [...people].filter(([, own]) => isIncluded(mode, purposes, own) === (mode === "required"))
    return listed.map(([id]) => id)
  }

  // At once: whatever the clocks of other servers say.
  #before(refresh: "daily" | undefined): string {
    return refresh === "daily" ? lastMidnight(this.#now()) : "9999"
  }
}
