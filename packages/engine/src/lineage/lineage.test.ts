// What is noticed when parts of a dataset's state are gone, or are put back to what they were.

import { isLongForm } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError, rational } from "@dosimeter/core"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openEngine, type Engine, type EngineOptions } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { anchorHome } from "./anchor-home.ts"

const policy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 2, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  patients: { unit: id, keys: [[id]], columns: { sex: { values: [f, m], nullable: false } } }
`
const count = "SELECT COUNT(*) FROM patients WHERE sex = 'f'"

let original = ""
let folder = ""
let home = ""
beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), "dosimeter-lineage-"))
  const instance = await DuckDBInstance.create(join(original, "ward.duckdb"))
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex FROM range(300) r(i)`,
  )
  connection.closeSync()
  instance.closeSync()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-lineage-"))
  copyFileSync(join(original, "ward.duckdb"), join(folder, "ward.duckdb"))
  home = freshHome()
  const own = folder
  return () => rmSync(own, { recursive: true })
})
afterAll(() => rmSync(original, { recursive: true }))

const inState = (name: string): string => join(folder, ".dosimeter", name)
const anchors = (): string => join(home, "dosimeter", "anchors")

async function open(text = policy, more: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({ policy: text, folder, ...more })
}

/** Asks once, and closes. */
async function asked(text = policy, more: Partial<EngineOptions> = {}): Promise<void> {
  const engine = await open(text, more)
  await engine.ask(count)
  await engine.close()
}

