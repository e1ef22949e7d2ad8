// Both doors of a server, opened as the options say and kept open until somebody stops them.

import type { Engine, Incident } from "@dosimeter/engine"
import { randomBytes } from "node:crypto"
import { dirname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { Accounts } from "../../../people/accounts.ts"
import { questionsOf, tryLimitsOf } from "../../../questions/house.ts"
import { QuestionQueue } from "../../../questions/question-queue.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { Studies } from "../../../studies/studies.ts"
import { Tokens } from "../../../people/tokens.ts"
import { EngineAccess } from "../../pgwire/engine-access.ts"
import { openPgServer, type PgServer } from "../../pgwire/pg-server.ts"
import { isThisMachine, limitsOf, openHttp, portOf, portTaken } from "./http-door.ts"
import { incidentLine, incidentNotice } from "../show/incident-notice.ts"
import { budgetInWords, greeting, type Ports, type ServeFlags } from "./serve-greeting.ts"
import type { Session } from "../session/session.ts"

/** What is served. */
export interface Served {
  readonly engine: Engine
  readonly store: StateStore
  readonly flags: ServeFlags
  readonly session: Session
  /** What is said before the greeting, once the ports are known. */
  readonly before?: (ports: Ports) => string
}

/** Opens both doors, and keeps them open until the session is told to stop. */
export async function serveDoors({ engine, store, flags, session, before }: Served): Promise<void> {
  const accounts = new Accounts(store)
  const studies = flags.withoutStudies === true ? undefined : new Studies(store)
  const onIncident = (incident: Incident): void => session.note(incidentLine(incident))
  const questions = questionsOf({ engine, accounts, studies, store, onIncident })
  const limits = tryLimitsOf({ accounts, store })
  const tokens = new Tokens(store)
  // Both doors wait in one line.
  const queue = new QuestionQueue()
  const access = new EngineAccess({
    questions,
    queue,
    accounts,
    limits,
    tokens,
    requestsPerMinute: limitsOf(flags).requestsPerMinute,
    budget: () => budgetInWords(engine),
  })
  const isFirst = (await accounts.list()).length === 0
  const setUpCode = isFirst ? randomBytes(6).toString("hex") : undefined
  const tls = tlsOf(flags, session)
  const pg = await openPgDoor(access, flags, tls)
  try {
    const needsStudies = studies !== undefined
    const folder = dirname(resolve(session.folder, flags.policy))
    const door = { questions, queue, accounts, store, folder, limits, needsStudies, setUpCode }
    const http = await openHttp({ ...door, ...(tls === undefined ? {} : { tls }) }, flags, session)
    try {
      const ports = { pg: pg.port, http: http.port }
      session.out(`${before?.(ports) ?? ""}${await greeting(engine, { flags, ports, setUpCode })}`)
      session.note(incidentNotice(await engine.ledger.incidents()))
      await stopped(session.signal)
    } finally {
      await http.close()
    }
  } finally {
    await pg.close()
    await access.close()
    await questions.settled()
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

async function openPgDoor(access: EngineAccess, flags: ServeFlags, tls: Tls): Promise<PgServer> {
  const { host, pgPort } = flags
  const { connectionsPerAddress } = limitsOf(flags)
  const port = portOf("--pg-port", pgPort)
  // A proxy for HTTP does not encrypt for this door.
  const own = tls === undefined && !isThisMachine(host) ? "127.0.0.1" : host
  const shared = {
    access,
    host: own,
    port,
    ...(connectionsPerAddress === undefined ? {} : { connectionsPerAddress }),
  }
  const options = tls === undefined ? shared : { ...shared, tls, tlsRequired: true }
  return openPgServer(options).catch((error: unknown) => portTaken(error, pgPort, "--pg-port"))
}

async function stopped(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted === true) resolve()
    else signal?.addEventListener("abort", () => resolve(), { once: true })
  })
}
