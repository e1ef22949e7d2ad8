// What every ledger must do, whatever it is kept in. A kind of store calls this from its own test.

import { budgetFor, chargesLeft, odometerOf, rational, type Rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import type { AccountName } from "../../ledger/entries/account.ts"
import type { Ledger, ReleaseText } from "../../ledger/ledger.ts"
import { pureBudget, refusal, request } from "../ledger-fixtures.ts"
import { splitConformance } from "./split-conformance.ts"
import { termsConformance } from "./terms-conformance.ts"

/** Declares the tests for ledgers that `open` makes, each new and empty. */
export function ledgerConformance(open: () => Promise<Ledger>): void {
  const opened = async (epsilon = "1"): Promise<Ledger> => {
    const ledger = await open()
    await ledger.openAccount("dataset", pureBudget(epsilon))
    return ledger
  }
  limitTests(opened)
  budgetTests(opened)
  nameTests(opened)
  outcomeTests(opened)
  recordTests(opened)
  requestTests(opened)
  splitConformance(open)
  termsConformance(open)
}

type Opened = (epsilon?: string) => Promise<Ledger>

const tenth = rational(1n, 10n)
const answer = { answer: '{"count":12}', receipt: "{}" }

function limitTests(opened: Opened): void {
  test("a tenth fits ten times into one, and not eleven times", async () => {
    const ledger = await opened()
    for (let time = 0; time < 10; time += 1) await ledger.reserve(request(tenth))
    const error = await refusal(ledger.reserve(request(rational(1n, 10n ** 40n))))
    expect(error.code).toBe("budget/exhausted")
    expect(error.message).toBe("the question costs epsilon 1e-40, and the dataset has epsilon 0 left")
    const [account] = await ledger.accounts()
    expect(account).toMatchObject({ name: "dataset", spent: rational(1n), left: { amount: rational(0n) } })
    expect(account && odometerOf(account).epsilon).toEqual(rational(1n))
    expect(
      account && chargesLeft(account, { pure: { measure: "pure", epsilon: tenth }, zcdp: zcdp(tenth) }),
    ).toBe(0n)
    await ledger.close()
  })

  test("of two hundred who ask at once, ten are answered", async () => {
    const ledger = await opened()
    const all = await Promise.allSettled(Array.from({ length: 200 }, () => ledger.reserve(request(tenth))))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(10)
    const positions = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.position] : []))
    expect(new Set(positions).size).toBe(10)
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(1n))
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 12n })
    await ledger.close()
  })

  test("the least positive loss counts, and nothing or less is no charge", async () => {
    const ledger = await opened()
    await ledger.reserve(request(rational(1n, 1n << 4000n)))
    expect((await ledger.accounts())[0]?.spent.numerator).toBe(1n)
    for (const amount of [rational(0n), rational(-1n), { numerator: 1n, denominator: 0n }]) {
      expect((await refusal(ledger.reserve(request(amount)))).code).toBe("bug/invariant")
    }
    await ledger.close()
  })

  test("delta has a limit of its own, down to 2^-200", async () => {
    const ledger = await opened()
    await ledger.changeBudget("dataset", pureBudget("1", `${1n}/${1n << 199n}`), {
      by: ["owner"],
      why: "delta",
    })
    const delta = rational(1n, 1n << 200n)
    const charge = { accounting: "pure", amount: rational(0n), delta } as const
    await ledger.reserve(request(tenth, { charge }))
    await ledger.reserve(request(tenth, { charge }))
    expect((await refusal(ledger.reserve(request(tenth, { charge })))).code).toBe("budget/exhausted")
    await ledger.close()
  })
}