/** How an opening ends: the code of its refusal, or what is spent, in questions. */
async function outcome(text = policy, more: Partial<EngineOptions> = {}): Promise<string> {
  try {
    const engine = await open(text, more)
    const { spent } = await engine.account()
    await engine.close()
    return spent.numerator === 0n ? "a whole budget" : "what was spent stays spent"
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
}

const parts = ["ledger", "anchor", "key", "prepared", "audit"] as const
type Part = (typeof parts)[number]

function remove(part: Part): void {
  switch (part) {
    case "ledger":
      for (const end of ["", "-wal", "-shm"]) rmSync(inState(`ward.ledger${end}`), { force: true })
      return
    case "anchor":
      for (const name of readdirSync(anchors())) rmSync(join(anchors(), name))
      return
    case "key":
    case "prepared":
      rmSync(inState(`ward.${part}`))
      return
    case "audit":
      rmSync(inState("audit"))
      return
    default:
      part satisfies never
  }
}

/** What stands for the audit trail of a server. */
const remembers = async (): Promise<string | undefined> =>
  existsSync(inState("audit")) ? "the audit trail knows of 1 answered question" : undefined

/** The outcome for each part that is gone: 1 means gone, in the order of `parts`. */
function expected(gone: ReadonlySet<Part>): string {
  if (!gone.has("ledger")) return gone.has("anchor") ? "ledger/anchor-missing" : "what was spent stays spent"
  // The ledger is gone: anything that is left remembers it. Copies do where their key is gone; with the key,
  // the key itself does.
  return gone.size === parts.length ? "a whole budget" : "ledger/lost"
}

describe("[B9] each part that is left remembers the others", () => {
  let whole = ""
  beforeAll(async () => {
    whole = mkdtempSync(join(tmpdir(), "dosimeter-lineage-"))
    copyFileSync(join(original, "ward.duckdb"), join(whole, "ward.duckdb"))
    ;[folder, home] = [whole, freshHome()]
    await asked()
    writeFileSync(inState("audit"), "")
    cpSync(join(whole, ".dosimeter"), join(whole, "saved"), { recursive: true })
    cpSync(anchors(), join(whole, "anchors"), { recursive: true })
  })
  afterAll(() => rmSync(whole, { recursive: true }))
  const subsets = Array.from({ length: 2 ** parts.length }, (_, bits) =>
    parts.filter((_part, place) => (bits >> place) % 2 === 1),
  )
  // One part gone, one part left, none, and of the others every ninth.
  const some = subsets.filter(
    (gone, place) => gone.length === 1 || gone.length >= parts.length - 1 || place % 9 === 0,
  )
  test.each(
    (isLongForm ? subsets : some).map(
      (gone) => [gone.length === 0 ? "nothing" : gone.join(", "), gone] as const,
    ),
  )("gone: %s", async (_name, gone) => {
    rmSync(join(whole, ".dosimeter"), { recursive: true })
    cpSync(join(whole, "saved"), join(whole, ".dosimeter"), { recursive: true })
    ;[folder, home] = [whole, freshHome()]
    cpSync(join(whole, "anchors"), anchors(), { recursive: true })
    gone.forEach(remove)
    expect(await outcome(policy, { remembers })).toBe(expected(new Set(gone)))
  })
})

describe("[B9] an old copy", () => {
  const saved = (): string => join(folder, "saved")
  beforeEach(async () => {
    await asked()
    cpSync(join(folder, ".dosimeter"), join(saved(), "state"), { recursive: true })
    cpSync(anchors(), join(saved(), "anchors"), { recursive: true })
    const engine = await open()
    await engine.ask("SELECT COUNT(*) FROM patients WHERE sex = 'm'")
    await engine.close()
  })
  const restore = (name: string): void => copyFileSync(join(saved(), "state", name), inState(name))
  const restoreLedger = (): void => {
    remove("ledger")
    restore("ward.ledger")
  }
  const restoreAnchors = (): void => cpSync(join(saved(), "anchors"), anchors(), { recursive: true })

  test.each([
    ["the ledger", restoreLedger, "ledger/rolled-back"],
    [
      "all of .dosimeter",
      () => {
        rmSync(join(folder, ".dosimeter"), { recursive: true })
        cpSync(join(saved(), "state"), join(folder, ".dosimeter"), { recursive: true })
      },
      "ledger/rolled-back",
    ],
    ["the anchor, which only lags behind", restoreAnchors, "what was spent stays spent"],
    ["the key", () => restore("ward.key"), "what was spent stays spent"],
    ["the copies", () => restore("ward.prepared"), "what was spent stays spent"],
    [
      "ledger and anchor together, which nothing can notice",
      () => {
        restoreLedger()
        restoreAnchors()
      },
      "what was spent stays spent",
    ],
  ])("of %s", async (_what, put, code) => {
    put()
    expect(await outcome()).toBe(code)
  })
})

describe("[B9] the same data", () => {
  const other = policy.replace("dataset: ward", "dataset: clinic")

  test("under another name has no second budget", async () => {
    await asked()
    const refused = await open(other).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: "ledger/lost" })
    expect(String(refused)).toContain("the same data is the dataset ward")
    // Whichever of the three is left of the first dataset.
    remove("anchor")
    expect(await outcome(other)).toBe("ledger/lost")
    renameSync(inState("ward.key"), inState("ward.hidden"))
    expect(await outcome(other)).toBe("ledger/lost")
    remove("ledger")
    expect(await outcome(other)).toBe("a whole budget")
  })

  test("by another path, or with a policy elsewhere, is still the same data", async () => {
    await asked()
    expect(await outcome(other.replace("ward.duckdb", "./x/../ward.duckdb"))).toBe("ledger/lost")
    const elsewhere = mkdtempSync(join(tmpdir(), "dosimeter-lineage-"))
    const absolute = other.replace("ward.duckdb", join(folder, "ward.duckdb"))
    expect(await outcome(absolute, { folder: elsewhere })).toBe("ledger/lost")
    rmSync(elsewhere, { recursive: true })
  })

  test("of another hospital has a budget of its own, under the same name", async () => {
    await asked()
    const next = mkdtempSync(join(tmpdir(), "dosimeter-lineage-"))
    copyFileSync(join(original, "ward.duckdb"), join(next, "ward.duckdb"))
    expect(await outcome(policy, { folder: next })).toBe("a whole budget")
    expect(await outcome()).toBe("what was spent stays spent")
    expect(readdirSync(anchors())).toHaveLength(2)
    rmSync(next, { recursive: true })
  })

  test("moves with its folder", async () => {
    await asked()
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    expect(await outcome(policy, { folder: moved })).toBe("what was spent stays spent")
    // The place that it left may have another.
    cpSync(original, folder, { recursive: true })
    expect(await outcome()).toBe("a whole budget")
    expect(await outcome(policy, { folder: moved })).toBe("what was spent stays spent")
    rmSync(moved, { recursive: true })
  })
})

