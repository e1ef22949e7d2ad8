// The way to the server of a source: its address, its password, and questions of our own.

import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type pg from "pg"
import { errorOf, fail } from "../../errors.ts"
import { readAddress } from "../../postgres/postgres-address.ts"
import { isConflict } from "../../postgres/postgres-trouble.ts"
import { afterConflicts } from "./after-conflicts.ts"
import type { Ask } from "./discover.ts"
import { readRows } from "./running-queries.ts"
import type { AskTogether } from "./seen-data.ts"
import type { Sessions } from "./sessions.ts"
import { beginning, ownersTimeMs } from "./transaction.ts"

/** Parameters of the URL that name files, which are found from the policy's folder, as all of its paths. */
const files = ["sslrootcert", "sslcert", "sslkey"]

/** The password is in a file of its own, or in the environment, which the driver asks. */
export function connectionOf({ url, passwordFile }: PostgresSource, folder: string): pg.ClientConfig {
  const address = readAddress(url) ?? fail("dataset/bad-address", {})
  if (address.hasPassword) fail("dataset/bad-address", {})
  const whole = new URL(address.url)
  // Beside a URL the driver believes the URL alone, also where it says nothing.
  if (passwordFile !== undefined) whole.searchParams.set("password", readPassword(passwordFile, folder))
  for (const name of files) {
    const file = whole.searchParams.get(name) ?? ""
    if (file !== "") whole.searchParams.set(name, resolve(folder, file))
  }
  return { connectionString: whole.href }
}

function readPassword(file: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8").replace(/\r?\n$/, "")
  } catch {
    return fail("dataset/no-password-file", { file })
  }
}

/** Questions of our own, in one transaction that reads. What the driver says of a failure stays inside. */
export function asking(sessions: Sessions): AskTogether {
  return async (work) =>
    afterConflicts(() => askedOnce(sessions, work)).catch((error: unknown) => {
      throw isConflict(error) ? errorOf("backend/failed", {}) : error
    })
}

/** Fails with an error of ours, or with the driver's where the server gave the transaction up. */
async function askedOnce<Result>(sessions: Sessions, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const failed = (error: unknown): never => {
    throw isConflict(error) ? error : errorOf("backend/failed", {})
  }
  const session = await sessions.take(beginning({ writes: false, timeoutMs: ownersTimeMs }))
  const { client } = session
  try {
    const result = await work((text, values) => readRows(client, text, values).catch(failed))
    await client.query("COMMIT").catch(failed)
    sessions.give(session)
    return result
  } catch (error) {
    sessions.drop(session)
    throw error
  }
}
