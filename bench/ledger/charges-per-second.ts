// How many charges come back in a second.

import { rational } from "@dosimeter/core"
import type { Ledger } from "../../packages/engine/src/ledger/ledger.ts"

/** Charges a second when so many callers ask one after the other. */
export async function chargesPerSecond(
  ledger: Ledger,
  { callers, each, round }: { readonly callers: number; readonly each: number; readonly round: number },
): Promise<number> {
  const caller = async (name: number): Promise<void> => {
    for (let turn = 0; turn < each; turn += 1) {
      const id = `${round}.${callers}.${name}.${turn}`
      await ledger.reserve({
        accounts: [],
        charge: { accounting: "pure", amount: rational(1n, 1000n), delta: rational(0n) },
        planHash: id,
        dataVersion: "v1",
        requestId: id,
        principal: "bench",
      })
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: callers }, (_, name) => caller(name)))
  return (callers * each * 1000) / (performance.now() - started)
}
