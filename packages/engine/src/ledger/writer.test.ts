import { DosimeterError, rational } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import { pureBudget, refusal, request } from "../testing/ledger-fixtures.ts"
import { memoryAnchor, type Anchor } from "./anchor.ts"
import { openChainLedger } from "./chain-ledger.ts"
import type { EntryRow, NewRow } from "./entry-store.ts"
import { MemoryStore } from "./stores/memory-store.ts"

/** A disk that fails, at a step of our choice: once, unless more is said. */
class Fault {
  readonly message: string
  #step = ""
  #times = 0
  constructor(message = "EIO: no space left on device") {
    this.message = message
  }
  plan(step: string, times = 1): void {
    this.#step = step
    this.#times = times
  }
  at(step: string): void {
    if (this.#step !== step || this.#times === 0) return
    this.#times -= 1
    throw new Error(this.message)
  }
}

class FaultyStore extends MemoryStore {
  readonly #fault: Fault
  constructor(fault: Fault) {
    super()
    this.#fault = fault
  }
  override async begin(): Promise<void> {
    this.#fault.at("begin")
    await super.begin()
  }
  override async append(rows: readonly NewRow[]): Promise<void> {
    this.#fault.at("before append")
    await super.append(rows)
    this.#fault.at("after append")
  }
  override async commit(): Promise<void> {
    this.#fault.at("before commit")
    await super.commit()
    this.#fault.at("after commit")
  }
  override async rows(from: bigint, count: number): Promise<readonly EntryRow[]> {
    this.#fault.at("read")
    return super.rows(from, count)
  }
}

/** A store behind a connection that can be lost. */
class DistantStore extends FaultyStore {
  override isPassing(error?: unknown): boolean {
    return error instanceof Error && error.message === "connection lost"
  }
}

function faultyAnchor(fault: Fault): Anchor {
  const anchor = memoryAnchor()
  return {
    ...anchor,
    read: () => {
      fault.at("read of the anchor")
      return anchor.read()
    },
    write: (head) => {
      fault.at("write of the anchor")
      anchor.write(head)
      fault.at("after the write of the anchor")
    },
  }
}

const steps: readonly (readonly [step: string, charged: boolean])[] = [
  ["begin", false],
  ["read", false],
  ["read of the anchor", false],
  ["before append", false],
  ["after append", false],
  ["before commit", false],
  ["after commit", true],
  ["write of the anchor", true],
  ["after the write of the anchor", true],
]
const tenth = rational(1n, 10n)

describe("a disk that fails", () => {
  test.each(steps)("at %s: nobody is answered; charged: %s", async (step, charged) => {
    const fault = new Fault()
    const parts = { store: new FaultyStore(fault), anchor: faultyAnchor(fault) }
    const ledger = await openChainLedger(parts, { dataset: "hospital" })
    await ledger.openAccount("dataset", pureBudget("1"))
    await ledger.reserve(request(tenth))
    fault.plan(step)
    const asked = [request(tenth), request(tenth)]
    const errors = await Promise.all(asked.map(async (one) => refusal(ledger.reserve(one))))
    expect(errors.map(({ code }) => code)).toEqual(["ledger/failed", "ledger/failed"])
    expect(errors.map(({ message }) => message).join("")).not.toContain("EIO")
    const spent = charged ? 3n : 1n
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(spent, 10n))
    const states = await Promise.all(asked.map(async (one) => (await ledger.findRequest(one)).state))
    expect(states).toEqual(charged ? ["in-progress", "in-progress"] : ["unknown", "unknown"])
    await ledger.reserve(request(rational(10n - spent, 10n)))
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
    const again = await openChainLedger(parts, { dataset: "hospital" })
    expect((await again.accounts())[0]?.spent).toEqual(rational(1n))
  })

  test("while an answer is recorded: the answer must not be sent", async () => {
    const fault = new Fault()
    const parts = { store: new FaultyStore(fault), anchor: faultyAnchor(fault) }
    const ledger = await openChainLedger(parts, { dataset: "hospital" })
    await ledger.openAccount("dataset", pureBudget("1"))
    const reservation = await ledger.reserve(request(tenth))
    fault.plan("before commit")
    const release = { answer: "{}", receipt: "{}" }
    const settled = refusal(ledger.settle(reservation, { outcome: "released", release }))
    expect(await settled).toBeInstanceOf(DosimeterError)
    expect(await ledger.find(reservation)).toBeUndefined()
    await ledger.settle(reservation, { outcome: "failed", cause: "cancelled" })
    expect(await ledger.find(reservation)).toBeUndefined()
  })

  test("while a ledger begins: it begins the next time", async () => {
    for (const [step] of steps) {
      const fault = new Fault()
      const parts = { store: new FaultyStore(fault), anchor: faultyAnchor(fault) }
      fault.plan(step)
      const error = await refusal(openChainLedger(parts, { dataset: "hospital" }))
      expect(error.message, step).toContain("cannot be read or written")
      const ledger = await openChainLedger(parts, { dataset: "hospital" })
      await ledger.openAccount("dataset", pureBudget("1"))
      expect(await ledger.verify()).toMatchObject({ sound: true, entries: 2n })
    }
  })

  test("after a loss was acknowledged, before the anchor has moved: the loss stays acknowledged", async () => {
    const fault = new Fault()
    const anchor = faultyAnchor(fault)
    const lost = await openChainLedger({ store: new MemoryStore(), anchor }, { dataset: "hospital" })
    await lost.openAccount("dataset", pureBudget("1"))
    const store = new FaultyStore(fault)
    const acknowledge = { by: ["the owner"], why: "the disk is gone" }
    fault.plan("write of the anchor")
    const opening = openChainLedger({ store, anchor }, { dataset: "hospital", acknowledge })
    expect((await refusal(opening)).message).toContain("cannot be read or written")
    const ledger = await openChainLedger({ store, anchor }, { dataset: "hospital" })
    await ledger.openAccount("dataset", pureBudget("1"))
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 3n, epoch: 2n })
    expect((await refusal(lost.reserve(request(tenth)))).code).toBe("ledger/rolled-back")
  })
})

