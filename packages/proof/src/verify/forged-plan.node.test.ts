// Plans that somebody made or changed behind the compiler's back: at run time, too, only verify makes one.

import { beforeAll, expect, test } from "vitest"
import { zero } from "@dosimeter/core/exact"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { compile } from "@dosimeter/planner/compile"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { printPlan } from "../print/print-plan.ts"
import { isVerified, verify, type VerifiedPlan } from "./verify.ts"
import { isVerifiedSeries } from "./verify-series.ts"

const { catalog, terms } = readPolicy(clinicPolicy({}))
let grammar: Grammar
let plan: VerifiedPlan

beforeAll(async () => {
  grammar = await testGrammar()
  plan = compile("SELECT ward, COUNT(*) FROM visits GROUP BY ward", { grammar, catalog, terms }).plan
})

test("a copy with another charge is not proven, and is not printed", () => {
  expect(isVerified(plan)).toBe(true)
  expect(printPlan(plan, "duckdb")).not.toEqual([])
  const copied: ReleasePlan = plan
  const disguised = { ...copied }
  Object.setPrototypeOf(disguised, Reflect.getPrototypeOf(plan))
  const forged: readonly object[] = [
    { ...copied },
    { ...copied, charge: { ...copied.charge, amount: zero } },
    disguised,
    structuredClone({ ...copied }),
  ]
  for (const one of forged) {
    expect(isVerified(one)).toBe(false)
    expect(isVerifiedSeries(one)).toBe(false)
    expect(() => {
      Reflect.apply(printPlan, undefined, [one, "duckdb"])
    }).toThrow("only proven plans are printed")
  }
})

test("a proven plan cannot be changed, neither itself nor a part of it, nor what was given to verify", () => {
  const copied: ReleasePlan = plan
  const own = { ...copied, notes: ["a note"] }
  const proven = verify(own, catalog)
  const [release] = own.releases
  const changes: readonly (() => void)[] = [
    () => Object.assign(proven, { charge: { ...proven.charge, amount: zero } }),
    () => Object.assign(proven.charge, { amount: zero }),
    () => Object.assign(own.charge.amount, { numerator: 0n }),
    () => Object.assign(release?.measurements[0] ?? {}, { kind: "choice" }),
    () => Reflect.apply(Array.prototype.push, own.notes, ["another"]),
  ]
  for (const change of changes) expect(change).toThrow(TypeError)
  // What was given may get other fields of its own: what is proven does not follow.
  Object.assign(own, { charge: { ...own.charge, amount: zero } })
  expect(proven.charge.amount).toEqual(plan.charge.amount)
})
