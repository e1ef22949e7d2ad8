import { isLongForm } from "@dosimeter/core/testing"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { rational } from "@dosimeter/core"
import { afterAll, expect, test } from "vitest"
import { chargesIn, checkAfterCrash, checkTwoKills } from "../../testing/after-crash.ts"
import { bundleWorker } from "../../testing/bundle-worker.ts"
import { pureBudget } from "../../testing/ledger-fixtures.ts"
import type { WorkerTask } from "../../testing/ledger-worker.ts"
import { startWorker } from "../../testing/start-worker.ts"
import type { Ledger } from "../ledger.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"

const folder = mkdtempSync(join(tmpdir(), "ledger-processes-"))
const bundle = await bundleWorker(folder)
afterAll(() => rmSync(folder, { recursive: true }))

function task(name: string, changes: Partial<WorkerTask>): WorkerTask {
  const path = join(folder, name)
  return { path, anchor: `${path}.anchor`, name, epsilon: "1", charges: 50, together: 1, ...changes }
}

test("[B2] four processes that ask two hundred times at once never spend more than there is", async () => {
  const tasks = [1, 10, 5, 50].map((together, index) =>
    task("shared", { name: `process ${index}`, together, epsilon: "3.95" }),
  )
  const workers = tasks.map(() => startWorker(bundle))
  for (const [index, one] of tasks.entries()) workers[index]?.give(one)
  await Promise.all(workers.map(({ child }) => once(child, "close")))
  expect(workers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0])
  const lines = workers.flatMap((worker) => worker.lines())
  const reserved = lines.filter((line) => line.startsWith("reserved"))
  expect(reserved).toHaveLength(39)
  expect(lines.filter((line) => line === "refused budget/exhausted")).toHaveLength(161)
  const ledger = await openSqliteLedger(join(folder, "shared"), { dataset: "hospital" })
  expect((await ledger.accounts())[0]?.spent).toEqual(rational(39n, 10n))
  expect(await chargesIn(ledger)).toHaveLength(39)
  expect(await ledger.verify()).toMatchObject({ sound: true, entries: 2n + 39n + 39n })
  await ledger.close()
})

test("[B1] a process that is killed at any instant loses no charge and invents no answer", async () => {
  const one = task("killed", { epsilon: "100000", charges: 100_000 })
  const acknowledged: string[] = []
  const ready = [startWorker(bundle), startWorker(bundle)]
  const rounds = isLongForm ? 120 : 8
  for (let round = 0; round < rounds; round += 1) {
    const worker = ready.shift() ?? startWorker(bundle)
    ready.push(startWorker(bundle))
    worker.give({ ...one, name: `round ${round}`, together: 1 + (round % 3) })
    // After a few acknowledgements, at an instant that has nothing to do with what the worker is doing.
    const enough = 1 + (round % 5)
    await until(() => worker.lines().length > enough)
    await setTimeout(round % 4)
    worker.child.kill("SIGKILL")
    await once(worker.child, "close")
    acknowledged.push(...worker.lines().filter((line) => line !== "ready"))
    if (round % 10 === 9) await checkAfterCrash(await openFile(one.path), acknowledged)
  }
  for (const { child } of ready) child.kill("SIGKILL")
  await checkAfterCrash(await openFile(one.path), acknowledged)
  expect(acknowledged.length).toBeGreaterThan(rounds)
})

test("[I2] a charge of a process that is killed is taken over once, and never before", async () => {
  const one = task("taken", {})
  const ledger = await openFile(one.path)
  await ledger.openAccount("dataset", pureBudget("1"))
  await checkTwoKills(ledger, one, bundle)
})

async function openFile(path: string): Promise<Ledger> {
  return openSqliteLedger(path, { dataset: "hospital" })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5)
}