function budgetTests(opened: Opened): void {
  test("a charge enters all of its accounts or none", async () => {
    const ledger = await opened()
    await ledger.openAccount("study:cardio", pureBudget("0.5"))
    await ledger.openAccount("analyst:ana", pureBudget("0.2"))
    const both: readonly AccountName[] = ["study:cardio", "analyst:ana"]
    await ledger.reserve(request(tenth, { accounts: both, study: "cardio" }))
    await ledger.reserve(request(tenth, { accounts: ["dataset", "dataset", "analyst:ana"] }))
    const error = await refusal(ledger.reserve(request(tenth, { accounts: both })))
    expect(error.message).toBe("the question costs epsilon 0.1, and the analyst ana has epsilon 0 left")
    const spent = (await ledger.accounts()).map((account) => [account.name, account.spent])
    expect(spent).toEqual([
      ["dataset", rational(1n, 5n)],
      ["study:cardio", tenth],
      ["analyst:ana", rational(1n, 5n)],
    ])
    await ledger.close()
  })

  test("accounts that nobody opened are refused", async () => {
    const ledger = await opened()
    const unknown = refusal(ledger.reserve(request(tenth, { accounts: ["study:other"] })))
    expect((await unknown).code).toBe("ledger/unknown-account")
    await ledger.close()
  })

  test("an account opens once; another budget is an entry with who and why", async () => {
    const ledger = await opened()
    await ledger.reserve(request(rational(9n, 10n)))
    await ledger.openAccount("dataset", pureBudget("1.0"))
    const before = await ledger.entries(1n, 100)
    const differs = await refusal(ledger.openAccount("dataset", pureBudget("2")))
    expect(differs.code).toBe("ledger/budget-differs")
    await ledger.changeBudget("dataset", pureBudget("0.5"), { by: ["ben", "cleo"], why: "agreed on Monday" })
    expect((await refusal(ledger.reserve(request(tenth)))).message).toContain("epsilon 0 left")
    await ledger.changeBudget("dataset", pureBudget("2"), { by: ["ben", "cleo"], why: "more patients" })
    await ledger.reserve(request(rational(11n, 10n)))
    const after = await ledger.entries(1n, 100)
    expect(after.length).toBe(before.length + 3)
    expect(after.map(({ entry }) => entry).filter(({ kind }) => kind === "budget")[1]).toMatchObject({
      account: "dataset",
      by: ["ben", "cleo"],
      why: "agreed on Monday",
    })
    await ledger.close()
  })
}

function nameTests(opened: Opened): void {
  test("all accounts add up in the same way", async () => {
    const ledger = await opened()
    const budget = budgetFor({ epsilon: "1", delta: "1e-6", accounting: "zcdp" })
    const decision = { by: ["owner"], why: "other" }
    const codes = [
      await refusal(ledger.openAccount("study:cardio", budget)),
      await refusal(ledger.changeBudget("dataset", budget, decision)),
      await refusal(
        ledger.reserve(request(tenth, { charge: { ...request(tenth).charge, accounting: "zcdp" } })),
      ),
    ].map(({ code }) => code)
    expect(codes).toEqual(Array.from({ length: 3 }, () => "ledger/accounting-differs"))
    await ledger.close()
  })

  test("names are one line, and a change is decided by somebody", async () => {
    const ledger = await opened()
    const codes = [
      await refusal(ledger.reserve(request(tenth, { requestId: "" }))),
      await refusal(ledger.reserve(request(tenth, { principal: "a\nb" }))),
      await refusal(ledger.reserve(request(tenth, { planHash: "x".repeat(201) }))),
      await refusal(ledger.changeBudget("dataset", pureBudget("2"), { by: [], why: "no reason" })),
      await refusal(ledger.changeBudget("dataset", pureBudget("2"), { by: ["owner"], why: "" })),
      await refusal(ledger.openAccount("study:", pureBudget("2"))),
    ].map(({ code }) => code)
    expect(codes).toEqual(Array.from({ length: 6 }, () => "ledger/bad-name"))
    await ledger.close()
  })
}

function outcomeTests(opened: Opened): void {
  test("a released charge answers the same question for free, a failed one stays charged", async () => {
    const ledger = await opened()
    const question = { planHash: "plan", dataVersion: "v1" }
    const failed = await ledger.reserve(request(tenth, question))
    await ledger.settle(failed, { outcome: "failed", cause: "cancelled" })
    expect(await ledger.find(question)).toBeUndefined()
    const reservation = await ledger.reserve(request(tenth, question))
    expect(await ledger.unsettled()).toEqual([reservation])
    await ledger.settle(reservation, { outcome: "released", release: answer })
    expect(await ledger.find(question)).toEqual({ ...answer, charge: reservation.position })
    expect(await ledger.find({ ...question, dataVersion: "v2" })).toBeUndefined()
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(1n, 5n))
    expect(await ledger.unsettled()).toEqual([])
    await ledger.close()
  })

  test("a charge is settled once", async () => {
    const ledger = await opened()
    const reservation = await ledger.reserve(request(tenth))
    const all = await Promise.allSettled([
      ledger.settle(reservation, { outcome: "failed", cause: "cancelled" }),
      ledger.settle(reservation, { outcome: "released", release: answer }),
    ])
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
    const again = await refusal(ledger.settle(reservation, { outcome: "failed", cause: "cancelled" }))
    expect(again.code).toBe("ledger/already-settled")
    expect(await ledger.find(reservation)).toBeUndefined()
    const other = await ledger.reserve(request(tenth))
    const wrong = refusal(
      ledger.settle({ ...other, planHash: "another" }, { outcome: "failed", cause: "cancelled" }),
    )
    expect((await wrong).code).toBe("bug/invariant")
    await ledger.close()
  })

  test("a closed ledger says so, after those who waited", async () => {
    const ledger = await opened()
    const waiting = ledger.reserve(request(tenth))
    await ledger.close()
    await ledger.close()
    expect((await waiting).position).toBe(3n)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("ledger/closed")
    expect((await refusal(ledger.accounts())).code).toBe("ledger/closed")
  })
}

