// A question under the people's own decisions: the list of those whose rows may be read is in the database
// before it is planned, and the version of the decisions is part of the version of the data.

import { consentTable } from "@dosimeter/proof/catalog/consent"
import type { ConsentMode } from "@dosimeter/proof/catalog/catalog"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { Workload } from "@dosimeter/planner/workload/plan-workload"
import { createHash } from "node:crypto"
import type { Backend } from "../dataset/backend.ts"
import { fail } from "../errors.ts"
import type { Walk } from "./run-query.ts"

/** Where decisions are kept. */
export interface ConsentSource {
  /**
   * The decisions that count now, for data that is wanted for all of some purposes: all of them, or those of
   * before the last midnight (UTC).
   */
  current(purposes: readonly string[], refresh?: "daily"): Promise<CurrentConsent>
}

/** Decisions that hold. */
export interface CurrentConsent {
  /** Equal for equal decisions; tells nothing about them. */
  readonly version: string
  /** The ids that agreed to all purposes (`required`), or withdrew from one of them (`opt-out`). */
  units(mode: ConsentMode): Promise<readonly string[]>
}

/** Lists that nobody uses are kept up to so many, newest first. */
const unusedMax = 4

/** Puts questions under consent. */
export class ConsentWalks {
  readonly #backend: Backend
  readonly #source: ConsentSource | undefined
  /** The lists in the database, oldest first, with how many questions use them. */
  readonly #lists = new Map<string, { readonly made: Promise<void>; uses: number }>()
  /** Resolves when all dropped lists are gone: the same list may then be made again. */
  #dropped: Promise<void> = Promise.resolve()

  constructor(backend: Backend, source: ConsentSource | undefined) {
    this.#backend = backend
    this.#source = source
  }

  /** The walk of a question that is explained only: nothing is read, so no list is made. */
  async explaining(walk: Walk, purposes: readonly string[] = []): Promise<Walk> {
    const found = await this.#find(walk.policy, purposes)
    return found === undefined ? walk : underConsent(walk, found)
  }

  /** Runs a question; its list is there from before the charge until it has ended. */
  async run<Result>(
    walk: Walk,
    purposes: readonly string[] | undefined,
    work: (walk: Walk) => Promise<Result>,
  ): Promise<Result> {
    const found = await this.#find(walk.policy, purposes ?? [])
    if (found === undefined) return work(walk)
    const list = this.#listOf(found)
    list.uses += 1
    try {
      await list.made
      return await work(underConsent(walk, found))
    } finally {
      list.uses -= 1
      await this.#dropUnused()
    }
  }

  async #find(
    { catalog, consentRefresh }: Policy,
    purposes: readonly string[],
  ): Promise<FoundConsent | undefined> {
    if (catalog.consent === undefined) return undefined
    if (this.#source === undefined) return fail("consent/unavailable", {})
    if (purposes.length === 0) return fail("consent/no-purpose", {})
    const { mode } = catalog.consent
    const sorted = [...new Set(purposes)].toSorted()
    const current = await this.#source.current(sorted, consentRefresh)
    const digest = createHash("sha256")
      .update(JSON.stringify([mode, sorted, current.version]))
      .digest("hex")
    const name = `consent_${digest.slice(0, 32)}`
    const table = consentTable(catalog.tables, this.#backend.unitListPath(name))
    const type = table?.columns[0]?.domain.type.kind
    if (table === undefined || (type !== "integer" && type !== "text")) return fail("consent/unavailable", {})
    return { name, digest, type, current, facts: { mode, table, purposes: sorted, version: current.version } }
  }

  #listOf({ name, type, current, facts }: FoundConsent): { readonly made: Promise<void>; uses: number } {
    const known = this.#lists.get(name)
    if (known !== undefined) return known
    const made = this.#dropped
      .then(() => current.units(facts.mode))
      .then((ids) => this.#backend.makeUnitList({ name, type, ids }))
    const list = { made, uses: 0 }
    this.#lists.set(name, list)
    // What failed is tried again by the next question.
    made.catch(() => this.#lists.delete(name))
    return list
  }

  async #dropUnused(): Promise<void> {
    const unused = [...this.#lists].filter(([, { uses }]) => uses === 0)
    for (const [name] of unused.slice(0, Math.max(0, unused.length - unusedMax))) {
      this.#lists.delete(name)
      // A list that stays takes room, and does no harm.
      this.#dropped = this.#dropped.then(() => this.#backend.dropUnitList(name)).catch(() => undefined)
    }
    await this.#dropped
  }
}

/** Refuses a workload that was planned before people changed their minds. */
export function checkConsentOf({ parts }: Workload, { policy: { catalog } }: Walk): void {
  const { version } = catalog.consent ?? {}
  if (parts.some(({ plan }) => plan.consent?.version !== version)) fail("consent/changed", {})
}

interface FoundConsent {
  readonly name: string
  readonly digest: string
  readonly type: "integer" | "text"
  readonly current: CurrentConsent
  readonly facts: NonNullable<Policy["catalog"]["consent"]>
}

// Answers under other decisions, or for other purposes, are answers about other data.
function underConsent(walk: Walk, { digest, facts }: FoundConsent): Walk {
  const { policy, version } = walk
  const name = createHash("sha256").update(`${version.name}\n${digest}`).digest("hex").slice(0, 32)
  return {
    ...walk,
    policy: { ...policy, catalog: { ...policy.catalog, consent: facts } },
    version: { ...version, name },
  }
}
