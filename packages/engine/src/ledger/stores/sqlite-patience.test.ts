import { expect, test } from "vitest"
import { patiently } from "./sqlite-patience.ts"

const busy = (): never => {
  throw new Error("database is locked")
}

test("a lock is waited for, look by look, and other processes are let in between", async () => {
  let looks = 0
  const found = await patiently(60_000, async () => {
    looks += 1
    return looks < 5 ? busy() : "entered"
  })
  expect([found, looks]).toEqual(["entered", 5])
})

test("patience ends, and what is no lock is told at once", async () => {
  let now = 0
  let looks = 0
  const waiting = patiently(
    100,
    async () => {
      looks += 1
      now += 40
      return busy()
    },
    () => now,
  )
  await expect(waiting).rejects.toThrow("locked")
  expect(looks).toBe(3)
  const other = patiently(60_000, async () => {
    throw new Error("disk I/O error")
  })
  await expect(other).rejects.toThrow("disk I/O error")
})
