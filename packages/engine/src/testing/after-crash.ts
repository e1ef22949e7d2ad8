// What must hold of a ledger whose writers were killed.

import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { rational } from "@dosimeter/core"
import { expect } from "vitest"
import type { ChargeEntry } from "../ledger/entries/entry.ts"
import type { Ledger, Reservation } from "../ledger/ledger.ts"
import { refusal, request } from "./ledger-fixtures.ts"
import type { WorkerTask } from "./ledger-worker.ts"
import { startWorker } from "./start-worker.ts"

/** The charges of a ledger. */
export async function chargesIn(ledger: Ledger): Promise<readonly (ChargeEntry & { position: bigint })[]> {
  const all = await ledger.entries(1n, 1_000_000)
  return all.flatMap(({ entry, position }) => (entry.kind === "charge" ? [{ ...entry, position }] : []))
}

/** Everything that a worker was told is there, nothing else was answered, and all is charged. */
export async function checkAfterCrash(ledger: Ledger, acknowledged: readonly string[]): Promise<void> {
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
  // Those who made them have ended: what is left is answered under its charge.
  for (const left of await ledger.unsettled()) {
    expect(await ledger.find(left)).toBeUndefined()
    const taken = await takenOver(ledger, left)
    const release = { answer: left.requestId, receipt: "{}" }
    await ledger.settle(taken, { outcome: "released", release })
    expect(await ledger.find(left)).toMatchObject({ ...release, charge: left.position })
  }
  expect((await ledger.accounts())[0]?.spent).toEqual(rational(BigInt(charges.length), 10n))
  await ledger.close()
}

/** The charge of a process that was killed, as soon as the system has noticed that it has ended. */
export async function takenOver(ledger: Ledger, left: Reservation): Promise<Reservation> {
  for (;;) {
    const taken = await ledger.takeOver(left)
    if (taken !== undefined) return taken
    await setTimeout(5)
  }
}

/**
 * Two processes in turn make a charge, or take it over, and are killed: nobody takes it over before, the
 * second one does, and what is left then has failed.
 */
export async function checkTwoKills(ledger: Ledger, task: WorkerTask, bundle: string): Promise<void> {
  const first = startWorker(bundle)
  first.give({ ...task, stays: true })
  while (first.lines().length < 2) await setTimeout(5)
  const [charge] = await ledger.unsettled()
  if (charge === undefined) throw new Error("a worker that says so has made a charge")
  for (let look = 0; look < 20; look += 1) expect(await ledger.takeOver(charge)).toBeUndefined()
  first.child.kill("SIGKILL")
  await once(first.child, "close")
  const second = startWorker(bundle)
  second.give({ ...task, takes: true })
  while (second.lines().length < 2) await setTimeout(5)
  expect(second.lines()[1]).toBe(`took over ${charge.position}`)
  const [taken = charge] = await ledger.unsettled()
  expect(taken.position).toBe(charge.position)
  expect(await ledger.takeOver(taken)).toBeUndefined()
  second.child.kill("SIGKILL")
  await once(second.child, "close")
  const failed = await refusal(takenOver(ledger, taken))
  expect(failed.code).toBe("ledger/request-failed")
  expect(await ledger.incidents()).toMatchObject([{ charge: charge.position, cause: "lost" }])
  expect((await refusal(ledger.reserve(request(rational(1n, 10n))))).code).toBe("ledger/door-closed")
  expect(await ledger.verify()).toMatchObject({ sound: true })
  await ledger.close()
}
