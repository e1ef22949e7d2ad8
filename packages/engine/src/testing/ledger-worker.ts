// A process of its own that spends from a ledger, for tests of races and crashes. It prints one line for each
// thing that the ledger has acknowledged, and nothing that it has not.

import { writeSync } from "node:fs"
import { DosimeterError, rational } from "@dosimeter/core"
import { openPostgresLedger } from "../ledger/postgres-ledger.ts"
import { openSqliteLedger } from "../ledger/sqlite-ledger.ts"
import { pureBudget, request } from "./ledger-fixtures.ts"

/** What a worker is told. */
export interface WorkerTask {
  /** A file, or the URL of a PostgreSQL. */
  readonly path: string
  readonly anchor: string
  readonly name: string
  readonly epsilon: string
  /** How many charges of a tenth, this many at a time. */
  readonly charges: number
  readonly together: number
}

/** Runs in the worker: waits for the task, then spends. */
export async function workFor(input: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces: Uint8Array[] = []
  for await (const piece of input) pieces.push(piece)
  const task: WorkerTask = JSON.parse(Buffer.concat(pieces).toString("utf8"))
  await work(task)
}

async function work(task: WorkerTask): Promise<void> {
  const open = task.path.startsWith("postgres:") ? openPostgresLedger : openSqliteLedger
  const ledger = await open(task.path, { dataset: "hospital", anchor: task.anchor })
  await ledger.openAccount("dataset", pureBudget(task.epsilon))
  say("ready")
  const spend = async (turn: number): Promise<void> => {
    const id = `${task.name} ${turn}`
    try {
      const charge = await ledger.reserve(request(rational(1n, 10n), { requestId: id, planHash: id }))
      say(`reserved ${charge.position} ${id}`)
      await ledger.settle(charge, { outcome: "released", release: { answer: id, receipt: "{}" } })
      say(`answered ${charge.position} ${id}`)
    } catch (error) {
      say(`refused ${error instanceof DosimeterError ? error.code : String(error)}`)
    }
  }
  for (let turn = 0; turn < task.charges; turn += task.together) {
    await Promise.all(Array.from({ length: task.together }, (_, index) => spend(turn + index)))
  }
  await ledger.close()
  say("done")
}

/** At once, past all buffers: the process may be killed right after. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}

/** Where this file is. */
export const workerUrl: string = import.meta.url
