// Opens a dataset: its source, its policy read against it, its version, and prepared copies of that version.

import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Policy, Resources } from "@dosimeter/policy/file/policy"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { databaseOf } from "../databases.ts"
import type { Backend } from "../dataset/backend.ts"
import { checkClaims } from "../dataset/check-claims.ts"
import type { Copies, PrepareProgress } from "../dataset/copies.ts"
import { dataVersionOf, type DataVersion } from "../dataset/data-version.ts"
import type { Database, OpenSource, SourceLimits } from "../dataset/database.ts"
import { readAgainst } from "../dataset/read-against.ts"

/** Where a dataset is. */
export interface DatasetOptions {
  /** The text of the policy. */
  readonly policy: string
  /** The policy's folder: paths in it begin here. */
  readonly folder: string
  /** Where ledger, anchor, key and copies are kept on this machine; `.dosimeter` beside the policy if left out. */
  readonly state?: string
  /** The URL of a PostgreSQL for the ledger, in place of a file: several servers may share it. */
  readonly store?: string
  /** In place of the policy's resources. */
  readonly limits?: SourceLimits
  /** A question that takes longer is stopped: in place of the policy's resources. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: PrepareProgress) => void
  readonly signal?: AbortSignal
}

/** An opened dataset. Nothing else can be reached from its database. */
export interface Dataset {
  readonly policy: Policy
  readonly version: DataVersion
  readonly state: string
  readonly backend: Backend
  /** Undefined where the database keeps none. */
  readonly copies: Copies | undefined
  /** Whether copies were there and no key: nothing but an earlier life of the dataset leaves them behind. */
  readonly hasOrphans: boolean
  /** The copies that may be read. */
  readonly prepared: readonly PreparedTable[]
  /** Copies that are not there: `prepare` would make them. */
  readonly missing: readonly string[]
}

/** Where a dataset is, and whether missing copies are made. */
export interface OpeningOptions extends DatasetOptions {
  readonly prepare: "always" | "never"
}

/**
 * Opens a dataset. `prepare`: makes missing copies, or not. Nothing here asks how much data there is, nor
 * goes on without copies that were wanted: which form a question has is public, and must not depend on a row.
 */
export async function openDataset(options: OpeningOptions): Promise<Dataset> {
  // Without a source the policy cannot be right: reading it says what is wrong with it.
  const { source, resources } = readOpening(options.policy) ?? readPolicy(options.policy)
  return openWith(databaseOf(source), resources, options)
}

/** Opens a dataset with the database of its source. */
export async function openWith(
  database: Database,
  resources: Resources,
  options: OpeningOptions,
): Promise<Dataset> {
  const { folder } = options
  const state = options.state ?? join(folder, ".dosimeter")
  mkdirSync(state, { recursive: true })
  const limits = { ...limitsOf(resources), temporary: join(state, "temporary"), ...options.limits }
  const opened = await database.open({ folder, limits })
  try {
    return await serve(opened, state, options)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function serve(opened: OpenSource, state: string, options: OpeningOptions): Promise<Dataset> {
  await opened.checkAssumptions()
  const policy = await readAgainst(options.policy, opened)
  const { dataset, catalog, resources } = policy
  const copies = opened.copies({ state, dataset })
  const key = join(state, `${dataset}.key`)
  const hasOrphans = !existsSync(key) && (await copies?.areThere()) === true
  const version = dataVersionOf(opened.seen, key)
  await checkClaims(opened, policy)
  const designed = copies === undefined ? [] : designCopies(catalog, { schema: copies.schema })
  const prepared =
    copies === undefined ? [] : await openCopies(copies, { copies: designed, version }, options)
  const { timeoutMs = resources.seconds * 1000 } = options
  const backend = await opened.serve({ timeoutMs, unitLists: catalog.consent !== undefined })
  await version.check()
  const missing = designed.filter((copy) => !prepared.includes(copy)).map(({ label }) => label)
  return { policy, version, state, backend, copies, hasOrphans, prepared, missing }
}

function limitsOf({ memoryMb, threads }: Resources): SourceLimits {
  return { memoryMb, ...(threads === undefined ? {} : { threads }) }
}

async function openCopies(
  copies: Copies,
  wanted: Parameters<Copies["open"]>[0],
  { prepare, onProgress, signal }: OpeningOptions,
): Promise<readonly PreparedTable[]> {
  const found = await copies.open(wanted)
  if (prepare === "never" || found.length === wanted.copies.length) return found
  return copies.make(wanted, {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  })
}
