// Prepared copies in a schema of ours beside the data. A table of that schema lists them: which data they
// were made of, under which secret, by which server and by which query. What does not match is not read.

import { printCopy } from "@dosimeter/proof/print/print-copy"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { createHash, createHmac } from "node:crypto"
import { fail } from "../../errors.ts"
import type { Copies, WantedCopies } from "../copies.ts"
import type { DataVersion } from "../data-version.ts"
import { makeCopies } from "./make-copies.ts"
import type { Sessions } from "./sessions.ts"
import type { AskTogether, SeenRows } from "./seen-data.ts"
import type { Ask } from "./discover.ts"
import { listTable, quotedIn } from "./copy-list.ts"

const format = "dosimeter prepared 1"

/** The copies of a dataset, and whether those that were opened are still the ones that are there. */
export interface PostgresCopies extends Copies {
  areSame(): Promise<boolean>
}

/** What copies are kept with. */
export interface CopyRoom {
  readonly sessions: Sessions
  /** Asks for reading. */
  readonly together: AskTogether
  readonly schema: string
  readonly dataset: string
  readonly seen: SeenRows
}

/** The copies of a dataset in a schema. */
export function copiesIn(room: CopyRoom): PostgresCopies {
  const { schema, dataset, together } = room
  let opened: string | undefined
  const open = async (wanted: WantedCopies): Promise<readonly PreparedTable[]> => {
    const found = await together(async (ask) => {
      const listed = await listedCopies(ask, schema, dataset)
      const head = await headOf(ask, wanted.version)
      return wanted.copies.filter((copy) => listed.has(lineOf({ head, copy })))
    })
    opened = found.length === 0 ? undefined : await together((ask) => standing(ask, schema))
    return found
  }
  return {
    schema: [schema],
    areSame: async () => opened === undefined || opened === (await together((ask) => standing(ask, schema))),
    areThere: async () => together(async (ask) => (await listedCopies(ask, schema, dataset)).size > 0),
    open,
    make: async (wanted, options) => {
      const head = await together((ask) => headOf(ask, wanted.version))
      const isReady = async (): Promise<boolean> => (await open(wanted)).length === wanted.copies.length
      await makeCopies({ ...room, ...wanted, ...options, head, isReady, digestOf: copyDigest })
      const made = await open(wanted)
      return made.length === wanted.copies.length ? made : fail("dataset/not-prepared", { file: schema })
    },
    stored: async () => ({ place: schema, bytes: await together((ask) => bytesOf(ask, schema, dataset)) }),
  }
}

/** What all copies have in common: equal for the same data, secret and server, and for no others. */
async function headOf(ask: Ask, version: DataVersion): Promise<string> {
  const [row] = await ask("SELECT current_setting('server_version_num')", [])
  const marker = createHmac("sha256", version.secret).update(format).digest("hex")
  return [format, `data ${version.name}`, `secret ${marker}`, `postgres ${row?.[0] ?? ""}`].join("\n")
}

/** Stands for the query that a copy is made by: reading rules, columns, places and order. */
function copyDigest(copy: PreparedTable): string {
  return createHash("sha256")
    .update(printCopy(copy, { dialect: "postgres", secret: "secret" }))
    .digest("hex")
}

function lineOf({ head, copy }: { readonly head: string; readonly copy: PreparedTable }): string {
  return JSON.stringify([head, copy.label, copy.table.path.at(-1), copyDigest(copy)])
}

async function listedCopies(ask: Ask, schema: string, dataset: string): Promise<ReadonlySet<string>> {
  if (!(await hasList(ask, schema))) return new Set()
  const rows = await ask(
    `SELECT l.head, l.label, l.name, l.digest FROM ${quotedIn(schema, listTable)} AS l
      JOIN pg_class AS c ON c.relname = l.name AND c.oid = l.made
      JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname = $1 WHERE l.dataset = $2`,
    [schema, dataset],
  )
  return new Set(rows.map((row) => JSON.stringify(row)))
}

/** The tables that are there, by numbers that another table of the same name does not have. */
async function standing(ask: Ask, schema: string): Promise<string> {
  if (!(await hasList(ask, schema))) return ""
  const rows = await ask(
    `SELECT l.name, l.head, l.digest, l.made, c.relfilenode FROM ${quotedIn(schema, listTable)} AS l
      JOIN pg_class AS c ON c.oid = l.made ORDER BY l.name COLLATE "C"`,
    [],
  )
  return JSON.stringify(rows)
}

async function bytesOf(ask: Ask, schema: string, dataset: string): Promise<number> {
  if (!(await hasList(ask, schema))) return 0
  const [row] = await ask(
    `SELECT sum(pg_total_relation_size(c.oid)) FROM ${quotedIn(schema, listTable)} AS l
      JOIN pg_class AS c ON c.oid = l.made WHERE l.dataset = $1`,
    [dataset],
  )
  return Number(row?.[0] ?? 0)
}

async function hasList(ask: Ask, schema: string): Promise<boolean> {
  const rows = await ask(
    `SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'r'`,
    [schema, listTable],
  )
  return rows.length > 0
}
