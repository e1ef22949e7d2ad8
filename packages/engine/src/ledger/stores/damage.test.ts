import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DosimeterError, rational } from "@dosimeter/core"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterAll, describe, expect, test } from "vitest"
import { pureBudget, refusal, request } from "../../testing/ledger-fixtures.ts"
import { chainHash, emptyHash } from "../entries/chain.ts"
import type { Ledger } from "../ledger.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"
import { checkSqliteVersion } from "./sqlite-store.ts"

const folder = mkdtempSync(join(tmpdir(), "ledger-damage-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newPath = (): string => join(folder, `${(files += 1)}.ledger`)
const tenth = rational(1n, 10n)
const decision = { by: ["the owner"], why: "the disk is lost" }

async function open(
  path: string,
  changes: Partial<Parameters<typeof openSqliteLedger>[1]> = {},
): Promise<Ledger> {
  return openSqliteLedger(path, { dataset: "hospital", ...changes })
}

/** A ledger with a budget of 1 and some charges of a tenth, each released. */
async function spent(path: string, times: number): Promise<void> {
  const ledger = await open(path)
  await ledger.openAccount("dataset", pureBudget("1"))
  await spend(ledger, times)
  await ledger.close()
}

async function spend(ledger: Ledger, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const charge = await ledger.reserve(request(tenth))
    const kept = [{ subject: "visits", text: `${charge.position}` }]
    const release = { answer: `{"count":"${charge.position}"}`, receipt: `{"id":"${charge.position}"}`, kept }
    await ledger.settle(charge, { outcome: "released", release })
  }
}

/** Puts a copy in the place of a ledger, as from a backup. */
function restore(from: string, to: string): void {
  for (const file of [to, `${to}-wal`, `${to}-shm`]) rmSync(file, { force: true })
  copyFileSync(from, to)
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const drop = ["entries", "releases", "kept"].map(
    (name) => `DROP TRIGGER ${name}_stay; DROP TRIGGER ${name}_hold;`,
  )
  database.exec(`${drop.join("")} ${sql}`)
  database.close()
}

// The ledger has 8 entries: opening, budget, and three times charge and settlement.
const edits: readonly (readonly [what: string, sql: string, position: bigint])[] = [
  ["an amount", `UPDATE entries SET body = replace(body, '"1/10"', '"1/11"') WHERE position = 5`, 5n],
  ["one letter of a name", `UPDATE entries SET body = replace(body, 'ana', 'anb') WHERE position = 3`, 3n],
  ["a budget", `UPDATE entries SET body = replace(body, '"1"', '"9"') WHERE position = 2`, 2n],
  ["one digit of a hash", `UPDATE entries SET hash = 'f' || substr(hash, 2) || 'f' WHERE position = 4`, 4n],
  [
    "the last entry gone",
    "DELETE FROM entries WHERE position = 8; DELETE FROM releases WHERE position = 8",
    8n,
  ],
  ["an entry in the middle gone", "DELETE FROM entries WHERE position = 5", 5n],
  [
    "a gap closed",
    "DELETE FROM entries WHERE position = 5; UPDATE entries SET position = position - 1 WHERE position > 5",
    5n,
  ],
  [
    "two entries swapped",
    `UPDATE entries SET position = -1 WHERE position = 3; UPDATE entries SET position = 3 WHERE position = 5;
     UPDATE entries SET position = 5 WHERE position = -1`,
    3n,
  ],
  [
    "an entry too many",
    "INSERT INTO entries (position, hash, body) SELECT 9, 'x', body FROM entries WHERE position = 2",
    9n,
  ],
  ["everything gone", "DELETE FROM entries; DELETE FROM releases", 1n],
  ["a request under another key", `UPDATE entries SET request = '["ana","x"]' WHERE position = 3`, 3n],
  ["an outcome under another key", "UPDATE entries SET question = NULL WHERE position = 4", 4n],
]
const releaseEdits: readonly (readonly [what: string, sql: string, position: bigint])[] = [
  [
    "one letter of an answer",
    "UPDATE releases SET answer = replace(answer, '5', '6') WHERE position = 6",
    6n,
  ],
  ["a receipt", `UPDATE releases SET receipt = '{}' WHERE position = 6`, 6n],
  ["a release gone", "DELETE FROM releases WHERE position = 4", 4n],
  ["a release too many", "INSERT INTO releases VALUES (3, 'x', 'y')", 8n],
  ["one letter of a noisy table", "UPDATE kept SET text = '9' WHERE position = 6", 6n],
  ["a noisy table under another subject", "UPDATE kept SET subject = 'bills' WHERE position = 6", 6n],
  ["a noisy table gone", "DELETE FROM kept WHERE position = 4", 4n],
  ["a noisy table too many", "INSERT INTO kept VALUES (4, 1, 'visits', '1')", 4n],
  ["a noisy table of nothing", "INSERT INTO kept VALUES (3, 0, 'visits', '1')", 8n],
]

describe("[B3] an edit is found, with its place", () => {
  test.each(edits)("%s", async (_what, sql, position) => {
    const path = newPath()
    await spent(path, 3)
    const ledger = await open(path)
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 8n })
    change(path, sql)
    expect(await ledger.verify()).toMatchObject({ sound: false, position })
    await ledger.close()
    const error = await refusal(open(path))
    expect(["ledger/damaged", "ledger/rolled-back"]).toContain(error.code)
  })

  test.each(releaseEdits)("%s", async (_what, sql, position) => {
    const path = newPath()
    await spent(path, 3)
    const ledger = await open(path)
    const { entry } = (await ledger.entries(5n, 1))[0] ?? {}
    change(path, sql)
    expect(await ledger.verify()).toMatchObject({ sound: false, position })
    if (entry?.kind === "charge" && position === 6n) {
      expect((await refusal(ledger.find(entry))).code).toBe("ledger/damaged")
      const subject = sql.includes("bills") ? "bills" : "visits"
      expect((await refusal(ledger.kept(subject))).code).toBe("ledger/damaged")
    }
    await ledger.close()
  })

  test("any bit of any entry", async () => {
    const path = newPath()
    await spent(path, 1)
    const ledger = await open(path)
    for (let position = 1; position <= 4; position += 1) {
      const body = `substr(body, 1, 20) || char(unicode(substr(body, 21, 1)) + 1) || substr(body, 22)`
      const copy = newPath()
      copyFileSync(path, copy)
      copyFileSync(`${path}.anchor`, `${copy}.anchor`)
      change(copy, `UPDATE entries SET body = ${body} WHERE position = ${position}`)
      const error = await refusal(open(copy))
      expect(error.issues[0].facts).toMatchObject({ position: `${position}` })
    }
    await ledger.close()
  })

  test("a chain that was computed anew after an edit no longer meets its anchor", async () => {
    const path = newPath()
    await spent(path, 3)
    const database = new DatabaseSync(path)
    const rows: unknown[] = database.prepare("SELECT body FROM entries ORDER BY position").all()
    database.close()
    let hash = emptyHash
    const updates = rows.map((row, index) => {
      const body = String(Object.values(row ?? {})[0]).replace('"1/10"', '"1/20"')
      hash = chainHash(hash, body)
      return `UPDATE entries SET body = '${body}', hash = '${hash}' WHERE position = ${index + 1};`
    })
    change(path, updates.join("\n"))
    expect((await refusal(open(path))).code).toBe("ledger/rolled-back")
    // Without the anchor nothing would be wrong with it: so a missing anchor is refused too.
    rmSync(`${path}.anchor`)
    expect((await refusal(open(path))).code).toBe("ledger/anchor-missing")
  })

  test("a file that is exchanged under an open ledger", async () => {
    const path = newPath()
    await spent(path, 3)
    const ledger = await open(path)
    change(path, "DELETE FROM entries WHERE position > 6")
    for (const asked of [() => ledger.reserve(request(tenth)), () => ledger.accounts()]) {
      expect((await refusal(asked())).code).toBe("ledger/damaged")
    }
    await ledger.close()
  })

  test("entries cannot be changed by accident", async () => {
    const path = newPath()
    await spent(path, 1)
    const database = new DatabaseSync(path)
    expect(() => database.exec("DELETE FROM entries")).toThrow("entries are never removed")
    expect(() => database.exec("UPDATE releases SET answer = ''")).toThrow("releases are never changed")
    database.close()
  })
})

