// A process of its own that spends from a ledger, for tests of races and crashes. It prints one line for each
// thing that the ledger has acknowledged, and nothing that it has not.

import { writeSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { DosimeterError, rational } from "@dosimeter/core"
import type { Ledger } from "../ledger/ledger.ts"
import { openPostgresLedger } from "../ledger/stores/postgres-ledger.ts"
import { openSqliteLedger } from "../ledger/stores/sqlite-ledger.ts"
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
  /** Whether it makes one charge, and then waits until it is killed. */
  readonly stays?: true
  /** Whether it takes over the charge that waits, and then waits until it is killed. */
  readonly takes?: true
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
  if (task.stays === true || task.takes === true) {
    await (task.stays === true ? makeOne(ledger, task.name) : takeOne(ledger))
    // Far longer than any test lasts.
    await setTimeout(3_600_000)
  }
  const spend = async (turn: number): Promise<void> => {
    const id = `${task.name} ${turn}`
    try {
      // Of its own principal: the door of one over whose charges several processes end is closed.
      const own = { requestId: id, planHash: id, principal: task.name }
      const charge = await ledger.reserve(request(rational(1n, 10n), own))
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

async function makeOne(ledger: Ledger, name: string): Promise<void> {
  const charge = await ledger.reserve(request(rational(1n, 10n), { requestId: name, planHash: name }))
  say(`reserved ${charge.position} ${name}`)
}

async function takeOne(ledger: Ledger): Promise<void> {
  const [left] = await ledger.unsettled()
  if (left === undefined) return
  let taken = await ledger.takeOver(left)
  while (taken === undefined) taken = await ledger.takeOver(left)
  say(`took over ${left.position}`)
}

/** At once, past all buffers: the process may be killed right after. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}

/** Where this file is. */
export const workerUrl: string = import.meta.url
