// What must hold of a ledger whose writers were killed.

import { rational } from "@dosimeter/core"
import { expect } from "vitest"
import type { ChargeEntry } from "../ledger/entry.ts"
import type { Ledger } from "../ledger/ledger.ts"

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
  for (const left of await ledger.unsettled()) {
    expect(await ledger.find(left)).toBeUndefined()
    await ledger.settle(left, { outcome: "failed" })
  }
  await ledger.close()
}
