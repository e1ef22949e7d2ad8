import { sampleOf } from "@dosimeter/core/testing"
import { describe } from "vitest"
import { databaseConformance } from "../../testing/database/conformance.ts"
import { duckdbMembers } from "../../testing/database/duckdb-members.ts"

// Another kind of source is another row of duckdb-members.ts; all rows run in the long form.
const members = sampleOf(duckdbMembers, 1).map((member) => [member.name, member] as const)
describe.each(members)("%s", (_, member) => {
  databaseConformance(member)
})
