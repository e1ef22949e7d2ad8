// The first words with a Trino: whether it is there, lets us in, is new enough, and has the schema. Each
// trouble has words of its own, and none of them is the server's.

import { fail } from "../../errors.ts"
import type { TrinoAddress } from "./trino-address.ts"
import { TrinoFailure, wordsOfDoor, type TrinoClient } from "./trino-client.ts"
import { writeText } from "./trino-queries.ts"

/** The oldest version that the tests run on. */
export const oldestTrino = 476

/** Refuses a server that cannot be used, with "dataset/unreachable". */
export async function reach(client: TrinoClient, { catalog, schema }: TrinoAddress): Promise<void> {
  const version = await client.run("SELECT version()").catch(trouble)
  const [text] = version.rows[0] ?? []
  const number = typeof text === "string" ? Number(/^\d+/.exec(text)?.[0] ?? 0) : 0
  if (number < oldestTrino) unreachable(`it is older than Trino ${oldestTrino}`)
  const names = "SELECT count(*) FROM information_schema.schemata WHERE schema_name ="
  const found = await client.run(`${names} ${writeText(schema)}`).catch(trouble)
  if (found.rows[0]?.[0] !== 1) unreachable(`the catalog ${catalog} has no schema ${schema} for this user`)
}

function trouble(error: unknown): never {
  const kind = error instanceof TrinoFailure ? error.kind : "UNKNOWN"
  return unreachable(troubles.get(kind) ?? "it could not answer")
}

const troubles: ReadonlyMap<string, string> = new Map([
  ...wordsOfDoor,
  ["PERMISSION_DENIED", "this user may not read there"],
  ["PROTOCOL", "what answers at its address is no Trino"],
  ["CATALOG_NOT_FOUND", "it has no such catalog"],
  ["SCHEMA_NOT_FOUND", "the catalog has no such schema"],
])

function unreachable(what: string): never {
  return fail("dataset/unreachable", { what })
}
