import { describe } from "vitest"
import { databaseConformance } from "../../testing/database/conformance.ts"
import { duckdbMembers } from "../../testing/database/duckdb-members.ts"

// Another kind of source is another row of duckdb-members.ts.
describe.each(duckdbMembers.map((member) => [member.name, member] as const))("%s", (_, member) => {
  databaseConformance(member)
})
