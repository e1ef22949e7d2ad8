// A source that is opened, looked at and closed again: for proposals of policies, for `dosimeter check`, and
// for commands that need a policy and ask nothing.

import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Policy, Source } from "@dosimeter/policy/file/policy"
import type { SourceFacts } from "@dosimeter/policy/file/source-facts"
import { basename } from "node:path"
import { databaseOf } from "../databases.ts"
import { checkClaims } from "../dataset/check-claims.ts"
import type { OpenSource } from "../dataset/database.ts"
import { readAgainst } from "../dataset/read-against.ts"
import { fail } from "../errors.ts"

/** What a source says about itself. */
export async function discoverSource(source: Source, folder: string): Promise<SourceFacts> {
  return lookAt(source, folder, async (_opened, facts) => facts)
}

/** Reads a policy against the source that it names. One that does not name it properly cannot be right. */
export async function readWithSource(text: string, folder: string): Promise<Policy> {
  const opening = readOpening(text)
  if (opening === undefined) return readPolicy(text)
  return lookAt(opening.source, folder, (opened, facts) => readAgainst(text, opened, facts))
}

/** Reads a policy against its source and looks at its claims, as on every opening: keys, and NULLs. */
export async function checkWithSource(text: string, folder: string): Promise<Policy> {
  const opening = readOpening(text)
  if (opening === undefined) return readPolicy(text)
  return lookAt(opening.source, folder, async (opened, facts) => {
    await opened.checkAssumptions()
    const policy = await readAgainst(text, opened, facts)
    await checkClaims(opened, policy)
    return policy
  })
}

async function lookAt<Result>(
  source: Source,
  folder: string,
  work: (opened: OpenSource, facts: SourceFacts) => Promise<Result>,
): Promise<Result> {
  const opened = await databaseOf(source).open({ folder, isAsked: false })
  try {
    await opened.lock()
    const facts = await opened.discover()
    if (source.kind === "csv") checkHeaders(facts)
    return await work(opened, facts)
  } finally {
    await opened.close()
  }
}

/** A file without a header would give its first row as names, and they would be shown. */
function checkHeaders(facts: SourceFacts): void {
  for (const { name: table, columns } of facts.tables) {
    if (columns.every(({ name }) => /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(name))) continue
    fail("dataset/no-header", { file: basename(table) })
  }
}
