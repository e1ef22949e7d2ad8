// A coordinator behind a port with its lead's routes, and an account and a token for every role, for tests.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signer } from "@dosimeter/engine"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { Client } from "../doors/http/contract/client.ts"
import { openCoordinatorDoor } from "../doors/http/open-coordinator-door.ts"
import { Coordinator } from "../federation/coordinator/coordinator.ts"
import { Jobs } from "../federation/coordinator/jobs.ts"
import { TryLimits } from "../limits/try-limits.ts"
import { Accounts } from "../people/accounts.ts"
import type { Role } from "../people/roles.ts"
import { Sessions } from "../people/sessions.ts"
import { Tokens } from "../people/tokens.ts"
import { openSqliteState } from "../state/sqlite-state.ts"

const policy = readPolicy(`dataset: trial
source: { duckdb: none.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 2 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      sex: { values: [f, m], nullable: false, type: text }
      town: { type: text }
`)
/** A coordinator that is open. */
export interface LeadLab {
  readonly url: string
  readonly coordinator: Coordinator
  /** A client with a token of the person who has a role. */
  readonly as: (role: Role) => Client
  close(): Promise<void>
}

/** Everybody's password. */
export const leadPassword = "four words are best"

/** Opens one. */
export async function openLeadLab(): Promise<LeadLab> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-lead-"))
  const signer = Signer.make()
  const store = openSqliteState(join(folder, "server.state"))
  const coordinator = new Coordinator({ store, signer, study: "trial" })
  const { bells } = coordinator
  const jobs = new Jobs({ store, bells, study: { policy, grammar: await loadGrammar(), signer } })
  const accounts = new Accounts(store)
  const tokens = new Tokens(store)
  const door = await openCoordinatorDoor({
    desk: coordinator.desk,
    people: { accounts, sessions: new Sessions(store), tokens },
    lead: { coordinator, jobs, policy, limits: new TryLimits(), setUpCode: undefined, web: "" },
    host: "127.0.0.1",
    port: 0,
    requestsPerMinute: 100_000,
    patience: { headersTimeout: 600_000, requestTimeout: 600_000, handshakeTimeout: 600_000 },
  })
  const url = `http://127.0.0.1:${door.port}`
  const clients = new Map<Role, Client>()
  for (const [name, role] of [
    ["lena", "owner"],
    ["ada", "analyst"],
    ["eve", "auditor"],
    ["paul", "participant"],
  ] as const) {
    await accounts.add(name, role, leadPassword, { origin: "chosen" })
    const { secret } = await tokens.add({ name: "test", account: { name, role } })
    clients.set(role, new Client({ url, token: secret }))
  }
  return {
    url,
    coordinator,
    as: (role) => clients.get(role) ?? new Client({ url }),
    close: async () => {
      coordinator.close()
      await door.close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}
