import { DosimeterError, rational } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import { pureBudget, refusal, request } from "../testing/ledger-fixtures.ts"
import { memoryAnchor, type Anchor } from "./anchor.ts"
import { ChainLedger } from "./chain-ledger.ts"
import type { EntryRow } from "./entry-store.ts"
import type { ReleaseText } from "./ledger.ts"
import { MemoryStore } from "./memory-store.ts"

/** A disk that fails once, at a step of our choice. */
class Fault {
  #step = ""
  plan(step: string): void {
    this.#step = step
  }
  at(step: string): void {
    if (this.#step !== step) return
    this.#step = ""
    throw new Error("EIO: no space left on device")
  }
}

class FaultyStore extends MemoryStore {
  readonly #fault: Fault
  constructor(fault: Fault) {
    super()
    this.#fault = fault
  }
  override begin(): void {
    this.#fault.at("begin")
    super.begin()
  }
  override append(row: EntryRow, release?: ReleaseText): void {
    this.#fault.at("before append")
    super.append(row, release)
    this.#fault.at("after append")
  }
  override commit(): void {
    this.#fault.at("before commit")
    super.commit()
    this.#fault.at("after commit")
  }
  override rows(from: bigint, count: number): readonly EntryRow[] {
    this.#fault.at("read")
    return super.rows(from, count)
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
    const ledger = new ChainLedger(parts, { dataset: "hospital" })
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
    const again = new ChainLedger(parts, { dataset: "hospital" })
    expect((await again.accounts())[0]?.spent).toEqual(rational(1n))
  })

  test("while an answer is recorded: the answer must not be sent", async () => {
    const fault = new Fault()
    const parts = { store: new FaultyStore(fault), anchor: faultyAnchor(fault) }
    const ledger = new ChainLedger(parts, { dataset: "hospital" })
    await ledger.openAccount("dataset", pureBudget("1"))
    const reservation = await ledger.reserve(request(tenth))
    fault.plan("before commit")
    const release = { answer: "{}", receipt: "{}" }
    const settled = refusal(ledger.settle(reservation, { outcome: "released", release }))
    expect(await settled).toBeInstanceOf(DosimeterError)
    expect(await ledger.find(reservation)).toBeUndefined()
    await ledger.settle(reservation, { outcome: "failed" })
    expect(await ledger.find(reservation)).toBeUndefined()
  })

  test("while a ledger begins: it begins the next time", async () => {
    for (const [step] of steps) {
      const fault = new Fault()
      const parts = { store: new FaultyStore(fault), anchor: faultyAnchor(fault) }
      fault.plan(step)
      expect(() => new ChainLedger(parts, { dataset: "hospital" }), step).toThrow("cannot be read or written")
      const ledger = new ChainLedger(parts, { dataset: "hospital" })
      await ledger.openAccount("dataset", pureBudget("1"))
      expect(await ledger.verify()).toMatchObject({ sound: true, entries: 2n })
    }
  })

  test("after a loss was acknowledged, before the anchor has moved: the loss stays acknowledged", async () => {
    const fault = new Fault()
    const anchor = faultyAnchor(fault)
    const lost = new ChainLedger({ store: new MemoryStore(), anchor }, { dataset: "hospital" })
    await lost.openAccount("dataset", pureBudget("1"))
    const store = new FaultyStore(fault)
    const acknowledge = { by: ["the owner"], why: "the disk is gone" }
    fault.plan("write of the anchor")
    const opening = (): unknown => new ChainLedger({ store, anchor }, { dataset: "hospital", acknowledge })
    expect(opening).toThrow("cannot be read or written")
    const ledger = new ChainLedger({ store, anchor }, { dataset: "hospital" })
    await ledger.openAccount("dataset", pureBudget("1"))
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("budget/exhausted")
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 3n, epoch: 2n })
    expect((await refusal(lost.reserve(request(tenth)))).code).toBe("ledger/rolled-back")
  })
})
