import { sampleOf } from "@dosimeter/core/testing"
import { afterEach, expect, test } from "vitest"
import { databaseChecks } from "./conformance.ts"
import { duckdbMembers } from "./duckdb-members.ts"
import { spoiltDatabases } from "./spoilt.ts"
import { Workbench } from "./workbench.ts"

const [member] = duckdbMembers
if (member === undefined) throw new Error("DuckDB is a member")

let bench: Workbench | undefined
afterEach(() => bench?.clear())

// That the same checks pass without the fault is what dataset/duckdb/conformance.test.ts shows.
test.each(sampleOf(spoiltDatabases, 3).map(({ fault, ...spoilt }) => [fault, spoilt] as const))(
  "a database is found out if %s",
  async (_, { foundBy, spoil }) => {
    const check = databaseChecks.find(({ name }) => name === foundBy)
    if (check === undefined) throw new Error(`there is no check "${foundBy}"`)
    bench = new Workbench(spoil(member), 3000)
    await expect(check.run(bench)).rejects.toMatchObject({ name: "AssertionError" })
  },
)
