// Opens a dataset: its source, its policy read against it, its version, and prepared copies of that version.

import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Policy, Resources } from "@dosimeter/policy/file/policy"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { checkEngine } from "../dataset/duckdb/check-engine.ts"
import { attachLists } from "../dataset/duckdb/unit-lists.ts"
import { checkClaims } from "../dataset/duckdb/check-claims.ts"
import { dataVersionOf, seeFiles, type DataVersion } from "../dataset/data-version.ts"
import { readAgainst } from "../dataset/duckdb/read-against.ts"
import {
  openUnlocked,
  type OpenSource,
  type SourceLimits,
  type UnlockedSource,
} from "../dataset/duckdb/open-source.ts"
import { alone } from "./build-lock.ts"
import { makeCopies, type PrepareProgress } from "./make-copies.ts"
import {
  attachFile,
  detachFile,
  manifestHead,
  matchingCopies,
  preparedFile,
  preparedSchema,
} from "./prepared-file.ts"

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
  readonly onProgress?: (progress: PrepareProgress) => void
  readonly signal?: AbortSignal
}

/** An opened dataset. Nothing else can be reached from its database. */
export interface Dataset {
  readonly policy: Policy
  readonly version: DataVersion
  readonly state: string
  readonly opened: OpenSource
  /** The copies that may be read. */
  readonly prepared: readonly PreparedTable[]
  /** Copies that are not there: `prepare` would make them. */
  readonly missing: readonly string[]
}

/**
 * Opens a dataset. `prepare`: makes missing copies, or not. Nothing here asks how much data there is, nor
 * goes on without copies that were wanted: which form a question has is public, and must not depend on a row.
 */
export async function openDataset(
  options: DatasetOptions & { readonly prepare: "always" | "never" },
): Promise<Dataset> {
  const { folder, policy: text } = options
  // Without a source the policy cannot be right: reading it says what is wrong with it.
  const { source, resources } = readOpening(text) ?? readPolicy(text)
  const state = options.state ?? join(folder, ".dosimeter")
  mkdirSync(state, { recursive: true })
  const temporary = join(state, "temporary")
  const seen = seeFiles(source, folder)
  const opened = await openUnlocked(source, folder, { ...limitsOf(resources), temporary, ...options.limits })
  try {
    await checkEngine(opened.connection)
    const policy = await readAgainst(text, opened)
    const version = dataVersionOf(seen, join(state, `${policy.dataset}.key`))
    await checkClaims(opened, policy)
    const copies = designCopies(policy.catalog, { schema: preparedSchema })
    const prepared = await prepareCopies({ opened, policy, version, state, copies }, options)
    if (policy.catalog.consent !== undefined) await attachLists(opened)
    await opened.lock()
    version.check()
    const missing = copies.filter((copy) => !prepared.includes(copy)).map(({ label }) => label)
    return { policy, version, state, opened, prepared, missing }
  } catch (error) {
    opened.close()
    throw error
  }
}

function limitsOf({ memoryMb, threads }: Resources): SourceLimits {
  return { memory: `${memoryMb}MB`, ...(threads === undefined ? {} : { threads }) }
}

interface Preparing {
  readonly opened: UnlockedSource
  readonly policy: Policy
  readonly version: DataVersion
  readonly state: string
  readonly copies: readonly PreparedTable[]
}

async function prepareCopies(
  { opened, policy, version, state, copies }: Preparing,
  options: Parameters<typeof openDataset>[0],
): Promise<readonly PreparedTable[]> {
  const { connection } = opened
  const path = preparedFile(state, policy.dataset)
  const head = await manifestHead(connection, version)
  const found = await attachMatching(opened, path, { head, copies })
  if (copies.length === 0 || found.length === copies.length || options.prepare === "never") return found
  if (found.length > 0) await detachFile(connection)
  const { onProgress, signal } = options
  const make = async (): Promise<readonly PreparedTable[]> => {
    // Another process may have made them while this one waited.
    const made = await attachMatching(opened, path, { head, copies })
    if (made.length === copies.length) return made
    if (made.length > 0) await detachFile(connection)
    await makeCopies({
      connection,
      path,
      head,
      copies,
      version,
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(signal === undefined ? {} : { signal }),
    })
    return attachMatching(opened, path, { head, copies })
  }
  return alone(`${path}.lock`, make, signal)
}

// The copies of a file that may be read; a file that has none of them, or cannot be read, stays outside.
async function attachMatching(
  { connection }: OpenSource,
  path: string,
  wanted: { readonly head: string; readonly copies: readonly PreparedTable[] },
): Promise<readonly PreparedTable[]> {
  if (!existsSync(path)) return []
  try {
    await attachFile(connection, path, "READ_ONLY")
  } catch {
    return []
  }
  const found = await matchingCopies(connection, wanted.head, wanted.copies).catch(() => [])
  if (found.length === 0) await detachFile(connection)
  return found
}
