// Prepared copies in Trino: Iceberg tables in a schema of ours, in buckets by unit. Each is written by one
// statement and listed with its snapshot when it is whole.

import { DosimeterError } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { printPairsCheck } from "@dosimeter/proof/print/pairs-check"
import { columnNamed } from "@dosimeter/proof/catalog/catalog"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { createHash, createHmac } from "node:crypto"
import { join } from "node:path"
import { fail } from "../../errors.ts"
import type { Copies, CopyPlace, MakeOptions, WantedCopies } from "../copies.ts"
import type { DataVersion } from "../data-version.ts"
import { alone } from "../file-lock.ts"
import { CopyList, type ListedCopy } from "./copy-list.ts"
import { writeText, type TrinoQueries } from "./trino-queries.ts"
import type { OwnSchema } from "./unit-lists.ts"

const format = "dosimeter prepared 1"
/** Files of a copy: units are spread over them by a hash. */
const buckets = 16

/** The copies of a dataset, and whether those that were opened are still the ones that are there. */
export interface TrinoCopies extends Copies {
  areSame(): Promise<boolean>
}

/** The copies of a dataset in a schema of ours. */
export function copiesIn(
  queries: TrinoQueries,
  place: OwnSchema,
  { state, dataset }: CopyPlace,
): TrinoCopies {
  const list = new CopyList(queries, place, dataset)
  const shown = place.join(".")
  let opened: readonly ListedCopy[] = []
  const open = async ({ copies, version }: WantedCopies): Promise<readonly PreparedTable[]> => {
    const listed = await list.read()
    const head = headOf(version)
    const found: PreparedTable[] = []
    const standing: ListedCopy[] = []
    for (const copy of copies) {
      const one = listed.find((candidate) => isCopy(candidate, head, copy))
      if (one === undefined || (await list.snapshotOf(one.name)) !== one.snapshot) continue
      found.push(copy)
      standing.push(one)
    }
    opened = standing
    return found
  }
  return {
    schema: place,
    areSame: async () => {
      for (const { name, snapshot } of opened) if ((await list.snapshotOf(name)) !== snapshot) return false
      return true
    },
    areThere: async () => (await list.read()).length > 0,
    open,
    make: (wanted, options) =>
      // Processes of other machines may make the same copies at the same time: whichever is listed with the
      // snapshot that is there counts, and all of them are alike.
      alone(
        join(state, `${dataset}.copies.lock`),
        async () => {
          const made = await open(wanted)
          if (made.length === wanted.copies.length) return made
          await makeAll({ queries, list, shown }, { ...wanted, ...options }, new Set(made))
          const all = await open(wanted)
          return all.length === wanted.copies.length ? all : fail("dataset/not-prepared", { file: shown })
        },
        options.signal,
      ),
    stored: async () => {
      let bytes = 0
      for (const { name } of await list.read()) bytes += await list.bytesOf(name)
      return { place: shown, bytes }
    },
  }
}

/** What all copies have in common: equal for the same data and secret, and for no others. */
function headOf({ name, secret }: Pick<DataVersion, "name" | "secret">): string {
  const marker = createHmac("sha256", secret).update(format).digest("hex")
  return [format, `data ${name}`, `secret ${marker}`].join("\n")
}

/** Stands for the query that a copy is made by: reading rules, columns, places and order. */
function digestOf(copy: PreparedTable): string {
  return createHash("sha256")
    .update(printCopy(copy, { dialect: "trino", secret: "secret" }))
    .digest("hex")
}

function nameOf({ table }: PreparedTable): string {
  return table.path.at(-1) ?? ""
}

function isCopy({ head, label, name, digest }: ListedCopy, wanted: string, copy: PreparedTable): boolean {
  return head === wanted && label === copy.label && name === nameOf(copy) && digest === digestOf(copy)
}

interface Room {
  readonly queries: TrinoQueries
  readonly list: CopyList
  readonly shown: string
}

async function makeAll(
  room: Room,
  wanted: WantedCopies & MakeOptions,
  finished: ReadonlySet<PreparedTable>,
): Promise<void> {
  const { copies, version, onProgress, signal } = wanted
  const names = new Set(copies.map(nameOf))
  try {
    for (const { name } of await room.list.read()) if (!names.has(name)) await room.list.remove(name)
    for (const [done, copy] of copies.entries()) {
      onProgress?.({ label: copy.label, done, total: copies.length })
      if (finished.has(copy)) continue
      await makeOne(room, copy, { version, signal })
    }
  } catch (error) {
    // A change of the data is said as such; what was made of it is not kept.
    const isChanged = error instanceof DosimeterError && error.code === "dataset/changed"
    if (isChanged) for (const name of names) await room.list.remove(name).catch(() => undefined)
    if (isChanged) throw error
    return fail("dataset/not-prepared", { file: room.shown })
  }
  const [last] = copies.slice(-1)
  if (last !== undefined) onProgress?.({ label: last.label, done: copies.length, total: copies.length })
}

async function makeOne(
  { queries, list }: Room,
  copy: PreparedTable,
  { version, signal }: { readonly version: DataVersion; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const name = nameOf(copy)
  await list.remove(name)
  const secret = `CAST(${writeText(version.secret)} AS VARCHAR)`
  const rows = printCopy(copy, { dialect: "trino", secret })
  const stop = { signal }
  await queries.write(`CREATE TABLE ${list.written(name)}${layoutOf(copy)} AS ${rows}`, stop)
  const snapshot = await list.snapshotOf(name)
  if (copy.totals !== undefined) {
    // Pairs are looked at a second way: a pair in two rows would be an error of privacy.
    const text = `SELECT count(*) FROM (${printPairsCheck(copy, "trino")}) AS w`
    const wrong = await queries.ask({ text, parameters: [] }, stop)
    assert(wrong[0]?.[0] === 0, "pairs are one row each, and add up to the rows")
  }
  // A copy of other data than that whose claims were looked at is none.
  await version.check()
  if (snapshot === undefined) fail("dataset/not-prepared", { file: name })
  await list.add({ head: headOf(version), label: copy.label, name, digest: digestOf(copy), snapshot })
}

/** In buckets by unit, where units have a type that Iceberg makes buckets of. */
function layoutOf({ base, table }: PreparedTable): string {
  const unit = base.unit.kind === "path" ? base.unit.column : undefined
  const kind = unit === undefined ? undefined : columnNamed(table, unit)?.domain.type.kind
  if (unit === undefined || (kind !== "integer" && kind !== "text")) return ""
  return ` WITH (partitioning = ARRAY[${writeText(`bucket(${writeName(unit)}, ${buckets})`)}])`
}