describe("an older copy", () => {
  test("at 0.3 is refused after 0.9 was spent", async () => {
    const path = newPath()
    await spent(path, 3)
    copyFileSync(path, `${path}.old`)
    await spent(path, 6)
    copyFileSync(path, `${path}.new`)
    restore(`${path}.old`, path)
    const error = await refusal(open(path))
    expect(error.code).toBe("ledger/rolled-back")
    expect(error.help).toContain("restore the newer copy")
    restore(`${path}.new`, path)
    const ledger = await open(path)
    await spend(ledger, 1)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    await ledger.close()
  })

  test("that the owner acknowledges has nothing left, and stays so", async () => {
    const path = newPath()
    await spent(path, 3)
    copyFileSync(path, `${path}.old`)
    const later = await open(path)
    await later.changeBudget("dataset", pureBudget("3"), { by: ["a", "b"], why: "more" })
    await spend(later, 20)
    await later.openAccount("study:new", pureBudget("1"))
    await later.close()
    copyFileSync(path, `${path}.lost`)
    restore(`${path}.old`, path)
    const ledger = await open(path, { acknowledge: decision })
    expect(await ledger.verify()).toMatchObject({ sound: true, epoch: 2n })
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    // 2.3 were spent in the lost entries, 0.3 of them before the copy, and the limit was 3.
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(3n))
    await ledger.changeBudget("dataset", pureBudget("3"), { by: ["a", "b"], why: "as before" })
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    await ledger.changeBudget("dataset", pureBudget("3.1"), { by: ["a", "b"], why: "a new promise" })
    await spend(ledger, 1)
    await ledger.close()
    expect((await refusal(open(path, { acknowledge: decision }))).code).toBe("ledger/nothing-lost")
    // The lost file comes back: it has parted from what the anchor knows now.
    restore(`${path}.lost`, path)
    expect((await refusal(open(path))).code).toBe("ledger/rolled-back")
  })

  test("of two, at most one can go on", async () => {
    const path = newPath()
    await spent(path, 3)
    const clone = newPath()
    copyFileSync(path, clone)
    const first = await open(path)
    const second = await open(clone, { anchor: `${path}.anchor` })
    await spend(first, 1)
    expect((await refusal(second.reserve(request(tenth)))).code).toBe("ledger/rolled-back")
    await spend(first, 1)
    await first.close()
    await second.close()
  })

  test("is an empty file too", async () => {
    const path = newPath()
    await spent(path, 3)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
    expect((await refusal(open(path))).code).toBe("ledger/rolled-back")
    const ledger = await open(path, { acknowledge: decision })
    await ledger.openAccount("dataset", pureBudget("1"))
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    await ledger.changeBudget("dataset", pureBudget("1.1"), decision)
    await spend(ledger, 1)
    await ledger.close()
    await (await open(path)).close()
  })
})

