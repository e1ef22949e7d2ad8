// What checks of a database work with: sources that are made once, datasets over them, questions in SQL, and
// their exact tables as texts.

import { DosimeterError } from "@dosimeter/core"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile } from "@dosimeter/planner/compile"
import { readOpening } from "@dosimeter/policy/read/read-policy"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import { expect } from "vitest"
import type { OpenSource } from "../../dataset/database.ts"
import { openWith, type Dataset, type OpeningOptions } from "../../prepare/open-dataset.ts"
import { exactSums } from "../exact-tables.ts"
import type { Corner, MadeSource, MadeTable, Member } from "./member.ts"

/** Texts of the data hold it, and nothing that leaves a database may. */
export const canary = "CANARY"

/** How many groups and rows of a unit count, where nothing is to be cut. */
const plenty = { groupsPerUnit: 1000n, rowsPerGroup: 1000n }

/** How a dataset of a test is opened. */
export interface Opening extends Partial<Pick<OpeningOptions, "prepare" | "timeoutMs" | "onProgress">> {
  /** The tables of the policy, in YAML, two blanks before each. */
  readonly tables: string
}

/** A question about a dataset. */
export interface Asked {
  readonly bounds?: { readonly groupsPerUnit: bigint; readonly rowsPerGroup: bigint }
  /** Whether prepared copies are read. */
  readonly copies?: boolean
  /** In place of the version's own. */
  readonly secret?: string
}

/** The workplace of the checks of one member. */
export class Workbench {
  readonly #member: Member
  readonly #grammar = loadGrammar()
  readonly #made: MadeSource[] = []
  readonly #open = new Set<{ close(): Promise<void> }>()
  /** How long a query that is stopped may take to end. Against hanging: a busy machine is slow. */
  readonly patienceMs: number

  constructor(member: Member, patienceMs = 300_000) {
    this.#member = member
    this.patienceMs = patienceMs
  }

  /** Whether sources can hold something. */
  holds(corner: Corner): boolean {
    return !this.#member.lacks.includes(corner)
  }

  async make(tables: readonly MadeTable[]): Promise<MadeSource> {
    const made = await this.#member.make(tables)
    this.#made.push(made)
    return made
  }

  /** Opens a source as its server does, before anybody asks. */
  async open({ database, folder }: MadeSource): Promise<OpenSource> {
    const opened = await database.open({ folder })
    this.#open.add(opened)
    return opened
  }

  /** Opens a dataset over a source. */
  async dataset(made: MadeSource, { tables, ...options }: Opening): Promise<Dataset> {
    const policy = policyOf(made, tables)
    const opening = readOpening(policy)
    if (opening === undefined) throw new Error("the policy names no source")
    const { folder, database } = made
    const wanted = { policy, folder, prepare: "never" as const, ...options }
    const dataset = await openWith(database, opening.resources, wanted)
    this.#open.add(dataset.backend)
    return dataset
  }

  /** What a question measures, exactly: one text for each measure and group, as exactSums writes them. */
  async rows(dataset: Dataset, sql: string, asked: Asked = {}): Promise<readonly string[]> {
    const { bounds = plenty, copies = false, secret = dataset.version.secret } = asked
    const { catalog, terms } = dataset.policy
    const prepared = copies ? dataset.prepared : []
    const { plan } = compile(sql, { grammar: await this.#grammar, catalog, terms, ask: bounds, prepared })
    const isPrepared = plan.releases.every((release) => release.prepared.length > 0)
    if (copies !== isPrepared) throw new Error(`another form than expected: ${sql}`)
    return exactSums(plan, { ...dataset, version: { ...dataset.version, secret } })
  }

  /** Closes and removes all that was opened and made. */
  async clear(): Promise<void> {
    for (const one of this.#open) await one.close()
    for (const made of this.#made) await made.remove()
    this.#open.clear()
    this.#made.length = 0
  }
}

/** A policy over a source. */
export function policyOf({ written }: MadeSource, tables: string): string {
  return `dataset: made
source: ${written}
neighbours: add-or-remove
budget: { epsilon: 100, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed,
  max_groups_per_unit: 1000, max_rows_per_group: 1000 }
tables:
${tables}`
}

/** The error that some work ends with. It is one of ours, and holds nothing of the data. */
export async function failure(work: Promise<unknown>): Promise<DosimeterError> {
  const reason: unknown = await work.then(
    () => new Error("nothing was refused"),
    (error: unknown) => error,
  )
  expect(reason).toBeInstanceOf(DosimeterError)
  if (!(reason instanceof DosimeterError)) throw reason
  const shown = [reason.message, reason.stack, JSON.stringify(reason.issues), JSON.stringify(reason)].join(
    "\n",
  )
  expect(shown).not.toContain(canary)
  expect(reason.cause).toBeUndefined()
  return reason
}

/** The code of the error that some work ends with. */
export async function refused(work: Promise<unknown>): Promise<string> {
  return (await failure(work)).code
}

/** A table in which texts count: how often each is there. */
export function counted(texts: readonly (string | null)[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const key = constantKey(text === null ? { kind: "null" } : { kind: "text", value: text })
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => `0 ${key} ${count}`).toSorted()
}
