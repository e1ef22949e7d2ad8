// What each part of the demo hands back: lines to print, and what it spent.

import { lossOf, numberUp, rational, type MechanismSpec, type Rational } from "@dosimeter/core"
import type { Patient } from "./hospital.ts"
import { roundedUp } from "./plot.ts"

/** A part of the demo. */
export interface Section {
  readonly title: string
  readonly lines: readonly string[]
  readonly spent: Spent
}

/** What a part has cost each patient. */
export interface Spent {
  readonly epsilon: Rational
  readonly delta: Rational
}

/** What the parts of the demo start from. */
export type Patients = readonly Patient[]

/** The loss of a mechanism as the demo adds it up: pure, or approximate where there is a delta. */
export function spentBy(spec: MechanismSpec): Spent {
  const { pure, approx } = lossOf(spec)
  if (approx !== undefined) return { epsilon: approx.epsilon, delta: approx.delta }
  if (pure !== undefined) return { epsilon: pure.epsilon, delta: rational(0n) }
  throw new Error(`${spec.kind} has no loss in epsilon; the demo uses only mechanisms that do`)
}

/** What was spent, in words. */
export function showSpent({ epsilon, delta }: Spent): string {
  const extra = delta.numerator === 0n ? "" : `, delta ${roundedUp(numberUp(delta))}`
  return `Cost: epsilon ${roundedUp(numberUp(epsilon))}${extra}.`
}

/** The sum of two fractions. */
export function plus(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
}
