import { once } from "node:events"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { rational } from "@dosimeter/core"
import { build } from "vite"
import { afterAll, expect, test } from "vitest"
import { workerUrl, type WorkerTask } from "../testing/ledger-worker.ts"
import { startWorker } from "../testing/start-worker.ts"
import type { ChargeEntry } from "./entry.ts"
import type { Ledger } from "./ledger.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"

const folder = mkdtempSync(join(tmpdir(), "ledger-processes-"))
const bundle = await bundleWorker(folder)
afterAll(() => rmSync(folder, { recursive: true }))

function task(name: string, changes: Partial<WorkerTask>): WorkerTask {
  const path = join(folder, name)
  return { path, anchor: `${path}.anchor`, name, epsilon: "1", charges: 50, together: 1, ...changes }
}

async function chargesIn(ledger: Ledger): Promise<readonly (ChargeEntry & { position: bigint })[]> {
  const all = await ledger.entries(1n, 1_000_000)
  return all.flatMap(({ entry, position }) => (entry.kind === "charge" ? [{ ...entry, position }] : []))
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
}, 30_000)

test("[B1] a process that is killed at any instant loses no charge and invents no answer", async () => {
  const one = task("killed", { epsilon: "100000", charges: 100_000 })
  const acknowledged: string[] = []
  const ready = [startWorker(bundle), startWorker(bundle)]
  const started = performance.now()
  let round = 0
  // Sixty times; on a machine that is busy with other things at least twenty.
  for (; round < 60 && (round < 20 || performance.now() - started < 12_000); round += 1) {
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
    if (round % 10 === 9) await checkAfterCrash(one.path, acknowledged)
  }
  for (const { child } of ready) child.kill("SIGKILL")
  await checkAfterCrash(one.path, acknowledged)
  expect(acknowledged.length).toBeGreaterThan(round)
}, 60_000)

async function checkAfterCrash(path: string, acknowledged: readonly string[]): Promise<void> {
  const ledger = await openSqliteLedger(path, { dataset: "hospital" })
  expect(await ledger.verify()).toMatchObject({ sound: true })
  const charges = await chargesIn(ledger)
  const byId = new Map(charges.map((charge) => [charge.requestId, charge]))
  for (const line of acknowledged) {
    const [, what, position, id = ""] = /^(reserved|answered) (\d+) (.+)$/.exec(line) ?? []
    const charge = byId.get(id)
    expect(charge?.position, line).toBe(BigInt(position ?? "0"))
    if (what !== "answered" || charge === undefined) continue
    expect(await ledger.find(charge)).toMatchObject({ answer: id, charge: charge.position })
  }
  expect((await ledger.accounts())[0]?.spent).toEqual(rational(BigInt(charges.length), 10n))
  for (const left of await ledger.unsettled()) {
    expect(await ledger.find(left)).toBeUndefined()
    await ledger.settle(left, { outcome: "failed" })
  }
  await ledger.close()
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5)
}

/** Writes the worker as one JavaScript file into a folder: a process then starts in a tenth of the time. */
async function bundleWorker(folder: string): Promise<string> {
  const require = createRequire(import.meta.url)
  const modules = dirname(dirname(dirname(require.resolve("@photostructure/sqlite/package.json"))))
  symlinkSync(modules, join(folder, "node_modules"))
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["source"] },
    ssr: { noExternal: [/^@dosimeter\//], resolve: { conditions: ["source"] } },
    build: {
      ssr: fileURLToPath(workerUrl),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: "worker.mjs" } },
    },
  })
  return join(folder, "worker.mjs")
}
