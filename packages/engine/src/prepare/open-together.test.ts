import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { alone } from "../dataset/file-lock.ts"

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-together-"))
  folders.push(folder)
  return folder
}

const policy = `dataset: clinic
source: { csv: ["people.csv"] }
unit: person
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
anchor: .dosimeter/clinic.anchor
tables:
  people:
    unit: id
    keys: [[id]]
    columns:
      age: { type: integer, min: 0, max: 110 }
      sex: { values: [f, m] }
`

test("a fresh dataset can be opened by several at once, and all can ask", async () => {
  const folder = newFolder()
  const rows = Array.from({ length: 500 }, (_, id) => `${id},${id % 90},${id % 2 === 0 ? "f" : "m"}`)
  writeFileSync(join(folder, "people.csv"), `id,age,sex\n${rows.join("\n")}\n`)
  const engines: Engine[] = await Promise.all(Array.from({ length: 4 }, () => openEngine({ policy, folder })))
  try {
    expect(engines.map(({ unprepared }) => unprepared)).toEqual([[], [], [], []])
    const answers = await Promise.all(
      engines.map((engine, index) => engine.ask(`SELECT COUNT(*) AS n FROM people WHERE age >= ${index}`)),
    )
    expect(answers).toHaveLength(4)
    const left = readdirSync(join(folder, ".dosimeter"))
    expect(left.filter((name) => /building|clinic\.key\./.test(name))).toEqual([])
  } finally {
    for (const engine of engines) await engine.close()
  }
})

test("work under one lock never overlaps, and a failure lets go of it", async () => {
  const file = join(newFolder(), "lock")
  let inside = 0
  const work = async (index: number): Promise<number> => {
    inside += 1
    expect(inside).toBe(1)
    await setTimeout(5)
    inside -= 1
    if (index === 1) throw new Error("stopped")
    return index
  }
  const outcomes = await Promise.allSettled([0, 1, 2, 3].map((index) => alone(file, () => work(index))))
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
})

test("who waits can stop waiting", async () => {
  const file = join(newFolder(), "lock")
  const stop = new AbortController()
  await alone(file, async () => {
    const waiting = alone(file, () => Promise.resolve(1), stop.signal)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: "dataset/not-prepared" })
  })
})

test("files that change under a running engine are refused before anything is charged, recorded answers too", async () => {
  const folder = newFolder()
  const write = (ids: readonly number[]): void =>
    writeFileSync(
      join(folder, "people.csv"),
      `id,age,sex\n${ids.map((id) => `${id},30,${id % 2 === 0 ? "f" : "m"}`).join("\n")}\n`,
    )
  const ten = Array.from({ length: 10 }, (_, id) => id)
  write(Array.from({ length: 1000 }, (_, id) => id))
  for (const prepare of ["always", "never"] as const) {
    const engine = await openEngine({ policy, folder, prepare })
    try {
      await engine.ask("SELECT COUNT(*) AS n FROM people")
      const charged = (await engine.ledger.accounts()).map(({ spent }) => spent)
      // Ten people with a hundred rows each: the key no longer holds.
      write(ten.flatMap((id) => ten.flatMap(() => ten.map(() => id))))
      for (const sql of [
        "SELECT COUNT(*) AS n FROM people",
        "SELECT COUNT(*) AS n FROM people WHERE age > 1",
      ]) {
        await expect(engine.ask(sql)).rejects.toMatchObject({ code: "dataset/changed" })
      }
      expect((await engine.ledger.accounts()).map(({ spent }) => spent)).toEqual(charged)
      await expect(openEngine({ policy, folder, prepare })).rejects.toMatchObject({
        code: "dataset/claim-broken",
      })
    } finally {
      await engine.close()
    }
    write(Array.from({ length: 1000 }, (_, id) => id + 1))
  }
})

test("copies that were made of other data than was looked at are not kept", async () => {
  const folder = newFolder()
  const write = (ids: readonly number[]): void =>
    writeFileSync(
      join(folder, "people.csv"),
      `id,age,sex\n${ids.map((id) => `${id},30,${id % 2 === 0 ? "f" : "m"}`).join("\n")}\n`,
    )
  write(Array.from({ length: 100 }, (_, id) => id))
  const onProgress = (): void => write(Array.from({ length: 1000 }, (_, place) => place % 10))
  await expect(openEngine({ policy, folder, onProgress })).rejects.toMatchObject({ code: "dataset/changed" })
  const left = readdirSync(join(folder, ".dosimeter"))
  expect(left.filter((name) => /prepared($|\.building)/.test(name))).toEqual([])
})
