// A coordinator's port, open until somebody stops it.

import { arrivedBell } from "../../../federation/coordinator/desk.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import { randomBytes } from "node:crypto"
import { fail } from "../../../errors.ts"
import { Accounts } from "../../../people/accounts.ts"
import { Sessions } from "../../../people/sessions.ts"
import { Tokens } from "../../../people/tokens.ts"
import { tryLimitsOf } from "../../../questions/house.ts"
import { openCoordinatorDoor } from "../../http/open-coordinator-door.ts"
import { isThisMachine, portOf, portTaken } from "../serve/http-door.ts"
import type { Session } from "../session/session.ts"
import type { OpenStudy } from "./open-study.ts"

/** The options of the command. */
export interface CoordinatorServeFlags {
  readonly study: string
  readonly host: string
  readonly httpPort: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: true
}

/** How often the clock of jobs is looked at, in milliseconds. */
const lookMs = 1000

/** Serves until the session is told to stop. */
export async function serveCoordinator(
  { coordinator, jobs, policy }: OpenStudy,
  flags: CoordinatorServeFlags,
  session: Session,
): Promise<void> {
  const { host, httpPort, behindProxy } = flags
  const { store, desk, signer, study: name, bells } = coordinator
  const tls = tlsOf(flags, session)
  const accounts = new Accounts(store)
  const isFirst = (await accounts.list()).length === 0
  const setUpCode = isFirst ? randomBytes(6).toString("hex") : undefined
  const door = await openCoordinatorDoor({
    desk,
    people: { accounts, sessions: new Sessions(store), tokens: new Tokens(store) },
    lead: { coordinator, jobs, policy, limits: tryLimitsOf({ accounts, store }), setUpCode },
    host,
    port: portOf("--http-port", httpPort),
    behindProxy: behindProxy === true,
    ...(tls === undefined ? {} : { tls }),
  }).catch((error: unknown) => portTaken(error, httpPort, "--http-port"))
  try {
    const scheme = tls === undefined ? "http" : "https"
    const first =
      setUpCode === undefined
        ? ""
        : `Nobody has an account yet; the code that makes the first: ${setUpCode}\n`
    session.out(`The study ${name} is coordinated at ${scheme}://${host}:${door.port}
Fingerprint of this coordinator: ${fingerprintOf(signer.publicKey)}
${first}`)
    while (session.signal?.aborted !== true) {
      if (!(await jobs.step())) await bells.wait(arrivedBell, lookMs, session.signal)
    }
  } finally {
    // Requests that are held go first: a stop does not wait for them.
    coordinator.close()
    await door.close()
  }
}

function tlsOf(
  { host, tlsCert, tlsKey, behindProxy }: CoordinatorServeFlags,
  session: Session,
): { readonly cert: string; readonly key: string } | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { cert: session.read(tlsCert), key: session.read(tlsKey) }
  }
  if (!isThisMachine(host) && behindProxy !== true) fail("serve/no-certificate", { host })
  return undefined
}
