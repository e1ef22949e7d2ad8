// What `dosimeter serve` says when its doors are open.

import type { Engine } from "@dosimeter/engine"
import { hostname } from "node:os"
import { defaultLosses, roomFor } from "../../../answers/account-value.ts"
import { anchorWords } from "../show/anchor-words.ts"
import { isThisMachine, type HttpFlags } from "./http-door.ts"
import { budgetLine } from "../show/show-budget.ts"

/** The options of the command. */
export interface ServeFlags extends HttpFlags {
  readonly policy: string
  readonly pgPort: string
  readonly withoutStudies?: true
}

/** The open ports. */
export interface Ports {
  readonly pg: number
  readonly http: number
}

interface Greeted {
  readonly flags: ServeFlags
  readonly ports: Ports
  readonly setUpCode: string | undefined
}

/** Where the server is, and how to come in. */
export async function greeting(
  { policy, account, ledger, anchor }: Engine,
  { flags, ports, setUpCode }: Greeted,
): Promise<string> {
  const trouble = await ledger.trouble()
  const user = setUpCode === undefined ? "NAME" : "ada"
  const isEncrypted = flags.tlsCert !== undefined
  const scheme = isEncrypted ? "https" : "http"
  // "All addresses of the machine" is no address that a browser can open.
  const host = ["0.0.0.0", "::"].includes(flags.host) ? hostname() : flags.host
  const shown = host.includes(":") ? `[${host}]` : host
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
    `connect:  psql "host=${host} port=${ports.pg} user=${user} dbname=${policy.dataset}${isEncrypted ? " sslmode=require" : ""}"`,
    ...(trouble === undefined
      ? [`budget    ${budgetLine(await account(), "", true)}`]
      : [`NOTHING CAN BE CHARGED: ${trouble.message}`, `  ${trouble.help}`]),
    anchorWords(anchor),
    "Ctrl-C stops it",
    "",
  ].join("\n")
}

/** What is spent and left, in one line. */
export async function budgetInWords(engine: Engine): Promise<string> {
  const account = await engine.account()
  const room = roomFor(account, defaultLosses(engine.policy.terms))
  return budgetLine(account, `room for ${room} default questions`, true)
}