function recordTests(opened: Opened): void {
  test("[B5] noisy tables are found by their subject, with the charge that paid for them", async () => {
    const ledger = await opened()
    const positions: bigint[] = []
    for (const text of ["one", "two"]) {
      const reservation = await ledger.reserve(request(tenth))
      positions.push(reservation.position)
      const kept = [
        { subject: "visits", text },
        { subject: "persons", text: `${text} of persons` },
      ]
      await ledger.settle(reservation, { outcome: "released", release: { ...answer, kept } })
    }
    const [first = 0n, second = 0n] = positions
    expect(await ledger.kept("visits")).toEqual([
      { charge: first, text: "one" },
      { charge: second, text: "two" },
    ])
    expect(await ledger.kept("visits", 1)).toEqual([{ charge: second, text: "two" }])
    expect(await ledger.kept("nothing")).toEqual([])
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
  })

  test("[M3] a series goes on step by step, up to its horizon, under one charge", async () => {
    const ledger = await opened()
    const reservation = await ledger.reserve(request(tenth, { steps: 5n, planHash: "series" }))
    const { position: charge } = reservation
    const step = (text: string): ReleaseText => ({ ...answer, kept: [{ subject: "flu", text }] })
    const extend = async (through: bigint, after = 0n): Promise<void> =>
      ledger.extend({ charge, after, through }, step(`${through}`))
    // Not before it is settled.
    expect((await refusal(extend(1n))).code).toBe("ledger/series-elsewhere")
    await ledger.settle(reservation, { outcome: "released", release: step("0") })
    await extend(2n)
    // Drawn before somebody else recorded two steps; after more than there are; nothing new; beyond the end.
    for (const [after, through] of [
      [0n, 5n],
      [1n, 3n],
      [3n, 4n],
      [2n, 2n],
      [2n, 6n],
    ] as const) {
      expect((await refusal(extend(through, after))).code).toBe("ledger/series-elsewhere")
    }
    await extend(5n, 2n)
    expect(await ledger.seriesAt(charge)).toEqual({ steps: 5n, through: 5n })
    expect((await ledger.kept("flu")).map(({ text }) => text)).toEqual(["0", "2", "5"])
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    const other = await ledger.reserve(request(tenth))
    await ledger.settle(other, { outcome: "released", release: answer })
    const plain = ledger.extend({ charge: other.position, after: 0n, through: 1n }, answer)
    expect((await refusal(plain)).code).toBe("ledger/series-elsewhere")
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
  })
}

function requestTests(opened: Opened): void {
  test("a request is charged once, and tells what became of it", async () => {
    const ledger = await opened()
    const asked = request(tenth)
    expect(await ledger.findRequest(asked)).toEqual({ state: "unknown" })
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => ledger.reserve(asked)))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect((await refusal(ledger.reserve(asked))).code).toBe("ledger/request-known")
    const state = await ledger.findRequest(asked)
    expect(state.state).toBe("in-progress")
    if (state.state !== "in-progress") return
    await ledger.settle(state.reservation, { outcome: "released", release: answer })
    expect(await ledger.findRequest(asked)).toMatchObject({ state: "released", release: answer })
    expect((await refusal(ledger.reserve(asked))).code).toBe("ledger/request-known")
    const failing = request(tenth)
    await ledger.settle(await ledger.reserve(failing), { outcome: "failed", cause: "cancelled" })
    expect((await ledger.findRequest(failing)).state).toBe("failed")
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(1n, 5n))
    await ledger.close()
  })

  test("a request id with another question is refused, and is nobody else's business", async () => {
    const ledger = await opened()
    const asked = request(tenth)
    await ledger.reserve(asked)
    for (const other of [
      { ...asked, planHash: "other" },
      { ...asked, dataVersion: "v2" },
    ]) {
      expect((await refusal(ledger.reserve(other))).code).toBe("ledger/request-reused")
      expect((await refusal(ledger.findRequest(other))).code).toBe("ledger/request-reused")
    }
    expect(await ledger.findRequest({ ...asked, principal: "ben" })).toEqual({ state: "unknown" })
    await ledger.reserve({ ...asked, principal: "ben" })
    await ledger.close()
  })
}

function zcdp(amount: Rational): { measure: "zcdp"; rho: Rational; delta: Rational } {
  return { measure: "zcdp", rho: amount, delta: rational(0n) }
}
