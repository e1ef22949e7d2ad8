// What every ledger must do about the meaning of its losses, whatever it is kept in.

import { rational, type Rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import type { LossTerms } from "../../ledger/entries/entry.ts"
import type { Ledger } from "../../ledger/ledger.ts"
import { pureBudget, refusal, request } from "../ledger-fixtures.ts"

type Open = () => Promise<Ledger>

/** Declares the tests for ledgers that `open` makes, each new and empty. */
export function termsConformance(open: Open): void {
  bindingTests(open)
  decisionTests(open)
}

const tenth = rational(1n, 10n)
const losses: LossTerms = {
  neighbours: "add-or-remove",
  unit: "person",
  accounting: "pure",
  source: "duckdb hospital.duckdb",
  "table visits": "person_id",
}
const policy = { by: ["the owner"], why: "stated in the policy" }
const two = { by: ["olga", "carl"], why: "looked at together" }

/** A ledger whose losses are bound, with a tenth spent. */
async function bind(open: Open): Promise<Ledger> {
  const ledger = await open()
  await ledger.openAccount("dataset", pureBudget("1"), { ...policy, terms: losses })
  await ledger.openAccount("study:cardio", pureBudget("0.5"))
  await ledger.reserve(request(tenth, { accounts: ["study:cardio"] }))
  return ledger
}

async function again(ledger: Ledger, terms: LossTerms): Promise<unknown> {
  return ledger.openAccount("dataset", pureBudget("1"), { ...policy, terms })
}

async function spent(ledger: Ledger): Promise<readonly Rational[]> {
  return (await ledger.accounts()).map((account) => account.spent)
}

function bindingTests(open: Open): void {
  test("[B8] what losses mean is bound when the account opens; another meaning is refused by name", async () => {
    const ledger = await bind(open)
    expect(await ledger.terms()).toEqual(losses)
    await again(ledger, losses)
    for (const [name, text] of Object.entries({
      neighbours: "replace",
      unit: "row",
      source: "duckdb other.duckdb",
      "table visits": "public",
    })) {
      const error = await refusal(again(ledger, { ...losses, [name]: text }))
      expect(error.code).toBe("ledger/terms-differ")
      expect(error.message).toContain(`${name} was ${losses[name]}, and the policy says ${text}`)
    }
    expect(await ledger.entries(1n, 10)).toHaveLength(4)
    await ledger.close()
  })

  test("[B8] tables may come and go; one that comes back is as it was", async () => {
    const ledger = await bind(open)
    const { "table visits": _visits, ...without } = losses
    await again(ledger, without)
    await again(ledger, { ...losses, "table bills": "visit_id = visits.id, person_id" })
    expect(await ledger.terms()).toHaveProperty("table bills")
    await again(ledger, without)
    const changed = refusal(again(ledger, { ...without, "table bills": "row" }))
    expect((await changed).code).toBe("ledger/terms-differ")
    expect(await ledger.entries(1n, 10)).toHaveLength(5)
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
  })

  test("[B8] a ledger that began without is bound when terms are first given", async () => {
    const ledger = await open()
    await ledger.openAccount("dataset", pureBudget("1"))
    expect(await ledger.terms()).toBeUndefined()
    await again(ledger, losses)
    expect(await ledger.terms()).toEqual(losses)
    expect((await refusal(again(ledger, { ...losses, unit: "row" }))).code).toBe("ledger/terms-differ")
    await ledger.close()
  })
}

function decisionTests(open: Open): void {
  test("[B8] data that moved keeps what was spent; another unit or other neighbours leave nothing", async () => {
    for (const [change, left] of [
      [{ source: "duckdb moved.duckdb" }, [tenth, tenth]],
      [{ unit: "row" }, [rational(1n), rational(1n, 2n)]],
      [{ neighbours: "replace" }, [rational(1n), rational(1n, 2n)]],
      [{ "table visits": "row" }, [rational(1n), rational(1n, 2n)]],
    ] as const) {
      const ledger = await bind(open)
      const terms = { ...losses, ...change }
      await ledger.rebind(terms, two)
      await again(ledger, terms)
      expect(await spent(ledger)).toEqual(left)
      const codes = (await refusal(ledger.rebind(terms, two))).code
      expect(codes).toBe("ledger/terms-same")
      expect(await ledger.verify()).toMatchObject({ sound: true })
      await ledger.close()
    }
  })

  test("[B8] two people may state what was spent, and never less than is known", async () => {
    const ledger = await bind(open)
    const terms = { ...losses, unit: "row" }
    const stated = { amount: rational(3n, 10n), delta: rational(0n) }
    const one = refusal(ledger.rebind(terms, { by: ["olga", "olga"], why: "alone", spent: stated }))
    expect((await one).code).toBe("ledger/one-person")
    const less = refusal(ledger.rebind(terms, { ...two, spent: { ...stated, amount: rational(0n) } }))
    expect((await less).code).toBe("ledger/less-than-known")
    await ledger.rebind(terms, { ...two, spent: stated })
    // What is more than was known may have been any account's.
    expect(await spent(ledger)).toEqual([rational(3n, 10n), rational(3n, 10n)])
    await ledger.close()
  })

  test("what is held is read and not charged", async () => {
    const ledger = await bind(open)
    const why = await refusal(again(ledger, { ...losses, unit: "row" }))
    ledger.hold(why)
    expect(await ledger.trouble()).toBe(why)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("ledger/terms-differ")
    expect(await spent(ledger)).toEqual([tenth, tenth])
    ledger.hold(undefined)
    await ledger.reserve(request(tenth))
    expect((await refusal(ledger.acknowledge(two))).code).toBe("ledger/nothing-lost")
    await ledger.close()
  })
}
