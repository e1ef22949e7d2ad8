// What a plan is made of: histograms, column numbers, and the shape of all its data.

import { rational } from "@dosimeter/core/exact"
import { isLongForm } from "@dosimeter/core/testing"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import { clinicPolicy, clinicQuestions, type ClinicQuestion } from "@dosimeter/planner/testing/clinic/clinic"
import { recharged, rejectionOf } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import {
  columnCorruptions,
  histogramCorruptions,
  widthCorruptions,
} from "@dosimeter/planner/testing/corruptions/count-corruptions"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { planShape } from "./shapes/plan-shape.ts"
import { verify } from "./verify.ts"

const grammar = await loadGrammar()
const { catalog, terms } = readPolicy(clinicPolicy({}))
const planOf = (of: ClinicQuestion): ReleasePlan => planOnce(clinicQuestions[of], { grammar, catalog, terms })

test.each(histogramCorruptions)("[Q3] rejects $name, though the charge adds up", ({ of, change }) => {
  expect(rejectionOf(() => verify(recharged(change(planOf(of))), catalog))).toMatch(/^(bug|privacy)\//)
})

test.each(columnCorruptions)("[Q3] rejects $name", ({ of, change }) => {
  expect(() => verify(change(planOf(of)), catalog)).toThrow(/is no number/)
})

test.each(widthCorruptions)("[Q3] rejects $name", ({ of, change }) => {
  expect(() => verify(change(planOf(of)), catalog)).toThrow(/lists other columns than it has/)
})

test("[Q3] a plan with a prototype of its own has no field that was not looked at", () => {
  const hidden = { consent: { mode: "required", purposes: ["all"], version: "1" }, shownFrom: 7n }
  const plan = planOf("count")
  const own = { value: hidden, enumerable: true, configurable: true, writable: true }
  const forged = Object.defineProperty({ ...plan }, "__proto__", own)
  expect(() => verify(forged, catalog)).toThrow("unknown field __proto__")
})

/** A place in a plan, and what stands there. */
interface Slot {
  /** The keys that lead to it. */
  readonly route: readonly PropertyKey[]
  readonly key: PropertyKey
  readonly value: unknown
  /** With the kinds of what it lies in, without the places in lists: one of each is tried. */
  readonly path: string
}

function slotsIn(plan: object): readonly Slot[] {
  const found = new Map<string, Slot>()
  const visit = (owner: object, outer: readonly PropertyKey[], path: string): void => {
    for (const key of Reflect.ownKeys(owner)) {
      if (Array.isArray(owner) && key === "length") continue
      const value: unknown = Reflect.get(owner, key)
      const own = Array.isArray(owner) ? `${path}[]` : `${path}.${String(key)}`
      // Those of the catalog are compared with it, object by object.
      if (key === "table" || key === "sources" || key === "tree") continue
      const kind: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "kind") : ""
      const place = typeof kind === "string" && kind !== "" ? `${own}(${kind})` : own
      const route = [...outer, key]
      found.set(place, { route, key, value, path: place })
      if (typeof value === "object" && value !== null) visit(value, route, place)
    }
  }
  visit(plan, [], "")
  return [...found.values()]
}

/** A copy that is frozen as plans are: unchanged parts are checked once, and not again for each change. */
function frozenCopy(plan: ReleasePlan): object {
  const freeze = (value: unknown): void => {
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) freeze(Reflect.get(value, key))
  }
  const copy = structuredClone({ ...plan })
  freeze(copy)
  return copy
}

/** The plan with another value at the end of a route; the objects along the route are copies. */
function replacedAt(owner: unknown, route: readonly PropertyKey[], form: unknown): unknown {
  const [key, ...rest] = route
  if (key === undefined || typeof owner !== "object" || owner === null) return form
  const copy: object = Array.isArray(owner) ? [...owner] : { ...owner }
  Reflect.set(copy, key, replacedAt(Reflect.get(owner, key), rest, form))
  return copy
}

const isRejected = (plan: unknown): boolean =>
  rejectionOf(() => planShape.check(plan, "the plan")) === "bug/plan-rejected"

