// The program of a process of its own: a small database with the system catalogs of one dataset. It holds
// names and types that the policy makes public and can reach nothing else. It is given printed SQL only,
// gives back a bounded number of rows, and may end at any time: whoever started it starts another.

import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api"
import type { CatalogReply, CatalogRequest } from "./catalog-messages.ts"

const settings = { memory_limit: "100MB", threads: "1", temp_directory: "" }
/** More memory than this of the whole process ends it, at the next look. */
const memoryMax = 400_000_000
/** So does more work for one question: time of a processor, so that a busy machine makes no difference. */
const workMaxMicroseconds = 3_000_000
const lookEveryMs = 20
const rowsMax = 10_000
const columnsMax = 200
const bytesMax = 4_000_000
/** What a value takes beside its characters. */
const bytesOfValue = 8

let connection: DuckDBConnection | undefined
/** What the process had used when its question came; undefined while it has none. */
let usedBefore: NodeJS.CpuUsage | undefined

process.on("message", (request: CatalogRequest) => {
  if (request.kind === "ask") usedBefore = process.cpuUsage()
  void answer(request).then((reply) => {
    usedBefore = undefined
    process.send?.(reply)
  })
})
process.on("disconnect", () => process.exit(0))
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMax || workOfQuestion() > workMaxMicroseconds) process.exit(1)
}, lookEveryMs).unref()

function workOfQuestion(): number {
  if (usedBefore === undefined) return 0
  const { user, system } = process.cpuUsage(usedBefore)
  return user + system
}

async function answer(request: CatalogRequest): Promise<CatalogReply> {
  try {
    return request.kind === "open" ? await open(request.statements) : await ask(request)
  } catch {
    return { kind: "failed" }
  }
}

async function open(statements: readonly string[]): Promise<CatalogReply> {
  const instance = await DuckDBInstance.create(":memory:", settings)
  connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  await connection.run("SET enable_external_access = false; SET lock_configuration = true")
  return { kind: "opened" }
}

async function ask({
  sql,
  asker,
  isDescribed,
}: Extract<CatalogRequest, { kind: "ask" }>): Promise<CatalogReply> {
  if (connection === undefined) return { kind: "failed" }
  await connection.run(`SET VARIABLE asker = '${asker.replaceAll("'", "''")}'`)
  const prepared = await connection.prepare(sql)
  if (prepared.columnCount > columnsMax) return { kind: "too-much" }
  const columns = Array.from({ length: prepared.columnCount }, (_, index) => ({
    name: prepared.columnName(index),
    type: prepared.columnType(index).toString(),
  }))
  if (isDescribed) return { kind: "rows", columns, rows: [] }
  const result = await prepared.stream()
  const rows: (string | number | boolean | null)[][] = []
  let bytes = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) return { kind: "rows", columns, rows }
    for (const row of chunk.getRows()) {
      const plain = row.map(plainValue)
      bytes += plain.reduce((sum: number, value) => sum + `${value}`.length + bytesOfValue, 0)
      rows.push(plain)
      if (rows.length > rowsMax || bytes > bytesMax) return { kind: "too-much" }
    }
  }
}

function plainValue(value: DuckDBValue): string | number | boolean | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") return value
  if (typeof value === "bigint") return `${value}`
  if (typeof value === "object" && "items" in value && Array.isArray(value.items)) {
    return `{${value.items.map((item: DuckDBValue) => `${plainValue(item) ?? "NULL"}`).join(",")}}`
  }
  return value.toString()
}
