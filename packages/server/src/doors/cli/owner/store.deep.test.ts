import { findPostgres, type PostgresCluster } from "@dosimeter/engine/testing/postgres"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import {
  smallHospital,
  type AccountsJson,
  type Ran,
  type SmallHospital,
} from "../../../testing/small-hospital.ts"

const found = findPostgres()
const count = "SELECT COUNT(*) AS n FROM person"
let cluster: PostgresCluster
let hospital: SmallHospital
let store = ""
/** The same hospital on another machine. */
let other = ""
beforeAll(async () => {
  if ("missing" in found) return
  cluster = found.open()
  store = await cluster.database()
  hospital = await smallHospital()
  other = mkdtempSync(join(tmpdir(), "dosimeter-other-"))
})
afterAll(async () => {
  if ("missing" in found) return
  await cluster.stop()
  hospital.remove()
  rmSync(other, { recursive: true })
})

const run = async (line: string, ...more: readonly string[]): Promise<Ran> =>
  hospital.run(...line.split(" "), ...more, "--store", store)

async function runThere(...args: readonly string[]): Promise<Ran> {
  let [out, error] = ["", ""]
  const code = await runCommand(args, {
    folder: other,
    out: (text) => (out += text),
    error: (text) => (error += text),
    // As from the environment.
    store,
  })
  return { code, out, error }
}

/** Serves the hospital in a folder until it is told to stop. */
async function serve(
  folder: string,
): Promise<{ readonly port: number; readonly stop: () => Promise<number> }> {
  const controller = new AbortController()
  let ready: (port: number) => void = () => {}
  const listening = new Promise<number>((resolve) => {
    ready = resolve
  })
  const serving = runCommand(["serve", "--pg-port", "0", "--http-port", "0", "--store", store], {
    folder,
    out: (text) => ready(Number(/port (\d+)/.exec(text)?.[1] ?? 0)),
    error: () => {},
    signal: controller.signal,
  })
  const stop = async (): Promise<number> => {
    controller.abort()
    return serving
  }
  const failed = serving.then((code) => Promise.reject(new Error(`serve ended with ${code}`)))
  // When it is stopped later, that is no failure any more.
  failed.catch(() => undefined)
  return { port: await Promise.race([listening, failed]), stop }
}

async function askAt(port: number, ...statements: readonly string[]): Promise<readonly string[]> {
  const login = { host: "127.0.0.1", port, user: "mia", password: "a good password", database: "hospital" }
  const client = new pg.Client(login)
  await client.connect()
  const answers: string[] = []
  for (const sql of statements) {
    answers.push(
      await client.query(sql).then(
        () => "answered",
        (error: unknown) => /\[(.+)\]/.exec(String(error))?.[1] ?? String(error),
      ),
    )
  }
  await client.end()
  return answers
}

