import { describe } from "vitest"
import { databaseConformance } from "../../testing/database/conformance.ts"
import { trinoMember } from "../../testing/database/trino-member.ts"
import { trinoOfTests } from "../../testing/trino-of-tests.ts"

describe("Trino over Iceberg", () => {
  databaseConformance(trinoMember(trinoOfTests().url))
})
