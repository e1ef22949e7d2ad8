import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { inSlots } from "./slots.ts"

/** How long something took, in slots. */
async function slotsOf(slotMs: number, run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await inSlots(slotMs, run).catch(() => undefined)
  return (performance.now() - started) / slotMs
}

test("an answer and a failure wait for the end of their slot", async () => {
  const slow = (ms: number) => () => sleep(ms)
  // Timers may end a millisecond early; later than asked is always possible.
  for (const run of [slow(0), slow(20), () => Promise.reject(new Error("failed"))]) {
    expect(await slotsOf(60, run)).toBeGreaterThan(0.95)
  }
  expect(await slotsOf(60, slow(80))).toBeGreaterThan(1.95)
})

test("without a slot nothing waits, and results pass", async () => {
  expect(await inSlots(undefined, () => Promise.resolve(7))).toBe(7)
  await expect(inSlots(undefined, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed")
})
