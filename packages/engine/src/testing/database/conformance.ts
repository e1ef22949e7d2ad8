// What every database must do, whatever it is. A database calls this from its own test: docs/databases.md.

import { afterAll, test } from "vitest"
import type { Check } from "./check.ts"
import { extractChecks } from "./extract-checks.ts"
import { lookChecks } from "./look-checks.ts"
import type { Member } from "./member.ts"
import { serveChecks } from "./serve-checks.ts"
import { versionChecks } from "./version-checks.ts"
import { Workbench } from "./workbench.ts"

/** All checks. */
export const databaseChecks: readonly Check[] = [
  ...lookChecks,
  ...extractChecks,
  ...serveChecks,
  ...versionChecks,
]

/** Declares the tests of a database. */
export function databaseConformance(member: Member): void {
  const bench = new Workbench(member)
  afterAll(() => bench.clear())
  test.each(databaseChecks.map(({ name, run }) => [name, run] as const))("%s", async (_, run) => {
    await run(bench)
    await bench.clear()
  })
}