/** What no field of a plan may be in the place of another value. */
function spoiltForms(value: unknown): readonly unknown[] {
  const others = [null, new Map(), Symbol("other")]
  if (typeof value === "string") return [7, ...others]
  if (typeof value === "boolean") return ["true", ...others]
  if (typeof value === "bigint") return [Number(value), `${value}`, 1n << 70_000n, ...others]
  if (typeof value === "number") return [BigInt(value), -1, 0.5, NaN, 2 ** 53, ...others]
  if (Array.isArray(value)) {
    const named = Object.assign([...value], { kind: "all" })
    const hole = [...value]
    hole.length += 1
    return [named, hole, Object.fromEntries(value.entries()), ...others]
  }
  if (typeof value !== "object" || value === null) return others
  const forged = Object.defineProperty({ ...value }, "__proto__", { value: {}, enumerable: true })
  const hidden = Object.defineProperty({ ...value }, "epsilon ", { value: 1n, enumerable: false })
  const fewer = Object.keys(value).map((key) =>
    Object.fromEntries(Object.entries(value).filter(([k]) => k !== key)),
  )
  return [
    { ...value, more: 1 },
    forged,
    hidden,
    [value],
    ...spoiltFractions(value),
    ...others,
    ...neededOf(value, fewer),
  ]
}

function spoiltFractions(value: object): readonly unknown[] {
  if (!("numerator" in value) || !("denominator" in value))
    return "kind" in value ? [{ ...value, kind: "other" }] : []
  const { numerator, denominator } = value
  if (typeof numerator !== "bigint" || typeof denominator !== "bigint") return []
  return [
    { numerator: -numerator, denominator: -denominator },
    { numerator, denominator: -denominator },
    { numerator: 2n * numerator, denominator: 2n * denominator },
    { numerator, denominator: 0n },
  ]
}

// Fields that may be absent, and may therefore be taken away.
const optional = new Set([
  "at",
  "range",
  "values",
  "isComplete",
  "calendar",
  "freeText",
  "grid",
  "autoBounds",
])
const optionalOfSpecs = new Set([
  "epsilon",
  "full",
  "ends",
  "counted",
  "below",
  "above",
  "rows",
  "groupings",
  "levels",
  "scaled",
  "norm",
  "moments",
  "rowsPerGroup",
])

function neededOf(value: object, fewer: readonly object[]): readonly object[] {
  const isOptional = (key: string): boolean => optional.has(key) || optionalOfSpecs.has(key)
  return Object.keys(value).flatMap((key, index) => (isOptional(key) ? [] : [fewer[index] ?? {}]))
}

/** Places that an earlier plan had, too: tried again in the long form only. */
const tried = new Set<string>()

function untried(slots: readonly Slot[]): readonly Slot[] {
  const left = isLongForm ? slots : slots.filter(({ path }) => !tried.has(path))
  for (const { path } of left) tried.add(path)
  return left
}

test.each(Object.keys(clinicQuestions).filter((name): name is ClinicQuestion => name in clinicQuestions))(
  "[Q3] every part of the plan of %s has one form, and is rejected in every other",
  (of) => {
    const plan = frozenCopy(planOf(of))
    planShape.check(plan, "the plan")
    const accepted = untried(slotsIn(plan)).flatMap(({ route, value, path }) =>
      spoiltForms(value).flatMap((form, index) =>
        isRejected(replacedAt(plan, route, form)) ? [] : [`${path}, form ${index}`],
      ),
    )
    expect(accepted).toEqual([])
  },
)

// A check must not read one field and the charge another.
test("[Q3] a mechanism with the kind or the fields of another is rejected, wherever it stands", () => {
  const cheap = {
    kind: "selection",
    method: "exponential",
    groupsPerUnit: 1n,
    epsilon: rational(1n, 10n ** 6n),
  }
  const top = { kind: "top-k", k: 1n, epsilonPerChoice: rational(1n, 10n ** 6n) }
  for (const of of ["count", "byCode", "meanHeight", "median", "mode", "rollup"] as const) {
    const plan = frozenCopy(planOf(of))
    const specs = slotsIn(plan).filter(({ key }) => key === "spec")
    expect(specs.length).toBeGreaterThan(0)
    for (const { route, value } of specs) {
      for (const other of [cheap, top]) {
        const own: object = typeof value === "object" && value !== null ? value : {}
        if ("kind" in own && own.kind === other.kind) continue
        for (const form of [{ ...own, ...other }, { ...other, ...own }, other]) {
          expect(isRejected(replacedAt(plan, route, form))).toBe(true)
        }
      }
    }
  }
})
