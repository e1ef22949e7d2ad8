import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { searchAudit } from "../audit/audit.ts"
import { Consents, type Decision } from "./consents.ts"
import { linkParticipant } from "../people/participants.ts"
import { readConsents } from "./read-consents.ts"
import { StoredConsent } from "./stored-consent.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"

const [anything, general, health, disease] = ["DUO:0000004", "DUO:0000042", "DUO:0000006", "DUO:0000007"]
const { ada, olga, pat } = people
const byFile = { source: "file.csv", actor: olga }
let now = new Date("2026-05-01T12:00:00Z")
let store: StateStore
let consents: Consents

beforeEach(() => {
  now = new Date("2026-05-01T12:00:00Z")
  store = openSqliteState(":memory:")
  consents = new Consents(store, { unitType: "integer", now: () => now })
})

const said = (participant: string, purpose: string, decision: Decision, decidedAt = "2026-04-01") => ({
  participant,
  purpose,
  decision,
  decidedAt,
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

const source = () =>
  new StoredConsent(
    () => store,
    () => now,
  )
const agreed = async (...purposes: readonly string[]) => (await source().current(purposes)).units("required")
const withdrew = async (...purposes: readonly string[]) => (await source().current(purposes)).units("opt-out")

describe("[G1] what holds", () => {
  test("the later decision, for the purpose or the nearest wider one", async () => {
    await consents.add(
      [
        said("1", general, "given"),
        said("2", general, "given"),
        said("2", health, "withdrawn"),
        said("3", anything, "withdrawn"),
        said("3", disease, "given"),
      ],
      byFile,
    )
    expect(await agreed(general)).toEqual(["1", "2"])
    expect(await agreed(health)).toEqual(["1"])
    expect(await agreed(disease)).toEqual(["1", "3"])
    expect(await agreed(disease, general)).toEqual(["1"])
    expect(await withdrew(health)).toEqual(["2", "3"])
    expect(await withdrew(disease)).toEqual(["2"])
    expect(await agreed()).toEqual([])
  })

  test("what was decided earlier and handed in later does not hold", async () => {
    await consents.add([said("7", health, "given", "2026-01-01")], byFile)
    expect(await consents.add([said("007", health, "given", "2026-03-01")], byFile)).toBe(0)
    expect(await consents.add([said("7", health, "withdrawn", "2026-02-01")], byFile)).toBe(0)
    expect(await agreed(health)).toEqual(["7"])
    await consents.add([said("9", health, "given")], byFile)
    expect(await agreed(health)).toEqual(["7", "9"])
    expect((await consents.history("7")).map(({ decidedAt }) => decidedAt.slice(0, 7))).toEqual([
      "2026-03",
      "2026-02",
      "2026-01",
    ])
    expect(await consents.of("+7")).toMatchObject([
      { decision: "given", source: "file.csv", recordedBy: "olga" },
    ])
    // Sent again it is not written again.
    await consents.add([said("7", health, "withdrawn", "2026-02-01")], byFile)
    expect(await consents.history("7")).toHaveLength(3)
  })

  test("a version changes with what holds, and for the purposes that it concerns", async () => {
    const versions = async () => [
      (await source().current([health])).version,
      (await source().current(["DUO:0000011"])).version,
    ]
    expect(await versions()).toEqual(["0", "0"])
    await consents.add([said("1", health, "given")], byFile)
    const first = await versions()
    expect(first[0]).toMatch(/^1-[0-9a-f]{12}$/)
    expect(first[1]).toBe("0")
    await consents.add([said("1", health, "given", "2026-04-02")], byFile)
    expect(await versions()).toEqual(first)
    const old = await source().current([health])
    await consents.add([said("1", general, "withdrawn"), said("2", health, "given")], byFile)
    expect((await versions())[0]).toMatch(/^2-/)
    expect((await versions())[1]).toMatch(/^2-/)
    // What was looked up before stays as it was.
    expect(await old.units("required")).toEqual(["1"])
  })

  test("with a daily refresh, a decision counts from the next midnight on", async () => {
    const daily = async () => (await source().current([health], "daily")).units("required")
    await consents.add([said("1", health, "given")], byFile)
    expect(await daily()).toEqual([])
    now = new Date("2026-05-02T00:00:00Z")
    expect(await daily()).toEqual(["1"])
  })
})

test("participants decide for themselves, owners hand in, and nobody else decides", async () => {
  const portal = { source: "portal", actor: pat }
  const own = [said("8", health, "withdrawn", now.toISOString())]
  expect(await codeOf(consents.add(own, portal))).toBe("consent/not-allowed")
  await linkParticipant(store, "pat", "8")
  expect(await codeOf(linkParticipant(store, "pia", "8"))).toBe("consent/linked-already")
  expect(await consents.add(own, portal)).toBe(1)
  expect(await codeOf(consents.add([said("9", health, "given")], portal))).toBe("consent/not-allowed")
  expect(await codeOf(consents.add(own, { source: "x", actor: ada }))).toBe("consent/not-allowed")
  const [entry] = await searchAudit(store, { what: "consent-changed" })
  expect(entry).toMatchObject({ who: "a participant", facts: { decisions: "1", source: "portal" } })
  expect(JSON.stringify(entry)).not.toContain('"8"')
})

test.each([
  ["consent/bad-purpose", said("1", "DUO:0000018", "given")],
  ["consent/bad-time", said("1", "DUO:0000006", "given", "2026-05-02")],
  ["consent/bad-time", said("1", "DUO:0000006", "given", "yesterday")],
  ["consent/bad-participant", said("1; DROP", "DUO:0000006", "given")],
])("%s: nothing is guessed", async (code, decision) => {
  expect(await codeOf(consents.add([said("5", health, "given"), decision], byFile))).toBe(code)
  expect(await agreed(health)).toEqual([])
})

describe("files", () => {
  test("tables", () => {
    const csv = `Participant,Purpose,Decision,Date\r\n1,DUO:0000006,given,2026-01-01\n"2","DUO:0000042",withdrawn,2026-01-02T10:00:00+01:00\n\n`
    expect(readConsents(csv, "integer")).toEqual({
      problems: [],
      decisions: [
        said("1", health, "given", "2026-01-01"),
        said("2", general, "withdrawn", "2026-01-02T10:00:00+01:00"),
      ],
    })
  })

  test.each([
    ["person,purpose,decision,date\n1,DUO:0000006,given,2026-01-01", "line 1: its columns are not"],
    ["participant,purpose,decision,date\n1,DUO:0000006,maybe,2026-01-01", "line 2: the decision is neither"],
    ["participant,purpose,decision,date\n1,DUO:0000006,given", "line 2: it has 3 cells"],
    [
      "participant,purpose,decision,date\nx,DUO:0000006,given,2026-01-01",
      "line 2: the participant is no integer",
    ],
    [
      'participant,purpose,decision,date\n"1\n",DUO:0000006,given,2026-01-01\n1,a,given,2026-01-01',
      "line 4: the purpose",
    ],
    ["participant,purpose,decision,date\n1,DUO:0000006,given,01.02.2026", "line 2: the date"],
    ["", "line 1"],
    ["participant,purpose,decision,date\n", "no decision in it"],
  ])("a table that is not understood is refused with its place: %j", (csv, problem) => {
    expect(readConsents(csv, "integer").problems.join("; ")).toContain(problem)
  })

  const consent = {
    resourceType: "Consent",
    id: "c1",
    status: "active",
    scope: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/consentscope", code: "research" }] },
    category: [{ coding: [{ system: "http://loinc.org", code: "59284-0" }] }],
    patient: { reference: "Patient/12" },
    dateTime: "2026-01-05",
    provision: {
      type: "permit",
      purpose: [
        { system: "http://terminology.hl7.org/CodeSystem/v3-ActReason", code: "HRESCH" },
        { system: "http://purl.obolibrary.org/obo/duo.owl", code: "DUO_0000011" },
      ],
    },
  }

  test("FHIR: one resource, a bundle, lines", () => {
    const expected = [
      said("12", health, "given", "2026-01-05"),
      said("12", "DUO:0000011", "given", "2026-01-05"),
    ]
    const ended = { ...consent, status: "inactive" }
    const denied = { ...consent, provision: { ...consent.provision, type: "deny" } }
    expect(readConsents(JSON.stringify(consent), "integer").decisions).toEqual(expected)
    const bundle = {
      resourceType: "Bundle",
      type: "searchset",
      entry: [{ resource: consent }, { resource: ended }],
    }
    expect(
      readConsents(JSON.stringify(bundle, null, 2), "integer").decisions.map(({ decision }) => decision),
    ).toEqual(["given", "given", "withdrawn", "withdrawn"])
    const lines = [consent, denied].map((one) => JSON.stringify(one)).join("\n")
    expect(readConsents(lines, "integer").decisions.map(({ decision }) => decision)).toEqual([
      "given",
      "given",
      "withdrawn",
      "withdrawn",
    ])
  })

  test.each([
    [{ resourceType: "Patient" }, "it is no Consent"],
    [{ status: "draft" }, "its status"],
    [{ scope: { coding: [{ code: "treatment" }] } }, "its scope is not research"],
    [{ patient: { display: "Ada" } }, "names no patient"],
    [{ dateTime: undefined }, "no dateTime"],
    [{ provision: undefined }, "no provision"],
    [{ modifierExtension: [] }, "modifierExtension is not understood"],
    [{ provision: { ...consent.provision, period: { end: "2027-01-01" } } }, "cannot be kept: period"],
    [{ provision: { ...consent.provision, provision: [] } }, "cannot be kept: provision"],
    [{ provision: { type: "permit" } }, "a purpose that is not understood"],
    [{ provision: { type: "permit", purpose: [{ code: "TREAT" }] } }, "a purpose that is not understood"],
    [{ status: "inactive", provision: { ...consent.provision, type: "deny" } }, "no longer denies"],
  ])("a resource with %j is refused", (change, problem) => {
    const { problems, decisions } = readConsents(JSON.stringify({ ...consent, ...change }), "integer")
    expect(problems.join("; ")).toContain(problem)
    expect(decisions).toEqual([])
  })

  test("lines that are no JSON", () => {
    expect(readConsents(`${JSON.stringify(consent)}\n{`, "integer").problems).toEqual([
      "line 2: it is no JSON",
    ])
  })
})

describe("a house where people are asked", () => {
  let house: SmallHouse
  const sql = "SELECT sex, COUNT(*) FROM patients GROUP BY sex"

  beforeAll(async () => {
    house = await openSmallHouse("consent: required\n")
    await house.openStudy("heart", { epsilon: "10" })
    const all = Array.from({ length: 300 }, (_, id) => said(`${id}`, health, "given", "2026-01-01"))
    await house.consents.add(all, byFile)
    await linkParticipant(house.store, "pat", "8")
  })

  afterAll(() => house.close())

  test("[G1] a participant withdraws and is absent from the next answer", async () => {
    const question = { sql, ask: { epsilon: { numerator: 1n, denominator: 1n } } }
    const before = await house.questions.ask("ada", question)
    expect((await house.questions.ask("ada", question)).origin).toBe("recorded")
    const withdrawn = [said("8", health, "withdrawn", new Date().toISOString())]
    await house.consents.add(withdrawn, { source: "portal", actor: pat })
    const after = await house.questions.ask("ada", question)
    expect(after.origin).toBe("released")
    expect(before.receipt).toMatchObject({
      consent: { purposes: [health], version: expect.stringMatching(/^1-/) },
    })
    expect(after.receipt).toMatchObject({ consent: { version: expect.stringMatching(/^2-/) } })
  })
})
