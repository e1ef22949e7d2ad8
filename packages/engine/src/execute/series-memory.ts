// What a series remembers of the units that have counted: a keyed digest of each, and the periods. It lies
// beside the ledger on this machine, and holds nothing else of the data.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { createHmac } from "node:crypto"
import { fail } from "../errors.ts"
import { seriesSubject } from "./series-record.ts"

/** The periods in which each unit has counted, by its digest; undefined for one that counts no more. */
export type CountedPeriods = ReadonlyMap<string, ReadonlySet<number> | undefined>

/** What a series remembers after so many steps. */
export interface SeriesMemory {
  readonly through: number
  readonly counted: CountedPeriods
}

/** Where memories are kept. */
export interface SeriesMemories {
  load(series: string): SeriesMemory | undefined
  save(series: string, memory: SeriesMemory): void
}

const format = "dosimeter series memory 1"

/** Memories as files whose names begin with `path`. */
export function memoryFiles(path: string): SeriesMemories {
  const fileOf = (series: string): string => `${path}-${seriesSubject(series).slice(0, 32)}`
  return {
    load: (series) => {
      const file = fileOf(series)
      return existsSync(file) ? readMemory(readFileSync(file, "utf8"), file) : undefined
    },
    save: (series, memory) => {
      const file = fileOf(series)
      const next = `${file}.${process.pid}.next`
      const handle = openSync(next, "w", 0o600)
      try {
        writeSync(handle, writeMemory(memory))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      renameSync(next, file)
      rmSync(next, { force: true })
    },
  }
}

/** What two memories remember together. Who counts no more in one of them counts no more. */
export function bothOf(a: SeriesMemory | undefined, b: SeriesMemory): SeriesMemory {
  if (a === undefined) return b
  const counted = new Map(b.counted)
  for (const [digest, periods] of a.counted) {
    const other = counted.has(digest) ? counted.get(digest) : new Set<number>()
    const isOut = periods === undefined || other === undefined
    counted.set(digest, isOut ? undefined : new Set([...periods, ...other]))
  }
  return { through: Math.max(a.through, b.through), counted }
}

/** The digest of a unit: equal over all versions of the data, and nothing without the key. */
export function unitDigest(key: string, unit: string): string {
  return createHmac("sha256", key).update(`series unit ${unit}`).digest("base64url").slice(0, 22)
}

function writeMemory({ through, counted }: SeriesMemory): string {
  const lines = [...counted].map(([digest, periods]) =>
    periods === undefined ? `${digest} changed` : `${digest} ${[...periods].join(" ")}`,
  )
  return `${[`${format} ${through} ${lines.length}`, ...lines.toSorted()].join("\n")}\n`
}

function readMemory(text: string, file: string): SeriesMemory {
  const [head = "", ...lines] = text.trimEnd().split("\n")
  const [, through, size] = /^dosimeter series memory 1 (\d{1,9}) (\d{1,15})$/.exec(head) ?? []
  if (through === undefined || Number(size) !== lines.length)
    return fail("series/memory-unreadable", { file })
  const counted = new Map(lines.map((line) => readLine(line, file)))
  return { through: Number(through), counted }
}

function readLine(line: string, file: string): readonly [string, ReadonlySet<number> | undefined] {
  const [, digest, periods] = /^([\w-]{22}) (changed|\d{1,9}(?: \d{1,9})*)$/.exec(line) ?? []
  if (digest === undefined || periods === undefined) return fail("series/memory-unreadable", { file })
  return [digest, periods === "changed" ? undefined : new Set(periods.split(" ").map(Number))]
}
