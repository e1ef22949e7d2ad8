// Prepared copies in DuckDB: one file beside the ledger, attached to the source before its door is shut.

import type { DuckDBConnection } from "@duckdb/node-api"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { existsSync, statSync } from "node:fs"
import type { Copies, CopyPlace, WantedCopies } from "../copies.ts"
import { alone } from "../file-lock.ts"
import {
  attachFile,
  detachFile,
  manifestHead,
  matchingCopies,
  preparedFile,
  preparedSchema,
} from "./copy-file.ts"
import { makeCopies } from "./make-copies.ts"

/** The copies of a dataset. They are opened on a connection that is not locked yet. */
export function copiesIn(connection: DuckDBConnection, { state, dataset }: CopyPlace): Copies {
  const path = preparedFile(state, dataset)
  const open = async ({ copies, version }: WantedCopies): Promise<readonly PreparedTable[]> => {
    // What was opened before is looked at again.
    await detachFile(connection).catch(() => undefined)
    return attachMatching(connection, path, { head: await manifestHead(connection, version), copies })
  }
  return {
    schema: preparedSchema,
    areThere: async () => existsSync(path),
    open,
    make: (wanted, options) =>
      alone(
        `${path}.lock`,
        async () => {
          // Another process may have made them while this one waited.
          const made = await open(wanted)
          if (made.length === wanted.copies.length) return made
          if (made.length > 0) await detachFile(connection)
          const head = await manifestHead(connection, wanted.version)
          await makeCopies({ ...wanted, ...options, connection, path, head })
          return open(wanted)
        },
        options.signal,
      ),
    stored: async () => ({ place: path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 }),
  }
}

// The copies of a file that may be read; a file that has none of them, or cannot be read, stays outside.
async function attachMatching(
  connection: DuckDBConnection,
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