describe("[B9] people get over a loss", () => {
  const decision = { what: "acknowledge", by: ["olga"], why: "the disk broke" } as const

  test("and all budget counts as spent", async () => {
    await asked()
    remove("ledger")
    const engine = await open(policy, { held: true })
    expect((await engine.ledger.trouble())?.code).toBe("ledger/lost")
    await expect(engine.ask(count)).rejects.toMatchObject({ code: "ledger/lost" })
    await engine.decide(decision)
    expect(await engine.ledger.trouble()).toBeUndefined()
    await expect(engine.ask(count)).rejects.toMatchObject({ code: "budget/exhausted" })
    await engine.close()
    expect(readdirSync(anchors())).toHaveLength(1)
    expect(await outcome()).toBe("what was spent stays spent")
  })

  test("or what two of them state, which is not less than the anchor knows", async () => {
    await asked()
    const first = await open()
    const { spent, left } = await first.account()
    await first.close()
    remove("ledger")
    const engine = await open(policy, { held: true })
    const two = { ...decision, by: ["olga", "carl"] }
    const nothing = { amount: rational(0n), delta: rational(0n) }
    await expect(engine.decide({ ...two, spent: nothing })).rejects.toMatchObject({
      code: "ledger/less-than-known",
    })
    await expect(engine.decide({ ...decision, spent: left })).rejects.toMatchObject({
      code: "ledger/one-person",
    })
    await engine.decide({ ...two, spent: { amount: spent, delta: left.delta } })
    expect((await engine.account()).spent).toEqual(spent)
    await engine.ask(count)
    await engine.close()
    expect(await outcome()).toBe("what was spent stays spent")
  })

  test("of a missing anchor, while the dataset is open", async () => {
    const engine = await open()
    remove("anchor")
    await expect(engine.ask(count)).rejects.toMatchObject({ code: "ledger/anchor-missing" })
    await engine.decide(decision)
    await expect(engine.ask(count)).rejects.toMatchObject({ code: "budget/exhausted" })
    await engine.close()
  })
})

describe("[B8] a policy that says something else of losses", () => {
  test.each([
    ["neighbours", policy.replace("add-or-remove", "replace")],
    ["unit", policy.replace("unit: patient", "unit: row").replace("unit: id,", "unit: row,")],
    ["table patients", policy.replace("unit: id,", "unit: public,")],
  ])("is refused: %s", async (name, text) => {
    await asked()
    const refused = await open(text).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: "ledger/terms-differ" })
    expect(String(refused)).toContain(name)
    expect(await outcome()).toBe("what was spent stays spent")
  })

  test("as where the data is: people decide, and what was spent stays spent", async () => {
    await asked()
    renameSync(join(folder, "ward.duckdb"), join(folder, "moved.duckdb"))
    const text = policy.replace("ward.duckdb", "moved.duckdb")
    expect(await outcome(text)).toBe("ledger/terms-differ")
    const engine = await open(text, { held: true })
    const before = (await engine.account()).spent
    await engine.decide({ what: "rebind", by: ["olga"], why: "another folder" })
    expect((await engine.account()).spent).toEqual(before)
    await engine.close()
    expect(await outcome(text)).toBe("what was spent stays spent")
  })
})

describe("an anchor", () => {
  test("that lies beside the ledger moves into the user's folder", async () => {
    const beside = inState("ward.ledger.anchor")
    await asked(`${policy}anchor: .dosimeter/ward.ledger.anchor\n`)
    expect(existsSync(beside)).toBe(true)
    await asked()
    expect([existsSync(beside), readdirSync(anchors()).length]).toEqual([false, 1])
    const named = join(folder, "safe.anchor")
    await asked(`${policy}anchor: safe.anchor\n`)
    expect([existsSync(named), readdirSync(anchors()).length]).toEqual([true, 0])
    expect(JSON.parse(readFileSync(named, "utf8"))).toMatchObject({ dataset: "ward" })
    expect(await outcome()).toBe("ledger/anchor-missing")
  })

  test("lies where the system keeps such things, or beside the ledger where nothing lasts", () => {
    const context = { env: {}, platform: "linux", home: join(folder, "me"), isContainer: false } as const
    expect(anchorHome(context)).toEqual({ folder: join(folder, "me/.local/state/dosimeter/anchors") })
    const mac = { ...context, platform: "darwin" } as const
    expect(anchorHome(mac).folder).toContain("Application Support")
    const windows = { ...context, platform: "win32", env: { LOCALAPPDATA: join(folder, "local") } } as const
    expect(anchorHome(windows)).toEqual({ folder: join(folder, "local/dosimeter/anchors") })
    expect(anchorHome({ ...context, isContainer: true })).toMatchObject({ why: "container" })
    const volume = { ...context, isContainer: true, env: { XDG_STATE_HOME: join(folder, "volume") } }
    expect(anchorHome(volume)).toEqual({ folder: join(folder, "volume/dosimeter/anchors") })
    writeFileSync(join(folder, "file"), "")
    expect(anchorHome({ ...context, home: join(folder, "file") })).toMatchObject({ why: "unwritable" })
  })
})
