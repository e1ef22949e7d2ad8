// Versions of the data, and copies of one version: other data is another version, and is never taken for it.

import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { dataVersionOf } from "../../dataset/data-version.ts"
import type { Check } from "./check.ts"
import { manyWards, wardTables } from "./extract-checks.ts"
import type { MadeTable } from "./member.ts"
import { refused, type Workbench } from "./workbench.ts"

const visits = manyWards((rows) => rows)
const fewer: MadeTable = { ...visits, rows: visits.rows.slice(1) }
const all = "SELECT COUNT(*) FROM visits"

const questions: readonly string[] = [
  all,
  "SELECT ward, COUNT(*), SUM(n) FROM visits GROUP BY ward",
  "SELECT ward, COUNT(DISTINCT unit) FROM visits GROUP BY ward",
  "SELECT SUM(n), COUNT(*) FROM visits WHERE ward = 'B'",
]

async function versionOf(
  bench: Workbench,
  folder: string,
  made: Parameters<Workbench["open"]>[0],
): Promise<string> {
  const opened = await bench.open(made)
  const { name, secret } = dataVersionOf(opened.seen, join(folder, "key"))
  await opened.close()
  expect(name).not.toBe(secret)
  return `${name} ${secret}`
}

const dataChecks: readonly Check[] = [
  {
    name: "the same data is the same version, and other data another one",
    run: async (bench) => {
      const made = await bench.make([visits])
      const folder = mkdtempSync(join(tmpdir(), "dosimeter-key-"))
      try {
        const first = await versionOf(bench, folder, made)
        expect(await versionOf(bench, folder, made)).toBe(first)
        await made.replace([fewer])
        expect(await versionOf(bench, folder, made)).not.toBe(first)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
  {
    name: "data that changes after it was opened is refused",
    run: async (bench) => {
      const made = await bench.make([visits])
      const dataset = await bench.dataset(made, { tables: wardTables })
      await dataset.version.check()
      expect(await bench.rows(dataset, all)).toEqual(["0 1500"])
      await made.replace([fewer])
      expect(await refused(dataset.version.check())).toBe("dataset/changed")
      expect(await refused(bench.rows(dataset, all))).toBe("dataset/changed")
      const again = await bench.dataset(made, { tables: wardTables })
      expect(await bench.rows(again, all)).toEqual(["0 1499"])
      expect(again.version.name).not.toBe(dataset.version.name)
    },
  },
  {
    name: "data that changes while copies are made is refused, and nothing of it kept",
    run: async (bench) => {
      if (!bench.holds("copies")) return
      const made = await bench.make([visits])
      let changed: Promise<void> | undefined
      const onProgress = (): void => {
        changed ??= made.replace([fewer])
      }
      const opening = bench.dataset(made, { tables: wardTables, prepare: "always", onProgress })
      expect(await refused(opening)).toBe("dataset/changed")
      await changed
      const after = await bench.dataset(made, { tables: wardTables, prepare: "never" })
      expect(after.prepared).toEqual([])
      expect(await bench.rows(after, all)).toEqual(["0 1499"])
    },
  },
]

const copyChecks: readonly Check[] = [
  {
    name: "copies give what the tables give, where nothing is cut",
    run: async (bench) => {
      const made = await bench.make([visits])
      const dataset = await bench.dataset(made, { tables: wardTables, prepare: "always" })
      if (!bench.holds("copies")) {
        expect([dataset.copies, dataset.prepared, dataset.missing]).toEqual([undefined, [], []])
        return
      }
      expect(dataset.prepared.length).toBeGreaterThan(0)
      expect(dataset.missing).toEqual([])
      for (const sql of questions) {
        const raw = await bench.rows(dataset, sql)
        expect(raw.length).toBeGreaterThan(0)
        expect(await bench.rows(dataset, sql, { copies: true }), sql).toEqual(raw)
      }
    },
  },
  {
    name: "copies cut as many groups of a unit as the tables do",
    run: async (bench) => {
      if (!bench.holds("copies")) return
      const made = await bench.make([visits])
      const dataset = await bench.dataset(made, { tables: wardTables, prepare: "always" })
      // Beside a median, groups beyond the bounds are dropped raw as well.
      const sql = "SELECT ward, COUNT(*), MEDIAN(n) FROM visits GROUP BY ward"
      for (const copies of [true, false]) {
        const rows = await bench.rows(dataset, sql, {
          copies,
          bounds: { groupsPerUnit: 2n, rowsPerGroup: 1n },
        })
        const counts = rows.filter((row) => row.startsWith("0 ")).map((row) => Number(row.split(" ")[3]))
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(600)
      }
    },
  },
  {
    name: "copies of other data, or under another secret, are not opened",
    run: async (bench) => {
      if (!bench.holds("copies")) return
      const made = await bench.make([visits])
      const { state, version, policy, backend } = await bench.dataset(made, {
        tables: wardTables,
        prepare: "always",
      })
      await backend.close()
      const opened = await bench.open(made)
      const kept = opened.copies({ state, dataset: "made" })
      if (kept === undefined) throw new Error("it keeps copies")
      expect(await kept.areThere()).toBe(true)
      expect((await kept.stored()).bytes).toBeGreaterThan(0)
      const copies = designCopies(policy.catalog, { schema: kept.schema })
      expect(await kept.open({ copies, version: { ...version, secret: "another" } })).toEqual([])
      expect(await kept.open({ copies, version: { ...version, name: "another" } })).toEqual([])
      expect(await kept.open({ copies, version })).toEqual(copies)
      expect(await opened.copies({ state, dataset: "another" })?.areThere()).toBe(false)
      await opened.close()
      await made.replace([fewer])
      const after = await bench.dataset(made, { tables: wardTables, prepare: "never" })
      expect([after.prepared, after.missing.length]).toEqual([[], copies.length])
      const again = await bench.dataset(made, { tables: wardTables, prepare: "always" })
      expect(await bench.rows(again, all, { copies: true })).toEqual(["0 1499"])
    },
  },
]

/** The checks. */
export const versionChecks: readonly Check[] = [...dataChecks, ...copyChecks]
