import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { rational } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import { chargesIn, checkAfterCrash, checkTwoKills } from "../../testing/after-crash.ts"
import { bundleWorker } from "../../testing/bundle-worker.ts"
import { pureBudget } from "../../testing/ledger-fixtures.ts"
import { headOf, postgresFixture } from "../../testing/postgres-fixture.ts"
import { startWorker } from "../../testing/start-worker.ts"

const postgres = postgresFixture()
const { open, newAnchor } = postgres
const bundle = postgres.isMissing ? "" : await bundleWorker(postgres.folder)

describe.skipIf(postgres.isMissing)("processes that share a ledger in PostgreSQL", () => {
  test("[B2] four processes on two machines never spend more than there is", async () => {
    const [here, there] = [newAnchor(), newAnchor()]
    const ledger = await open({ dataset: "hospital", anchor: here })
    await (await open({ dataset: "hospital", anchor: there, join: await headOf(ledger) })).close()
    const workers = [1, 10, 5, 50].map((together, index) => {
      const worker = startWorker(bundle)
      const anchor = index % 2 === 0 ? here : there
      worker.give({
        path: postgres.url(),
        anchor,
        name: `process ${index}`,
        epsilon: "3.95",
        charges: 50,
        together,
      })
      return worker
    })
    await Promise.all(workers.map(({ child }) => once(child, "close")))
    expect(workers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0])
    const lines = workers.flatMap((worker) => worker.lines())
    expect(lines.filter((line) => line.startsWith("reserved"))).toHaveLength(39)
    expect(lines.filter((line) => line === "refused budget/exhausted")).toHaveLength(161)
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(39n, 10n))
    expect(await chargesIn(ledger)).toHaveLength(39)
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 2n + 39n + 39n })
    await ledger.close()
  })

  test("[B1] killed processes and a server that crashes lose no charge and invent no answer", async () => {
    const [path, anchor] = [await postgres.cluster().database(), newAnchor()]
    const acknowledged: string[] = []
    const ready = [startWorker(bundle), startWorker(bundle)]
    for (let round = 0; round < 8; round += 1) {
      const worker = ready.shift() ?? startWorker(bundle)
      ready.push(startWorker(bundle))
      const name = `round ${round}`
      worker.give({ path, anchor, name, epsilon: "100000", charges: 100_000, together: 1 + (round % 3) })
      await until(() => worker.lines().length > 1 + (round % 5))
      if (round % 4 === 3) {
        // The process goes on by itself when the server is back.
        postgres.cluster().control?.crash()
        const before = worker.lines().length
        postgres.cluster().control?.start()
        await until(() => worker.lines().length > before + 6)
      }
      worker.child.kill("SIGKILL")
      await once(worker.child, "close")
      acknowledged.push(...worker.lines().filter((line) => line !== "ready"))
    }
    for (const { child } of ready) child.kill("SIGKILL")
    expect(acknowledged.filter((line) => !/^(reserved|answered) /.test(line))).toEqual([])
    await checkAfterCrash(await open({ at: path, dataset: "hospital", anchor }), acknowledged)
  })

  test("[I2] a charge of a process that is killed is taken over once, and never before", async () => {
    const [path, anchor] = [await postgres.cluster().database(), newAnchor()]
    const ledger = await open({ at: path, dataset: "hospital", anchor })
    await ledger.openAccount("dataset", pureBudget("1"))
    const one = { path, anchor, name: "killed", epsilon: "1", charges: 1, together: 1 }
    await checkTwoKills(ledger, one, bundle)
  })
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5)
}
