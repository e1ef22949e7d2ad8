import { budgetFor, rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { pureBudget } from "../testing/ledger-fixtures.ts"
import { emptyHash } from "./entries/chain.ts"
import type { AnchoredHead, ChargeEntry, Entry } from "./entries/entry.ts"
import { LedgerState } from "./ledger-state.ts"

const at = "2026-01-02T00:00:00.000Z"
const decision = { by: ["the owner"], why: "so" }
const opening: Entry = { kind: "opening", at, ledger: "id", dataset: "hospital" }
const budget: Entry = { kind: "budget", at, account: "dataset", budget: pureBudget("1"), ...decision }
const charge: ChargeEntry = {
  kind: "charge",
  at,
  accounts: ["dataset"],
  accounting: "pure",
  amount: rational(1n, 10n),
  delta: rational(0n),
  planHash: "plan",
  dataVersion: "v1",
  requestId: "one",
  principal: "ana",
}
const settlement: Entry = { kind: "settlement", at, charge: 3n, outcome: "failed" }
const head: AnchoredHead = {
  entries: 9n,
  hash: emptyHash,
  epoch: 7n,
  spent: { amount: rational(1n, 2n), delta: rational(0n) },
  limit: { amount: rational(1n), delta: rational(0n) },
}

/** A state with an opening, a budget of 1 and a charge of a tenth. */
function begun(): LedgerState {
  const state = new LedgerState()
  for (const entry of [opening, budget, charge]) expect(state.accept(state.rowOf(entry))).toBeUndefined()
  return state
}

const broken: readonly (readonly [what: string, entry: Entry, problem: string])[] = [
  ["a second opening", opening, "one opening"],
  ["an entry of yesterday", { ...charge, at: "2026-01-01T23:59:59.999Z" }, "dated before"],
  ["a charge beyond the limit", { ...charge, amount: rational(91n, 100n) }, "passes a limit"],
  ["a delta beyond the limit", { ...charge, delta: rational(1n, 1n << 200n) }, "passes a limit"],
  ["a charge of nothing", { ...charge, amount: rational(0n) }, "more than nothing"],
  ["a charge between units", { ...charge, amount: rational(1n, 11n) }, "whole number of units"],
  ["a charge past the dataset", { ...charge, accounts: ["study:a"] }, "dataset's account first"],
  ["a charge twice over", { ...charge, accounts: ["dataset", "dataset"] }, "every account once"],
  ["a charge of an unknown account", { ...charge, accounts: ["dataset", "study:a"] }, "not open"],
  ["a charge in another measure", { ...charge, accounting: "zcdp" }, "another accounting"],
  [
    "a budget in another measure",
    { ...budget, budget: budgetFor({ epsilon: "1", delta: "1e-6", accounting: "gdp" }) },
    "another accounting",
  ],
  ["an outcome of no charge", { ...settlement, charge: 2n }, "settles no charge"],
]

test.each(broken)(
  "%s is not accepted, though its hash is right, and changes nothing",
  (_what, entry, problem) => {
    const state = begun()
    const before = state.head()
    expect(state.accept(state.rowOf(entry))?.what).toContain(problem)
    expect(state.head()).toEqual(before)
    expect(state.accept(state.rowOf(settlement))).toBeUndefined()
    expect(state.accept(state.rowOf(settlement))?.what).toContain("settles no charge")
  },
)

test("a ledger begins with its opening, and a study needs a dataset", () => {
  const state = new LedgerState()
  expect(state.accept(state.rowOf(budget))?.what).toContain("one opening")
  expect(state.accept(state.rowOf(opening))).toBeUndefined()
  expect(state.accept(state.rowOf({ ...budget, account: "study:a" }))?.what).toContain("no account yet")
})

test("an acknowledged loss adds up both sides, begins an epoch, and covers accounts inside", () => {
  const state = begun()
  const study: Entry = { ...budget, account: "study:a", budget: pureBudget("0.3") }
  expect(state.accept(state.rowOf(study))).toBeUndefined()
  const larger = { ...head, spent: { amount: rational(3n), delta: rational(1n, 4n) } }
  for (const anchor of [head, larger]) {
    const entry: Entry = { kind: "acknowledgement", at, anchor, ...decision }
    expect(state.accept(state.rowOf(entry))).toBeUndefined()
    expect(state.hasGivenUp(anchor)).toBe(true)
  }
  // The limit of 1 after the first, which is more than 0.1 + 0.5; then 1 + 3.
  expect(state.head()).toMatchObject({ epoch: 9n, spent: { amount: rational(4n), delta: rational(1n, 4n) } })
  expect(state.accounts.get("study:a")?.spent).toEqual(state.accounts.get("study:a")?.limit)
  expect(state.hasGivenUp({ ...head, entries: 10n })).toBe(false)
})
