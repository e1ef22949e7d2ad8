import { afterAll, beforeAll, describe } from "vitest"
import { databaseConformance } from "../../testing/database/conformance.ts"
import { postgresMembers } from "../../testing/database/postgres-members.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"

const found = findPostgres()
let cluster: PostgresCluster | undefined
const started = (): PostgresCluster => {
  if (cluster === undefined) throw new Error("the server is not started")
  return cluster
}

beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(() => cluster?.stop())

describe.skipIf("missing" in found).each(postgresMembers(started).map((one) => [one.name, one] as const))(
  "%s",
  (_, member) => {
    databaseConformance(member)
  },
)