describe("an anchor", () => {
  test("that is behind the ledger is moved: the process ended between the two", async () => {
    const path = newPath()
    await spent(path, 1)
    copyFileSync(`${path}.anchor`, `${path}.anchor.old`)
    await spent(path, 2)
    const newest = readFileSync(`${path}.anchor`, "utf8")
    copyFileSync(`${path}.anchor.old`, `${path}.anchor`)
    await (await open(path)).close()
    expect(readFileSync(`${path}.anchor`, "utf8")).toBe(newest)
    expect(JSON.parse(newest)).toMatchObject({ entries: "8", epoch: "1", spent: { amount: "3/10" } })
  })

  test("of a ledger that was about to begin is fine", async () => {
    const path = newPath()
    await spent(path, 0)
    const other = newPath()
    const first = await open(other)
    await first.close()
    const zero = `{"entries":"0","epoch":"1","hash":"${emptyHash}","limit":{"amount":"0","delta":"0"},"spent":{"amount":"0","delta":"0"}}`
    writeFileSync(`${path}.anchor`, zero)
    await (await open(path)).close()
    for (const file of [other, `${other}-wal`, `${other}-shm`]) rmSync(file, { force: true })
    writeFileSync(`${other}.anchor`, zero)
    await (await open(other)).close()
  })

  test("that is lost can be replaced only by an acknowledgement", async () => {
    const path = newPath()
    await spent(path, 1)
    rmSync(`${path}.anchor`)
    const error = await refusal(open(path))
    expect(error.code).toBe("ledger/anchor-missing")
    const ledger = await open(path, { acknowledge: decision })
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    await ledger.close()
    await (await open(path)).close()
  })

  test("that is lost, changed or unreachable while the ledger is open stops it", async () => {
    const path = newPath()
    const anchor = `${path}.witness`
    const ledger = await open(path, { anchor })
    await ledger.openAccount("dataset", pureBudget("1"))
    const kept = readFileSync(anchor, "utf8")
    const outcomes: string[] = []
    for (const text of [undefined, "not a head", kept.replace(/"hash":"./, '"hash":"x'), kept]) {
      if (text === undefined) rmSync(anchor)
      else writeFileSync(anchor, text)
      const code = await ledger.reserve(request(tenth)).then(
        () => "charged",
        (error: unknown) => (error instanceof DosimeterError ? error.code : "?"),
      )
      outcomes.push(code)
    }
    expect(outcomes).toEqual([
      "ledger/anchor-missing",
      "ledger/anchor-unreadable",
      "ledger/anchor-unreadable",
      "charged",
    ])
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    await ledger.close()
    const nowhere = join(folder, "no such folder", "anchor")
    expect((await refusal(open(newPath(), { anchor: nowhere }))).code).toBe("ledger/anchor-unreadable")
  })
})

describe("a file", () => {
  test("of another dataset is refused", async () => {
    const path = newPath()
    await spent(path, 0)
    const error = await refusal(open(path, { dataset: "clinic" }))
    expect(error.code).toBe("ledger/other-dataset")
    expect(error.message).toContain("hospital")
    expect(existsSync(path)).toBe(true)
  })

  test("that is something else is refused and left alone", async () => {
    const text = newPath()
    writeFileSync(
      text,
      "minutes of the meeting, long enough to be mistaken for a database by its size alone\n".repeat(99),
    )
    expect((await refusal(open(text))).code).toBe("ledger/not-a-ledger")
    expect(readFileSync(text, "utf8")).toContain("minutes")
    const other = newPath()
    const database = new DatabaseSync(other)
    database.exec("CREATE TABLE notes (note TEXT)")
    database.close()
    expect((await refusal(open(other))).code).toBe("ledger/not-a-ledger")
  })

  test("that was a ledger is damaged, however little is left of it", async () => {
    const path = newPath()
    await spent(path, 3)
    const whole = readFileSync(path)
    const garbage = (from: number, to: number, byte: number): Buffer => {
      const copy = Buffer.from(whole)
      copy.fill(byte, from, to)
      return copy
    }
    const codes = new Set<string>()
    for (const bytes of [
      garbage(0, 16, 0),
      garbage(0, 100, 255),
      garbage(0, 4096, 0),
      garbage(60, 72, 7),
      garbage(100, 200, 9),
      whole.subarray(0, 5000),
      garbage(4096, whole.length, 0),
    ]) {
      writeFileSync(path, bytes)
      codes.add((await refusal(open(path))).code)
    }
    expect([...codes].filter((code) => !["ledger/damaged", "ledger/rolled-back"].includes(code))).toEqual([])
  })

  test("whose index has lost an entry is damaged", async () => {
    const path = newPath()
    await spent(path, 3)
    const ledger = await open(path)
    const database = new DatabaseSync(path, { defensive: false })
    const found: unknown = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entries_question'")
      .get()
    const [page] = Object.values(found ?? {})
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    const bytes = readFileSync(path)
    // One letter of a question, in the page of the index alone.
    const start = (Number(page) - 1) * 4096
    const at = bytes.subarray(start, start + 4096).indexOf("plan ")
    expect(at).toBeGreaterThan(0)
    bytes.write("q", start + at)
    await ledger.close()
    writeFileSync(path, bytes)
    expect(await refusal(open(path))).toMatchObject({ code: "ledger/damaged" })
    expect((await refusal(open(path))).message).toContain("is damaged: the database file is corrupt")
  })

  test("that cannot be made is an error of the operator's", async () => {
    expect((await refusal(open(join(folder, "no such folder", "ledger")))).code).toBe("ledger/failed")
  })

  test("is readable by its owner only", async () => {
    const path = newPath()
    const ledger = await open(path)
    await spend(await opened(ledger), 1)
    for (const file of [path, `${path}-wal`, `${path}.anchor`]) expect(statSync(file).mode & 0o077).toBe(0)
    await ledger.close()
  })

  test("that another process keeps locked is busy, and nothing is charged", async () => {
    const path = newPath()
    const ledger = await openSqliteLedger(path, { dataset: "hospital", busyTimeoutMs: 20 })
    await opened(ledger)
    const other = new DatabaseSync(path)
    other.exec("BEGIN IMMEDIATE")
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("ledger/busy")
    other.exec("ROLLBACK")
    other.close()
    await spend(ledger, 1)
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    await ledger.close()
  })

  test("of an SQLite that may lose entries is not opened", () => {
    expect(() => checkSqliteVersion("3.51.3", "x")).not.toThrow()
    expect(() => checkSqliteVersion("3.53.0", "x")).not.toThrow()
    expect(() => checkSqliteVersion("4.0.0", "x")).not.toThrow()
    for (const version of ["3.51.2", "3.45.1", "", "nonsense"]) {
      expect(() => checkSqliteVersion(version, "x")).toThrow(
        expect.objectContaining({ code: "ledger/unsafe-store" }),
      )
    }
  })
})

test("small steps back of the clock are not written; a clock that ran far ahead dates its own entries only", async () => {
  const path = newPath()
  let now = new Date("2026-01-01T12:00:00Z")
  const ledger = await open(path, { now: () => now })
  const written: (string | undefined)[] = []
  await opened(ledger)
  for (const time of ["2026-01-01T11:00:00Z", "+275760-09-13T00:00:00Z", "2026-01-01T13:00:00Z"]) {
    now = new Date(time)
    await ledger.reserve(request(tenth))
    written.push((await ledger.entries(1n, 10)).at(-1)?.entry.at)
  }
  expect(written).toEqual([
    "2026-01-01T12:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "2026-01-01T13:00:00.000Z",
  ])
  expect(await ledger.verify()).toMatchObject({ sound: true })
  await ledger.close()
})

async function opened(ledger: Ledger): Promise<Ledger> {
  await ledger.openAccount("dataset", pureBudget("1"))
  return ledger
}
