// The end of the demo: the made-up hospital is served, with made-up people of every role and a study that a
// committee has approved, all made by the modules that a real house uses.

import type { Engine } from "@dosimeter/engine"
import { createServer } from "node:net"
import { Accounts } from "../../../people/accounts.ts"
import { activateStudy } from "../../../studies/activate-study.ts"
import { makeUpPassword } from "../../../people/password-hash.ts"
import type { Role } from "../../../people/roles.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { Studies } from "../../../studies/studies.ts"
import { withDataset } from "../session/dataset.ts"
import { serveDoors } from "./serve-doors.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

/** Somebody who does not exist. */
interface MadeUp {
  readonly name: string
  readonly role: Role
  readonly password: string
}

const host = "127.0.0.1"

/** Makes people and a study, and serves until somebody stops it. */
export async function serveDemo(policy: string, session: Session): Promise<void> {
  await withDataset(session, policy, async (engine) =>
    withState(session, policy, async (store) => {
      const people = await makePeople(store)
      await makeStudy(store, engine)
      const ports = { http: await freePort(8080), pg: await freePort(5433) }
      const flags = {
        policy,
        host,
        httpPort: `${ports.http}`,
        pgPort: `${ports.pg}`,
        requestsPerMinute: "600",
        log: "warn",
      } as const
      await serveDoors({ engine, store, flags, session, before: (open) => signIn(people, open, engine) })
    }),
  )
}

const roleOf: Readonly<Record<string, Role>> = {
  olga: "owner",
  ada: "analyst",
  carl: "committee",
  dana: "committee",
  eve: "auditor",
  paul: "participant",
}

async function makePeople(store: StateStore): Promise<readonly MadeUp[]> {
  const accounts = new Accounts(store)
  const people = Object.entries(roleOf).map(([name, role]) => ({ name, role, password: makeUpPassword() }))
  for (const { name, role, password } of people) {
    await accounts.add(name, role, password, { origin: "made-up" })
  }
  return people
}

/** Proposed by the analyst, approved by two of the committee, opened by the owner. */
async function makeStudy(store: StateStore, { ledger, policy }: Engine): Promise<void> {
  const studies = new Studies(store)
  const as = (name: string): { readonly name: string; readonly role: Role } => ({
    name,
    role: roleOf[name] ?? "participant",
  })
  const today = new Date()
  const inAYear = new Date(today.getTime() + 365 * 86_400_000)
  await studies.propose(
    {
      id: "heart",
      title: "Heart failure and readmission",
      summary: "How often people with heart failure come back within 30 days, by age and sex.",
      purposes: ["DUO:0000006"],
      people: [],
      starts: today.toISOString().slice(0, 10),
      ends: inAYear.toISOString().slice(0, 10),
      epsilon: "2",
      delta: "8e-8",
    },
    as("ada"),
  )
  await studies.submit("heart", as("ada"))
  const reviews = { carl: "a clear question and a small dose", dana: "useful to the ward" }
  for (const [name, reasons] of Object.entries(reviews)) {
    await studies.review("heart", { decision: "approve", reasons }, as(name))
  }
  await activateStudy(studies, "heart", { actor: as("olga"), ledger, policy })
}

function signIn(
  people: readonly MadeUp[],
  { http, pg }: { readonly http: number; readonly pg: number },
  { policy }: Engine,
): string {
  const lines = people.map(({ name, role, password }) => `  ${name.padEnd(6)}${role.padEnd(13)}${password}`)
  const password = people.find(({ name }) => name === "ada")?.password ?? ""
  return `
Made-up people, their roles and passwords, over HTTP and psql alike:
${lines.join("\n")}

ada may ask in the study heart, which carl and dana have approved:
  PGPASSWORD=${password} psql "host=${host} port=${pg} user=ada dbname=${policy.dataset}"
In a browser: http://${host}:${http}

`
}

/** The usual port, or any free one where another program has it. */
async function freePort(usual: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(0))
    probe.listen(usual, host, () => probe.close(() => resolve(usual)))
  })
}
