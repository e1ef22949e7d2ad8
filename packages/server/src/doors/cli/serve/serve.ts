// `dosimeter serve`: a dataset behind two doors, one for browsers and programs, one for clients of PostgreSQL.

import { Option, type Command } from "commander"
import { withDataset } from "../session/dataset.ts"
import { serveDoors } from "./serve-doors.ts"
import type { ServeFlags } from "./serve-greeting.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

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
    .option("--requests-per-minute <n>", "of one account at each door, and of one address over HTTP", "600")
    .option("--connections-per-address <n>", "at each door, at once; a quarter of all (250) if left out")
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
      withDataset(
        session,
        flags.policy,
        async (engine) =>
          withState(session, flags.policy, async (store) => {
            await serveDoors({ engine, store, flags, session })
          }),
        // So that owner and committee can decide on the screen.
        { held: true },
      ),
    )
}
