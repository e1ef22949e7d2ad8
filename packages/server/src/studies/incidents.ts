// Incidents: what failed after it was charged. The ledger keeps them; here is who sees them, with what was
// asked, and who may open the doors that they have closed.

import type { Incident, Ledger } from "@dosimeter/engine"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { textOf, type StateStore } from "../state/state-store.ts"
import type { Actor } from "./study-state.ts"

/** An incident as owners and reviewers see it. */
export interface ShownIncident extends Incident {
  /** As it was asked, where that is kept: for releases that wait for an approval. */
  readonly question: string | undefined
}

/** The incidents of a house. */
export class HouseIncidents {
  readonly #ledger: Pick<Ledger, "incidents" | "reopen">
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(
    ledger: Pick<Ledger, "incidents" | "reopen">,
    store: StateStore,
    now: () => Date = () => new Date(),
  ) {
    this.#ledger = ledger
    this.#store = store
    this.#now = now
  }

  /** All of them, the newest first. */
  async list(): Promise<readonly ShownIncident[]> {
    const incidents = await this.#ledger.incidents()
    const rows = incidents.length === 0 ? [] : await this.#store.all("SELECT charge, question FROM airlock")
    const asked = new Map(rows.map((row) => [textOf(row, "charge"), textOf(row, "question")]))
    return incidents.map((one) => ({ ...one, question: asked.get(`${one.charge}`) })).toReversed()
  }

  /** Opens the door that an incident has closed: by an owner who did not ask the question. */
  async acknowledge(position: bigint, why: string, { name, role }: Actor): Promise<void> {
    if (role !== "owner") fail("account/no-right", { name, right: "acknowledge incidents" })
    const found = (await this.#ledger.incidents()).find((one) => one.position === position)
    if (found?.principal === name) fail("incident/own", { name, position: `${position}` })
    await this.#ledger.reopen(position, { by: [name], why })
    const facts = { entry: `${position}`, cause: found?.cause ?? "unknown", reason: why }
    const deed = { who: name, what: "incident-acknowledged", about: `account ${found?.principal}`, facts }
    await this.#store.transaction((access) => record(access, deed, this.#now().toISOString()))
  }
}
