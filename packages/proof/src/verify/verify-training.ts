// Proves a training: its plan is proven already, and adds up rows of units. Here the rows themselves become
// what is read, one for each unit, and the sums that are released of them are bounded unit by unit.

import { add, compare, multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import { gaussianOfVariance, lossOf, normSensitivity, type GaussianSpec } from "@dosimeter/core/mechanisms"
import { columnExpr, columnIdsAfter, columnIn, projectRel } from "../algebra/make.ts"
import type { Rel } from "../algebra/rel.ts"
import type { Charge } from "../algebra/release-plan.ts"
import { reject } from "../units/reject.ts"
import { unitFacts } from "../units/unit-facts.ts"
import { freezeData } from "./freeze-data.ts"
import { clampOf } from "./extracts/clamp-of.ts"
import { isVerified, type VerifiedPlan } from "./verify.ts"

/** What can be added up exactly: vectors of so many numbers, and of no greater length. */
export const summable = { numbers: 2 ** 21, bound: 2n ** 52n } as const

/** Sums that a training asks for, as often as `count` says. */
export interface ProposedSums {
  readonly name: string
  readonly count: number
  /** How many numbers they are. */
  readonly length: number
  /** The greatest length (L2) of what one unit adds to them. */
  readonly bound: bigint
  /** Of the noise of each number. */
  readonly variance: Rational
}

/** A training before it is proven. */
export interface ProposedTraining {
  readonly sums: readonly ProposedSums[]
  readonly charge: Charge
}

/** The same, with the mechanism that releases them. */
export interface ProvenSums extends ProposedSums {
  readonly spec: GaussianSpec
}

/** A training that `verifyTraining` has proven: nobody else can make one, and nobody can change it. */
export type VerifiedTraining = ProvenTraining

/**
 * A training over the rows that a proven plan adds up.
 *
 * Guarantee: `rows` gives at most one row for each unit, made of that unit's rows and public data only; its
 *   columns after the unit's are NULL or whole numbers between the constants of their clamps. Whoever
 *   releases each of `sums` at most `count` times by its spec, from vectors of units whose length is at most
 *   its bound, loses no more than `charge` to any unit. Sums are no wider than what can be added up, so that
 *   nothing is charged for and then not made.
 * Needs: as verify. A vector of a unit depends on its row and on what was released before.
 * Proof: the plan was made by `verify` and has one extract, an aggregate without keys over unit-local rows.
 *   `rows` projects its input to the unit and to the arguments of its sums, each of which has a clamp
 *   outermost (clampOf). Keys among the facts that the plan relies on prove one row for each unit
 *   (unitFacts); where rows are the units, each is one. A neighbour changes a sum by one vector, or by the
 *   difference of two (normSensitivity). Losses of Gaussian mechanisms chosen adaptively add up, in rho and
 *   in mu^2, and their sum is compared with the charge. Widths and bounds are compared with `summable`.
 * Numerics: exact.
 * Source: Bun and Steinke 2016, lemma 1.7; Dong, Roth, Su 2022, theorem 4.
 */
export function verifyTraining(
  plan: VerifiedPlan,
  { sums: proposed, charge: asked }: ProposedTraining,
): VerifiedTraining {
  if (!isVerified(plan)) reject("the plan of a training is not proven")
  const { rows, unitCount } = rowsOf(plan)
  const charge = { ...asked, amount: lowest(asked.amount), delta: lowest(asked.delta) }
  const sums = proposed.map((one): ProvenSums => {
    const { name, count, length, bound } = one
    const variance = lowest(one.variance)
    const isCounted = Number.isSafeInteger(count) && count >= 1 && Number.isSafeInteger(length) && length >= 1
    if (!isCounted || bound < 1n) reject("sums of a training are counted")
    if (length > summable.numbers || bound > summable.bound) reject("sums of a training cannot be added up")
    const sensitivity = normSensitivity({ norm: "l2", bound, isSigned: true, neighbours: plan.neighbours })
    return { name, count, length, bound, variance, spec: gaussianOfVariance({ sensitivity, variance }) }
  })
  if (charge.accounting !== plan.charge.accounting) reject("a training is charged in another accounting")
  const lost = sums.map((one) => lossIn(one, charge)).reduce(add, zero)
  if (compare(lost, charge.amount) > 0 || compare(zero, charge.delta) > 0)
    reject("a training loses more than is charged")
  for (const part of [rows, sums, charge]) freezeData(part)
  return new ProvenTraining(plan, { rows, unitCount, sums, charge })
}

function lowest({ numerator, denominator }: Rational): Rational {
  return rational(numerator, denominator)
}

function lossIn({ spec, count }: ProvenSums, { accounting }: Charge): Rational {
  const { rho } = lossOf(spec).zcdp
  const all = multiply(rho, rational(BigInt(count)))
  if (accounting === "zcdp") return all
  // mu^2 = L2^2 / variance is twice rho, exactly.
  if (accounting === "gdp") return multiply(all, rational(2n))
  return reject("Gaussian noise has no pure epsilon")
}

// One row for each unit: its id, if it has one, and what it would add to each sum of the plan.
function rowsOf({ releases, reliesOn }: VerifiedPlan): { readonly rows: Rel; readonly unitCount: 0 | 1 } {
  const [release, ...others] = releases
  const [extract, ...more] = release?.extracts ?? []
  if (extract === undefined || others.length > 0 || more.length > 0 || extract.rel.kind !== "aggregate")
    return reject("the rows of a training are those of one table")
  const { rel } = extract
  if (rel.keys.length > 0) reject("the rows of a training are in no groups")
  const { owner, oneRow, facts } = unitFacts(rel.input, [])
  if (!oneRow) reject("a unit may have several rows")
  const stated = new Set(reliesOn.map(({ table, columns }) => JSON.stringify([table, columns])))
  if (facts.some(({ table, columns }) => !stated.has(JSON.stringify([table, columns]))))
    reject("the rows of a training rely on a key that is not stated")
  const [unit] = owner.units
  if (unit === undefined && owner.rowsOf === undefined) reject("nothing tells the unit of a row")
  const id = unit === undefined ? undefined : columnIn(rel.input, unit)
  const values = rel.items.flatMap(({ function: name, argument }) => {
    if (name === "rows") return []
    if (name !== "sum" || argument === undefined) return reject("the columns of a training are sums")
    clampOf(argument)
    return [{ name: "value", value: argument }]
  })
  if (values.length === 0) reject("a training reads nothing")
  const key = id === undefined ? [] : [{ name: "unit", value: columnExpr(id) }]
  return {
    rows: projectRel(rel.input, [...key, ...values], columnIdsAfter(rel)),
    unitCount: id === undefined ? 0 : 1,
  }
}

// As of ProvenPlan: the class stays in this file, and its private field is in no copy.
class ProvenTraining {
  readonly plan: VerifiedPlan
  /** What is read: the unit, where it has an id, then whole numbers. */
  readonly rows: Rel
  /** How many columns tell units apart: one, or none where each row is a unit. */
  readonly unitCount: 0 | 1
  readonly sums: readonly ProvenSums[]
  readonly charge: Charge
  readonly #proven = true

  constructor(plan: VerifiedPlan, own: Pick<ProvenTraining, "rows" | "unitCount" | "sums" | "charge">) {
    this.plan = plan
    this.rows = own.rows
    this.unitCount = own.unitCount
    this.sums = own.sums
    this.charge = own.charge
    Object.freeze(this)
  }

  static isOne(value: object): value is ProvenTraining {
    return #proven in value && value.#proven
  }
}

/** Whether a value was made by `verifyTraining`, whatever its type says. */
export function isVerifiedTraining(value: object): value is VerifiedTraining {
  return ProvenTraining.isOne(value)
}
