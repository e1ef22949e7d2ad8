// The promises of the trusted base that types keep, each with a planted violation that the compiler must
// refuse. Those that rules and stamps keep are in tidy.test.ts, deps.test.ts and proofs.test.ts; the README
// of packages/proof lists all of them.

import { expect, test } from "vitest"
import { compileErrors } from "./planted.ts"

const engine = "../../../packages/engine/src"
const plan = 'import { isVerified, verify, type VerifiedPlan } from "@dosimeter/proof/verify/verify"\n'
const series = 'import type { VerifiedSeries } from "@dosimeter/proof/verify/verify-series"\n'
const secret = `import type { Secret } from "${engine}/release/secret/secret.ts"\n`
const bill = `import { Bill, type Billed } from "${engine}/release/bill.ts"\n`
const permit = `import { pay, Permit, StepsPermit } from "${engine}/release/permit.ts"\n`
const reading = `import { readExact, readUnitRows, type ReadFrom } from "${engine}/release/read-exact.ts"\nimport type { PrintedPlan } from "${engine}/release/printed-plan.ts"\n`
const release = `import { releasePlan, releaseTables, type ReleaseFrom } from "${engine}/release/release.ts"\n`
const ledger = `import type { Ledger, Reservation } from "${engine}/ledger/ledger.ts"\n`
const core =
  'import type { RandomBits } from "@dosimeter/core"\nimport { zero } from "@dosimeter/core/exact"\n'
const exact = `import type { ExactTable } from "${engine}/release/secret/exact-table.ts"\n`

const planted: Readonly<Record<string, readonly [program: string, error: string]>> = {
  "a plan with another charge": [
    `${plan}${core}export const f = (plan: VerifiedPlan): VerifiedPlan => ({ ...plan, charge: { ...plan.charge, amount: zero } })`,
    "TS2741",
  ],
  "a plan that is copied": [
    `${plan}export const f = (plan: VerifiedPlan): VerifiedPlan => ({ ...plan })`,
    "TS2741",
  ],
  "a plan that was not proven": [
    `${plan}import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
export const f = (plan: ReleasePlan): VerifiedPlan => plan`,
    "TS2741",
  ],
  "a plan that is changed": [
    `${plan}export const f = (plan: VerifiedPlan): void => { plan.notes = [] }`,
    "TS2540",
  ],
  "a plan that somebody else makes": [`${plan}export const f = () => new VerifiedPlan()`, "TS2693"],
  "a series with another charge": [
    `${series}${core}export const f = (one: VerifiedSeries): VerifiedSeries => ({ ...one, charge: { ...one.charge, amount: zero } })`,
    "TS2741",
  ],
  "a secret opened without a key": [
    `${secret}export const f = (one: Secret<bigint>): bigint => one.open()`,
    "TS2554",
  ],
  "a secret opened with a key of one's own": [
    `${secret}export const f = (one: Secret<bigint>): bigint => one.open({})`,
    "TS2741",
  ],
  "a bill that somebody else writes": [
    `${bill}${ledger}export const f = (one: Reservation) => new Bill(one, one.charge, [])`,
    "TS2673",
  ],
  "a permit without the key": [
    `${bill}${permit}${ledger}export const f = (one: Bill, two: Reservation) => new Permit({}, one, two)`,
    "TS2741",
  ],
  "a read with a reservation and no permit": [
    `${reading}${ledger}export const f = (one: PrintedPlan, two: Reservation, from: ReadFrom) => readExact(one, two, from, undefined)`,
    "TS2740",
  ],
  "a read with nothing": [
    `${reading}export const f = (one: PrintedPlan, from: ReadFrom) => readExact(one, undefined, from, undefined)`,
    "TS2345",
  ],
  "a read of other SQL under a permit": [
    `${reading}${permit}export const f = (one: PrintedPlan, two: Permit, from: ReadFrom) => readExact({ plan: one.plan, texts: [] }, two, from, undefined)`,
    "TS2741",
  ],
  "units of a series read with the permit of a question": [
    `${reading}${permit}export const f = (one: Permit, from: ReadFrom) => readUnitRows(one, from, undefined)`,
    "TS2739",
  ],
  "a release of what was not read under a charge": [
    `${release}${secret}${exact}${core}export const f = (one: Secret<ExactTable>, rng: RandomBits) => releaseTables([one], rng)`,
    "TS2739",
  ],
  "a second draw from what was released": [
    `${release}${permit}${reading}${core}
const options = { signal: undefined, measured: { of: () => () => {} } }
export const f = async (one: PrintedPlan, two: Permit, from: ReleaseFrom, rng: RandomBits) =>
  (await releasePlan(one, two, from, options)).map((rows) => releaseTables(rows, rng))`,
    "TS2739",
  ],
}

const allowed = `${plan}${series}${bill}${permit}${reading}${release}${ledger}${core}
const payer = { principal: "a", requestId: "1", accounts: [] }
const measured = { of: () => () => {} }
export async function f(ledger: Ledger, reading: PrintedPlan, from: ReleaseFrom, billed: Billed) {
  const paid = await pay(ledger, Bill.ofPlan(reading.plan, billed), payer)
  return releasePlan(reading, paid, from, { signal: undefined, measured })
}
export const g = (one: VerifiedPlan): boolean => isVerified({ ...one })
export const h = (one: VerifiedSeries) => one.spec
export const used = [verify, zero, Permit, StepsPermit, readExact, readUnitRows, releaseTables]
export type Used = [Reservation, ReadFrom, RandomBits]`

test("the compiler refuses every planted violation, and nothing besides", async () => {
  const names = Object.keys(planted)
  const programs = Object.fromEntries(
    names.map((name, index) => [`planted-${index}`, planted[name]?.[0] ?? ""]),
  )
  const errors = await compileErrors({ ...programs, allowed })
  expect(errors["allowed"]).toEqual([])
  const found = Object.fromEntries(names.map((name, index) => [name, errors[`planted-${index}`]]))
  expect(found).toEqual(Object.fromEntries(names.map((name) => [name, [planted[name]?.[1]]])))
})