describe("[B1] a connection that is lost", () => {
  const distant = ["begin", "read", "before append", "after append", "before commit", "after commit"]

  test.each(distant)("at %s: everybody is charged once, and answered", async (step) => {
    const fault = new Fault("connection lost")
    const ledger = await openChainLedger(
      { store: new DistantStore(fault), anchor: memoryAnchor() },
      { dataset: "hospital" },
    )
    await ledger.openAccount("dataset", pureBudget("0.4"))
    await ledger.reserve(request(tenth))
    fault.plan(step)
    const asked = [request(tenth), request(tenth)]
    const charges = await Promise.all(asked.map(async (one) => ledger.reserve(one)))
    expect(charges.map(({ position }) => position)).toEqual([4n, 5n])
    fault.plan("read")
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(3n, 10n))
    fault.plan(step)
    const all = await Promise.allSettled(
      [request(tenth), request(tenth)].map(async (one) => ledger.reserve(one)),
    )
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 6n })
    await ledger.close()
  })

  test("and does not come back is an error, and what was charged stands", async () => {
    const fault = new Fault("connection lost")
    const ledger = await openChainLedger(
      { store: new DistantStore(fault), anchor: memoryAnchor() },
      { dataset: "hospital" },
    )
    await ledger.openAccount("dataset", pureBudget("1"))
    await ledger.reserve(request(tenth))
    fault.plan("begin", 99)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("store/unreachable")
    fault.plan("")
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    await ledger.close()
  })
})

test("[B1] nobody sees a charge before it is durable", async () => {
  let settle: (error: Error | undefined) => void = () => {}
  let tellBegun: (value: unknown) => void = () => {}
  class SlowStore extends MemoryStore {
    isSlow = false
    override async commit(): Promise<void> {
      if (this.isSlow) {
        const error = await new Promise<Error | undefined>((resolve) => {
          settle = resolve
          tellBegun(undefined)
        })
        if (error !== undefined) throw error
      }
      await super.commit()
    }
  }
  const store = new SlowStore()
  const ledger = await openChainLedger({ store, anchor: memoryAnchor() }, { dataset: "hospital" })
  await ledger.openAccount("dataset", pureBudget("1"))
  for (const fails of [true, false]) {
    store.isSlow = true
    const begun = new Promise((resolve) => {
      tellBegun = resolve
    })
    const reserved = ledger.reserve(request(tenth)).catch(() => undefined)
    await begun
    const seen = ledger.accounts()
    settle(fails ? new Error("EIO") : undefined)
    store.isSlow = false
    expect((await reserved) === undefined).toBe(fails)
    expect((await seen)[0]?.spent).toEqual(fails ? rational(0n) : tenth)
  }
  await ledger.close()
})

test("[B3] a machine comes to a shared ledger by a head that the ledger contains, and not without", async () => {
  class SharedStore extends MemoryStore {
    override readonly isShared: boolean = true
  }
  const store = new SharedStore()
  const first = await openChainLedger({ store, anchor: memoryAnchor() }, { dataset: "hospital" })
  await first.openAccount("dataset", pureBudget("1"))
  const { hash } = await first.reserve(request(tenth))
  const codes: string[] = []
  for (const join of [undefined, "f".repeat(64)]) {
    const options = { dataset: "hospital", ...(join === undefined ? {} : { join }) }
    codes.push((await refusal(openChainLedger({ store, anchor: memoryAnchor() }, options))).code)
  }
  expect(codes).toEqual(["ledger/not-joined", "ledger/other-head"])
  const anchor = memoryAnchor()
  let time = Date.now()
  const now = (): Date => new Date(time)
  const second = await openChainLedger({ store, anchor }, { dataset: "hospital", join: hash, now })
  await second.reserve(request(tenth))
  expect(anchor.read()?.entries).toBe(4n)
  expect((await first.accounts())[0]?.spent).toEqual(rational(1n, 5n))
  // A machine that only reads remembers what the others entered, so that it notices if that is lost.
  await first.reserve(request(tenth))
  time += 60_000
  await second.accounts()
  expect(anchor.read()?.entries).toBe(5n)
  await Promise.all([first.close(), second.close()])
})
