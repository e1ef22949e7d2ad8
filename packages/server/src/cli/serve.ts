// `dosimeter serve`: a dataset behind a door that clients of PostgreSQL know.

import type { Engine } from "@dosimeter/engine"
import type { Command } from "commander"
import { isIP } from "node:net"
import { fail } from "../errors.ts"
import { Accounts } from "../governance/accounts.ts"
import { governanceOf } from "../governance/governance.ts"
import { Questions } from "../governance/questions.ts"
import { Studies } from "../governance/studies.ts"
import { TryLimits } from "../governance/try-limits.ts"
import { EngineAccess } from "../pgwire/engine-access.ts"
import { openPgServer, type PgServer } from "../pgwire/pg-server.ts"
import { withDataset } from "./dataset.ts"
import { withState } from "./server-state.ts"
import type { Session } from "./session.ts"
import { budgetLine, defaultLosses, roomFor } from "./show-budget.ts"

interface ServeFlags {
  readonly policy: string
  readonly host: string
  readonly pgPort: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly withoutStudies?: true
}

/** Adds the command. */
export function addServe(program: Command, session: Session): void {
  program
    .command("serve")
    .description("let psql and any other client of PostgreSQL ask, each person by an account of their own")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--pg-port <n>", "the port for clients of PostgreSQL", "5433")
    .option("--tls-cert <file>", "a certificate in PEM: connections are encrypted, and must be")
    .option("--tls-key <file>", "its key in PEM")
    .option("--without-studies", "let owners and analysts ask outside of studies")
    .option("--json", "errors as one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter user add ada
  dosimeter serve --without-studies
  psql "host=localhost port=5433 user=ada dbname=hospital"
  dosimeter serve --host 0.0.0.0 --tls-cert server.crt --tls-key server.key

Ctrl-C stops it; a question that is being answered then stays charged.`,
    )
    .action(async (flags: ServeFlags) =>
      withDataset(session, flags.policy, async (engine) =>
        withState(session, flags.policy, async (store) => {
          const accounts = new Accounts(store)
          const studies = flags.withoutStudies === true ? undefined : new Studies(store)
          const questions = new Questions({ engine, accounts, studies, ...governanceOf(engine, store) })
          const limits = new TryLimits()
          const access = new EngineAccess({ questions, accounts, limits, budget: () => budget(engine) })
          const server = await openDoor(access, flags, session)
          session.out(await greeting(engine, server, { flags, anybody: (await accounts.list()).length > 0 }))
          try {
            await stopped(session.signal)
          } finally {
            await server.close()
            await access.close()
          }
        }),
      ),
    )
}

async function openDoor(access: EngineAccess, flags: ServeFlags, session: Session): Promise<PgServer> {
  const { host, pgPort, tlsCert, tlsKey } = flags
  if (!/^\d{1,5}$/.test(pgPort) || Number(pgPort) > 65_535) {
    fail("cli/bad-option", { option: "--pg-port", got: pgPort, wanted: "a port such as 5433" })
  }
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? undefined
      : { cert: session.read(tlsCert), key: session.read(tlsKey) }
  // Answers and the names of tables would cross the network in the clear.
  if (tls === undefined && !isThisMachine(host)) fail("serve/no-certificate", { host })
  const shared = { access, host, port: Number(pgPort) }
  const options = tls === undefined ? shared : { ...shared, tls, tlsRequired: true }
  return openPgServer(options).catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    if (isTaken) fail("serve/port-taken", { port: pgPort })
    throw error
  })
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

async function greeting(
  { policy, account }: Engine,
  { port }: PgServer,
  { flags, anybody }: { readonly flags: ServeFlags; readonly anybody: boolean },
): Promise<string> {
  const user = anybody ? "NAME" : "ada"
  const secure = flags.tlsCert === undefined ? "" : " sslmode=require"
  const first = anybody ? [] : ["make an account first, in another terminal:  dosimeter user add ada"]
  return [
    `${policy.dataset} is served at ${flags.host}, port ${port}${secure === "" ? ", to this machine only" : ""}`,
    ...first,
    `connect:  psql "host=${flags.host} port=${port} user=${user} dbname=${policy.dataset}${secure}"`,
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
