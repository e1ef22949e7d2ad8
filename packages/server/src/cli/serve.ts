// `dosimeter serve`: a dataset behind a door that clients of PostgreSQL know.

import type { Engine } from "@dosimeter/engine"
import { Option, type Command } from "commander"
import { randomBytes } from "node:crypto"
import { defaultLosses, roomFor } from "../answers/account-value.ts"
import { fail } from "../errors.ts"
import { Accounts } from "../governance/accounts.ts"
import { Questions } from "../governance/questions.ts"
import type { StateStore } from "../governance/state-store.ts"
import { Studies } from "../governance/studies.ts"
import { TryLimits } from "../governance/try-limits.ts"
import { EngineAccess } from "../pgwire/engine-access.ts"
import { openPgServer, type PgServer } from "../pgwire/pg-server.ts"
import { withDataset } from "./dataset.ts"
import { isThisMachine, openHttp, portOf, portTaken, type HttpFlags } from "./http-door.ts"
import { withState } from "./server-state.ts"
import type { Session } from "./session.ts"
import { budgetLine } from "./show-budget.ts"

interface ServeFlags extends HttpFlags {
  readonly policy: string
  readonly pgPort: string
  readonly withoutStudies?: true
}

/** Adds the command. */
export function addServe(program: Command, session: Session): void {
  program
    .command("serve")
    .description("let people ask over HTTP and by psql, each by an account of their own")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--http-port <n>", "the port for browsers and programs", "8080")
    .option("--pg-port <n>", "the port for clients of PostgreSQL", "5433")
    .option("--tls-cert <file>", "a certificate in PEM: connections are encrypted, and must be")
    .option("--tls-key <file>", "its key in PEM")
    .option("--behind-proxy", "a proxy before the HTTP port encrypts, and says who called")
    .option("--public-url <url>", "how browsers reach the server, such as https://data.example.org")
    .option("--requests-per-minute <n>", "of one account or address over HTTP", "600")
    .addOption(new Option("--log <level>", "on the error stream").choices(["silent", "warn", "info"]))
    .option("--without-studies", "let owners and analysts ask outside of studies")
    .option("--json", "errors as one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter user add ada
  dosimeter serve --without-studies
  curl -H "Authorization: Bearer TOKEN" http://localhost:8080/api/v1/budget
  psql "host=localhost port=5433 user=ada dbname=hospital"
  dosimeter serve --host 0.0.0.0 --tls-cert server.crt --tls-key server.key

Ctrl-C stops it; a question that is being answered then stays charged.`,
    )
    .action(async (flags: ServeFlags) =>
      withDataset(session, flags.policy, async (engine) =>
        withState(session, flags.policy, async (store) => {
          await serveDoors({ engine, store, flags, session })
        }),
      ),
    )
}

/** What is served. */
interface Served {
  readonly engine: Engine
  readonly store: StateStore
  readonly flags: ServeFlags
  readonly session: Session
}

interface Greeted {
  readonly flags: ServeFlags
  readonly ports: { readonly pg: number; readonly http: number }
  readonly setUpCode: string | undefined
}

/** Opens both doors, and keeps them open until the session is told to stop. */
export async function serveDoors({ engine, store, flags, session }: Served): Promise<void> {
  const accounts = new Accounts(store)
  const studies = flags.withoutStudies === true ? undefined : new Studies(store)
  const questions = new Questions({ engine, accounts, studies })
  const limits = new TryLimits()
  const access = new EngineAccess({ questions, accounts, limits, budget: () => budget(engine) })
  const isFirst = (await accounts.list()).length === 0
  const setUpCode = isFirst ? randomBytes(6).toString("hex") : undefined
  const tls = tlsOf(flags, session)
  const pg = await openPgDoor(access, flags, tls)
  try {
    const door = { questions, accounts, store, limits, needsStudies: studies !== undefined, setUpCode }
    const http = await openHttp({ ...door, ...(tls === undefined ? {} : { tls }) }, flags, session)
    try {
      const ports = { pg: pg.port, http: http.port }
      session.out(await greeting(engine, { flags, ports, setUpCode }))
      await stopped(session.signal)
    } finally {
      await http.close()
    }
  } finally {
    await pg.close()
    await access.close()
  }
}

type Tls = { readonly cert: string; readonly key: string } | undefined

function tlsOf({ host, tlsCert, tlsKey, behindProxy }: ServeFlags, session: Session): Tls {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { cert: session.read(tlsCert), key: session.read(tlsKey) }
  }
  // Answers and the names of tables would cross the network in the clear.
  if (!isThisMachine(host) && behindProxy !== true) fail("serve/no-certificate", { host })
  return undefined
}

async function openPgDoor(access: EngineAccess, { host, pgPort }: ServeFlags, tls: Tls): Promise<PgServer> {
  const port = portOf("--pg-port", pgPort)
  // A proxy for HTTP does not encrypt for this door.
  const own = tls === undefined && !isThisMachine(host) ? "127.0.0.1" : host
  const shared = { access, host: own, port }
  const options = tls === undefined ? shared : { ...shared, tls, tlsRequired: true }
  return openPgServer(options).catch((error: unknown) => portTaken(error, pgPort, "--pg-port"))
}

async function greeting({ policy, account }: Engine, { flags, ports, setUpCode }: Greeted): Promise<string> {
  const user = setUpCode === undefined ? "NAME" : "ada"
  const isEncrypted = flags.tlsCert !== undefined
  const scheme = isEncrypted ? "https" : "http"
  const shown = flags.host.includes(":") ? `[${flags.host}]` : flags.host
  const first =
    setUpCode === undefined
      ? []
      : [
          "make an account first, in another terminal:  dosimeter user add ada",
          `or over HTTP, an owner, with the code ${setUpCode}`,
        ]
  const only = isThisMachine(flags.host) ? ", to this machine only" : ""
  return [
    `${policy.dataset} is served at ${scheme}://${shown}:${ports.http} and to psql at port ${ports.pg}${only}`,
    ...first,
    `connect:  psql "host=${flags.host} port=${ports.pg} user=${user} dbname=${policy.dataset}${isEncrypted ? " sslmode=require" : ""}"`,
    `budget    ${budgetLine(await account(), "", true)}`,
    "Ctrl-C stops it",
    "",
  ].join("\n")
}

/** What is spent and left, in one line. */
async function budget(engine: Engine): Promise<string> {
  const account = await engine.account()
  const room = roomFor(account, defaultLosses(engine.policy.terms))
  return budgetLine(account, `room for ${room} default questions`, true)
}

async function stopped(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted === true) resolve()
    else signal?.addEventListener("abort", () => resolve(), { once: true })
  })
}
