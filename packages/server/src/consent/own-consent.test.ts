// What a person is shown of consent is what the engine applies: for every combination of decisions.

import { afterAll, beforeAll, expect, test } from "vitest"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { Consents, type ConsentDecision, type Decision } from "./consents.ts"
import { ownPurposes, withNarrower } from "./own-consent.ts"
import { StoredConsent } from "./stored-consent.ts"
import { purposes as known } from "../studies/purposes.ts"
import { people } from "../testing/small-house.ts"

const codes = known.filter(({ kind }) => kind === "permission").map(({ code }) => code)
const choices: readonly (Decision | undefined)[] = [undefined, "given", "withdrawn"]
const modes = ["required", "opt-out"] as const
// The chains as the Data Use Ontology has them, written down a second time.
const chains: Readonly<Record<string, readonly string[]>> = {
  "DUO:0000004": ["DUO:0000004"],
  "DUO:0000042": ["DUO:0000042", "DUO:0000004"],
  "DUO:0000006": ["DUO:0000006", "DUO:0000042", "DUO:0000004"],
  "DUO:0000007": ["DUO:0000007", "DUO:0000006", "DUO:0000042", "DUO:0000004"],
  "DUO:0000011": ["DUO:0000011", "DUO:0000042", "DUO:0000004"],
}
const [now, tomorrow] = [new Date("2026-05-01T12:00:00Z"), new Date("2026-05-02T00:00:00Z")]

/** Person n has decided as the digits of n in base three say. */
const decisionsOf = (person: number): readonly (Decision | undefined)[] =>
  codes.map((_, index) => choices[Math.floor(person / 3 ** index) % 3])

const persons = Array.from({ length: 3 ** codes.length }, (_, person) => person)

let store: StateStore
let consents: Consents

beforeAll(async () => {
  store = openSqliteState(":memory:")
  consents = new Consents(store, { unitType: "integer", now: () => now })
  const all: ConsentDecision[] = persons.flatMap((person) =>
    decisionsOf(person).flatMap((decision, index) =>
      decision === undefined
        ? []
        : [{ participant: `${person}`, purpose: codes[index] ?? "", decision, decidedAt: "2026-04-01" }],
    ),
  )
  // Half of them had said the opposite before.
  const before = all
    .filter((_, index) => index % 2 === 0)
    .map(({ decision, ...rest }) => ({
      ...rest,
      decision: decision === "given" ? ("withdrawn" as const) : ("given" as const),
      decidedAt: "2026-03-01",
    }))
  await consents.add([...before, ...all], { source: "file.csv", actor: people.olga })
})
afterAll(async () => store.close())

const policyOf = (mode: (typeof modes)[number], consentRefresh?: "daily") => ({
  catalog: {
    dataset: "ward",
    unitName: "patient",
    neighbours: "add-or-remove" as const,
    tables: [],
    consent: { mode, purposes: [], version: "0", table: nothing },
  },
  ...(consentRefresh === undefined ? {} : { consentRefresh }),
})
const nothing = {
  name: "consent",
  path: ["consent"],
  unit: { kind: "public" as const },
  columns: [],
  keys: [],
}

test.each(modes)("every combination of decisions is shown as the engine applies it: %s", async (mode) => {
  for (const [index, code] of codes.entries()) {
    const { units } = await new StoredConsent(() => store).current([code])
    const listed = new Set(await units(mode))
    for (const person of persons) {
      const isRead = listed.has(`${person}`) === (mode === "required")
      const own = ownPurposes(await consents.history(`${person}`), policyOf(mode), now)[index]
      const decided = decisionsOf(person)
      const nearest = (chains[code] ?? []).map((one) => decided[codes.indexOf(one)]).find((one) => one)
      expect([own?.code, own?.included, own?.includedNext]).toEqual([code, isRead, isRead])
      expect(own?.because?.decision).toBe(nearest)
      expect(isRead).toBe(mode === "required" ? nearest === "given" : nearest !== "withdrawn")
    }
  }
})

test("one press refuses: also what is a yes because of a wider yes; and one press refuses everything", async () => {
  const participant = "1000"
  const say = async (purpose: string, decision: Decision, at: string): Promise<void> => {
    const all = decision === "withdrawn" && purpose === "DUO:0000004" ? withNarrower(purpose) : [purpose]
    await consents.add(
      all.map((one) => ({ participant, purpose: one, decision, decidedAt: at })),
      { source: "portal", actor: people.olga },
    )
  }
  const shown = async (): Promise<string> =>
    ownPurposes(await consents.history(participant), policyOf("required"), now)
      .filter(({ included }) => included)
      .map(({ code }) => code.slice(-2))
      .join(" ")
  await say("DUO:0000004", "given", "2026-04-01")
  expect(await shown()).toBe("04 42 06 07 11")
  await say("DUO:0000011", "withdrawn", "2026-04-02")
  expect(await shown()).toBe("04 42 06 07")
  const { units } = await new StoredConsent(() => store).current(["DUO:0000011"])
  expect(await units("required")).not.toContain(participant)
  await say("DUO:0000007", "given", "2026-04-03")
  await say("DUO:0000004", "withdrawn", "2026-04-04")
  expect(await shown()).toBe("")
})

test("decisions that count from midnight on are shown as they count now and then", async () => {
  const participant = "2000"
  const own = async (at: Date) =>
    ownPurposes(await consents.history(participant), policyOf("required", "daily"), at)[0]
  const source = (at: Date) =>
    new StoredConsent(
      () => store,
      () => at,
    )
  const isListed = async (at: Date): Promise<boolean> =>
    (await (await source(at).current(["DUO:0000004"], "daily")).units("required")).includes(participant)
  await consents.add([{ participant, purpose: "DUO:0000004", decision: "given", decidedAt: "2026-04-01" }], {
    source: "portal",
    actor: people.olga,
  })
  expect(await own(now)).toMatchObject({ included: false, includedNext: true })
  expect(await isListed(now)).toBe(false)
  expect(await own(tomorrow)).toMatchObject({ included: true, includedNext: true })
  expect(await isListed(tomorrow)).toBe(true)
})

test("where nobody is asked, nothing is shown as decided", async () => {
  const { consent: _consent, ...catalog } = policyOf("required").catalog
  expect(ownPurposes(await consents.history("1"), { catalog }, now)).toEqual([])
})
