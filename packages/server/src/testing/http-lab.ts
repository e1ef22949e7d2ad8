// A server over HTTP on a small hospital, with an account and a token for every role, for tests.

import { openEngine, type Engine } from "@dosimeter/engine"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Accounts } from "../people/accounts.ts"
import { questionsOf } from "../questions/house.ts"
import { roles, type Role } from "../people/roles.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { Studies } from "../studies/studies.ts"
import { Tokens } from "../people/tokens.ts"
import { TryLimits } from "../limits/try-limits.ts"
import { Client } from "../doors/http/contract/client.ts"
import type { HttpServer } from "../doors/http/http-server.ts"
import { openHttpDoor, type HttpDoorOptions } from "../doors/http/open-http-door.ts"
import { smallHospital, type SmallHospital } from "./small-hospital.ts"

/** A running server and what is behind it. */
export interface HttpLab {
  readonly url: string
  readonly hospital: SmallHospital
  readonly engine: Engine
  readonly store: StateStore
  readonly accounts: Accounts
  /** A client with a token of the person who has a role: olga, ada, carl, paul, eve. */
  as(role: Role): Client
  readonly tokenOf: (role: Role) => string
  /** Lines of the log. */
  readonly log: readonly string[]
  /** Another door to the same hospital; closed with the lab. */
  door(options: Partial<HttpDoorOptions>): Promise<string>
  /** Moves the server's clock on. */
  later(ms: number): void
  close(): Promise<void>
}

/** Who has which role. */
export const people: Readonly<Record<Role, string>> = {
  owner: "olga",
  analyst: "ada",
  committee: "carl",
  community: "coco",
  participant: "paul",
  auditor: "eve",
}

/** Of ada, whose password was chosen. */
export const adaPassword = "four words are best"

/** Starts one. */
export async function httpLab(options: Partial<HttpDoorOptions> = {}): Promise<HttpLab> {
  const hospital = await smallHospital()
  const { folder } = hospital
  const policy = readFileSync(join(folder, "dosimeter.yaml"), "utf8")
  // Copies make large datasets fast, and this one slow to open.
  const engine = await openEngine({ policy, folder, prepare: "never" })
  const store = openSqliteState(":memory:")
  let ahead = 0
  const now = (): Date => new Date(Date.now() + ahead)
  const accounts = new Accounts(store, now)
  const tokens = new Tokens(store, now)
  const secrets = new Map<Role, string>()
  for (const role of roles) {
    const name = people[role]
    const origin = role === "analyst" ? "chosen" : "made-up"
    await accounts.add(name, role, adaPassword, { origin })
    secrets.set(role, (await tokens.add({ name: "test", account: { name, role } })).secret)
  }
  const needsStudies = options.needsStudies ?? false
  const studies = needsStudies ? new Studies(store, now) : undefined
  const log: string[] = []
  const servers: HttpServer[] = []
  const door = async (other: Partial<HttpDoorOptions>): Promise<string> => {
    const server = await openHttpDoor({
      questions: questionsOf({ engine, accounts, studies, store }),
      accounts,
      store,
      folder,
      limits: new TryLimits(),
      needsStudies,
      setUpCode: undefined,
      host: "127.0.0.1",
      port: 0,
      requestsPerMinute: 100_000,
      // On a busy machine a request takes its time to come in.
      patience: { headersTimeout: 600_000, requestTimeout: 600_000, handshakeTimeout: 600_000 },
      // Whether the screens were built makes no difference here.
      web: "",
      now,
      answered: (what) => log.push(JSON.stringify(what)),
      ...options,
      ...other,
    })
    servers.push(server)
    return `http://127.0.0.1:${server.port}`
  }
  const url = await door({})
  const tokenOf = (role: Role): string => secrets.get(role) ?? ""
  return {
    url,
    hospital,
    engine,
    store,
    accounts,
    as: (role) => new Client({ url, token: tokenOf(role) }),
    tokenOf,
    log,
    door,
    later: (ms) => {
      ahead += ms
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
      await engine.close()
      await store.close()
      hospital.remove()
    },
  }
}
