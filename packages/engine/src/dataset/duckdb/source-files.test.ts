// Which data this is, by its files.

import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { seeFiles, type DuckDBSource } from "./source-files.ts"

const source: DuckDBSource = { kind: "duckdb", file: "d.duckdb" }
let folder = ""
let file = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-files-"))
  file = join(folder, "d.duckdb")
  writeFileSync(file, "rows")
})
afterEach(() => rmSync(folder, { recursive: true }))

test("a log of writes beside a database is part of its version, and of what is looked at", async () => {
  const before = seeFiles(source, folder)
  expect(await before.isSame()).toBe(true)
  writeFileSync(`${file}.wal`, "more rows")
  expect(await before.isSame()).toBe(false)
  const after = seeFiles(source, folder)
  expect(after.print).not.toBe(before.print)
  writeFileSync(`${file}.wal`, "more rows, and more")
  expect(await after.isSame()).toBe(false)
  expect(seeFiles(source, folder).print).not.toBe(after.print)
  rmSync(`${file}.wal`)
  expect(seeFiles(source, folder).print).toBe(before.print)
})

test("a file that is rewritten with its old size and time is noticed, and so is one that was away", async () => {
  const { atime, mtime } = statSync(file)
  const seen = seeFiles(source, folder)
  // File systems tell times apart that differ by some milliseconds.
  await setTimeout(50)
  writeFileSync(file, "swor")
  utimesSync(file, atime, mtime)
  expect(await seen.isSame()).toBe(false)
  const next = seeFiles(source, folder)
  await setTimeout(50)
  renameSync(file, `${file}.away`)
  renameSync(`${file}.away`, file)
  expect(await next.isSame()).toBe(false)
  // What this machine alone tells is no part of the version.
  expect(seeFiles(source, folder).print).toBe(next.print)
})
