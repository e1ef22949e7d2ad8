// What a series remembers of the units that have counted: a keyed digest of each, and the periods. It lies
// beside the ledger on this machine, and holds nothing else of the data.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { createHmac } from "node:crypto"
import { fail } from "../errors.ts"
import type { CountedPeriods } from "../release/release-series.ts"
import { seriesSubject } from "./series-record.ts"

/**
 * What was counted up to an update, and the mark that the update has in the ledger: a memory is valid only if
 * its mark is the last one of the series in the ledger.
 */
export interface SeriesMemory {
  readonly mark: string
  readonly counted: CountedPeriods
}

/** Where memories are kept. */
export interface SeriesMemories {
  /** The memory with a mark, made with a key; undefined where there is none. */
  load(series: string, mark: string, key: string): SeriesMemory | undefined
  /** Keeps the valid memory, and the one that becomes valid if the ledger takes the update. */
  save(
    series: string,
    memories: { readonly now: SeriesMemory; readonly next: SeriesMemory },
    key: string,
  ): void
  /** Does work while nobody else on this machine works on the series. */
  alone<Result>(series: string, work: () => Promise<Result>): Promise<Result>
}

const format = "dosimeter series memory 2"

/** Memories as files whose names begin with `path`. */
export function memoryFiles(
  path: string,
  alone: <Result>(file: string, work: () => Promise<Result>) => Promise<Result>,
): SeriesMemories {
  const fileOf = (series: string): string => `${path}-${seriesSubject(series).slice(0, 32)}`
  return {
    load: (series, mark, key) => {
      if (mark === "") return { mark, counted: new Map() }
      const file = fileOf(series)
      if (!existsSync(file)) return undefined
      return readMemories(readFileSync(file, "utf8"), { file, key }).find((memory) => memory.mark === mark)
    },
    save: (series, { now, next }, key) => {
      const file = fileOf(series)
      const written = `${file}.${process.pid}.next`
      const handle = openSync(written, "w", 0o600)
      try {
        writeSync(handle, `${format} ${fingerprint(key)}\n${writeMemory(now)}${writeMemory(next)}end\n`)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      renameSync(written, file)
    },
    alone: (series, work) => alone(`${fileOf(series)}.lock`, work),
  }
}

// Tells whether digests were made with a key, and nothing else about the key.
function fingerprint(key: string): string {
  return createHmac("sha256", key).update("series memory").digest("base64url").slice(0, 22)
}

function writeMemory({ mark, counted }: SeriesMemory): string {
  const lines = [...counted].map(([digest, periods]) =>
    periods === undefined ? `${digest} changed` : `${digest} ${[...periods].join(" ")}`,
  )
  return [`memory ${mark === "" ? "-" : mark} ${lines.length}`, ...lines.toSorted(), ""].join("\n")
}

function readMemories(
  text: string,
  { file, key }: { readonly file: string; readonly key: string },
): readonly SeriesMemory[] {
  const [head = "", ...lines] = text.split("\n")
  if (!head.startsWith(`${format} `) || lines.at(-2) !== "end")
    return fail("series/memory-unreadable", { file })
  // Another key makes other digests: no unit would be recognised.
  if (head !== `${format} ${fingerprint(key)}`) return []
  const memories: SeriesMemory[] = []
  for (let at = 0; lines[at] !== "end";) {
    const [, mark, size] = /^memory (\S{1,64}) (\d{1,15})$/.exec(lines[at] ?? "") ?? []
    if (mark === undefined || at > lines.length) return fail("series/memory-unreadable", { file })
    const from = at + 1
    at = from + Number(size)
    const counted = new Map(lines.slice(from, at).map((line) => readLine(line, file)))
    memories.push({ mark: mark === "-" ? "" : mark, counted })
  }
  return memories
}

function readLine(line: string, file: string): readonly [string, ReadonlySet<number> | undefined] {
  const [, digest, periods] = /^([\w-]{22}) (changed|\d{1,9}(?: \d{1,9})*)$/.exec(line) ?? []
  if (digest === undefined || periods === undefined) return fail("series/memory-unreadable", { file })
  return [digest, periods === "changed" ? undefined : new Set(periods.split(" ").map(Number))]
}
