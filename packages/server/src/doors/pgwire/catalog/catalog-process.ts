// The program of a process of its own: a small database with the system catalogs of one dataset. It holds
// names and types that the policy makes public and can reach nothing else. It is given printed SQL only,
// gives back a bounded number of rows, and may end at any time: whoever started it starts another.

import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api"
import { Worker } from "node:worker_threads"
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
/** The number of the question that is being answered, 0 for none: shared with the watching thread. */
const current = new Int32Array(new SharedArrayBuffer(4))
let questions = 0

process.on("message", (request: CatalogRequest) => {
  questions += 1
  if (request.kind === "ask") Atomics.store(current, 0, questions)
  void answer(request).then((reply) => {
    Atomics.store(current, 0, 0)
    process.send?.(reply)
  })
})
process.on("disconnect", () => process.exit(0))

/** In a thread of its own: a question may keep this one busy until its end. */
const watching = `
  const { workerData } = require("node:worker_threads")
  const { current, memoryMax, workMaxMicroseconds, lookEveryMs } = workerData
  let [question, before] = [0, process.cpuUsage()]
  setInterval(() => {
    const now = Atomics.load(current, 0)
    if (now !== question) [question, before] = [now, process.cpuUsage()]
    const { user, system } = process.cpuUsage(before)
    const isTooMuchWork = question !== 0 && user + system > workMaxMicroseconds
    if (isTooMuchWork || process.memoryUsage.rss() > memoryMax) process.kill(process.pid, "SIGKILL")
  }, lookEveryMs)`
const workerData = { current, memoryMax, workMaxMicroseconds, lookEveryMs }
new Worker(watching, { eval: true, execArgv: [], workerData }).unref()

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