describe.skipIf("missing" in found)("a shared store", () => {
  test("a ledger and its accounts move from files into it, and what was spent stays spent", async () => {
    await hospital.run("ask", count)
    await hospital.type("a good password", "user", "add", "olga", "--role", "owner", "--password-stdin")
    const early = await run("ask", "SELECT COUNT(*) FROM visit_occurrence")
    expect(early.error).toContain("error[ledger/rolled-back]: ")
    const moved = await run("ledger move")
    expect(moved.out).toMatch(
      /holds the ledger now: 4 entries; rows of accounts and studies: \d+\nhead {2}[0-9a-f]{64}\n$/,
    )
    expect(existsSync(join(hospital.folder, ".dosimeter/hospital.ledger.moved"))).toBe(true)
    expect((await run("ask", count)).out).toContain("recorded answer, free")
    expect((await run("user list")).out).toMatch(/\nolga {2}owner /)
    // Who forgets to name the store does not begin a second budget.
    expect((await hospital.run("ask", count)).error).toContain("error[ledger/rolled-back]: ")
    await hospital.type("a good password", "user", "add", "zoe", "--password-stdin")
    expect((await run("ledger move")).error).toContain("error[cli/state-not-empty]: ")
  })

  test("a machine joins by a head that it is told", async () => {
    cpSync(hospital.folder, other, { recursive: true })
    for (const name of ["hospital.ledger.anchor", "hospital.ledger"])
      rmSync(join(other, ".dosimeter", name), { force: true })
    expect((await runThere("budget")).error).toContain("error[ledger/not-joined]: ")
    expect((await runThere("ledger", "join", "--head", "x")).error).toContain("error[cli/bad-option]: ")
    const head = /head {2}(\S+)/.exec((await run("ledger verify")).out)?.[1] ?? ""
    expect((await runThere("ledger", "join", "--head", head)).out).toContain("this machine has joined")
    expect((await runThere("budget")).code).toBe(0)
    expect((await runThere("receipts")).out).toContain("released")
  })

  test("what one server decides holds at once at the others, and a budget is one", async () => {
    const roles = { carl: "committee", dana: "committee", mia: "analyst" }
    for (const [name, role] of Object.entries(roles)) {
      await hospital.type(
        "a good password",
        "user",
        "add",
        name,
        "--role",
        role,
        "--password-stdin",
        "--store",
        store,
      )
    }
    await run(
      "study propose heart --as mia --title Heart --purpose DUO:0000006 --from 2020-01-01 --to 2099-12-31 --epsilon 0.5 --delta 2e-8",
    )
    await run("study submit heart --as mia")
    await run("study approve heart --as carl --why sound")
    await run("study approve heart --as dana --why useful")
    const [here, there] = [await serve(hospital.folder), await serve(other)]
    expect(await askAt(there.port, count)).toEqual(["study/none"])
    expect((await run("study activate heart --as olga")).out).toContain("heart is active")
    // Of people: a number of rows would be charged for its ladder too.
    const questions = (table: string): readonly string[] =>
      [1, 2, 3].map(
        (day) => `SELECT COUNT(DISTINCT person_id) AS n${day} FROM ${table} WHERE person_id > ${day}`,
      )
    const epsilon = "SET dosimeter.epsilon = 0.2"
    const answers = await Promise.all([
      askAt(here.port, epsilon, ...questions("person")),
      askAt(there.port, epsilon, ...questions("visit_occurrence")),
    ])
    const outcomes = answers.flat()
    expect(outcomes).toContain("budget/exhausted")
    await run("study suspend heart --as carl --why complaint")
    for (const { port } of [here, there]) expect(await askAt(port, count)).toEqual(["study/none"])
    expect([await here.stop(), await there.stop()]).toEqual([0, 0])
    const { accounts }: AccountsJson = JSON.parse((await run("budget --json")).out)
    const { receipts }: { readonly receipts: readonly unknown[] } = JSON.parse(
      (await run("receipts --json")).out,
    )
    expect(accounts.map(({ name }) => name)).toContain("study:heart")
    // One was charged before it moved; the rest are those that were answered, besides the two settings.
    expect(receipts).toHaveLength(1 + outcomes.filter((outcome) => outcome === "answered").length - 2)
    expect((await run("ledger verify")).code).toBe(0)
  })

  test("what is typed holds no password, and is an address", async () => {
    const code = async (...args: readonly string[]): Promise<string> =>
      /error\[(.+?)\]/.exec((await hospital.run(...args)).error)?.[1] ?? ""
    expect(await code("budget", "--store", "postgres://ada:secret@db/x")).toBe("cli/store-password")
    expect(await code("budget", "--store", "db.example.org")).toBe("store/bad-address")
    expect(await code("user", "list", "--store", "postgres://ada@127.0.0.1:1/x")).toBe("store/unreachable")
    expect(await code("ledger", "move")).toBe("cli/no-store")
    expect(await code("ledger", "join", "--head", "f".repeat(64))).toBe("cli/no-store")
  })
})
