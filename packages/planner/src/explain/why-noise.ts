// Why the numbers of a plan have Laplace or Gaussian noise, in words: how large the other would be.

import { chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import { divide, multiply, rational } from "@dosimeter/core/exact"
import {
  errorOf,
  gaussianOfVariance,
  l2SquaredOf,
  laplace,
  lossOf,
  type GaussianSpec,
  type LaplaceSpec,
} from "@dosimeter/core/mechanisms"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { pureWithin } from "../loss/pure-within.ts"
import { showNumber } from "./words/show-number.ts"

/** One note, about the first number with noise of its own; none where its line says it already. */
export function whyNoise({ releases, charge, unitName }: ReleasePlan): readonly string[] {
  const [first] = releases.flatMap(withNoise)
  if (first === undefined) return []
  const { spec, label } = first
  if (charge.accounting === "pure") {
    if (spec.kind === "gaussian") return []
    return [`Laplace noise because it needs no delta, and is smaller unless a ${unitName} is in many groups`]
  }
  const [own, other] = [spec, otherOf(spec, charge.accounting)].map(
    (one) => errorOf(one, rational(1n, 2n)).standardDeviation,
  )
  const [name, against] = spec.kind === "gaussian" ? ["Gaussian", "Laplace"] : ["Laplace", "Gaussian"]
  const factor = (other ?? 0) / (own ?? 1)
  return [
    `${name} noise because it is smaller: of ${label}, ${against} noise at the same loss would be ${showNumber(Number(factor.toPrecision(3)))} times as large`,
  ]
}

// What has one law of noise, the same for each group.
function withNoise({ keys, measurements }: Release): readonly Noisy[] {
  if (hasGroupings(keys)) return []
  return measurements.flatMap((measurement): Noisy[] => {
    const spec = specOf(measurement)
    // Where units are scaled to a norm, the norm decides the law.
    if (spec.kind !== "laplace" && spec.kind !== "gaussian") return []
    return spec.sensitivity.norm === undefined ? [{ label: measurement.label, spec }] : []
  })
}

interface Noisy {
  readonly label: string
  readonly spec: LaplaceSpec | GaussianSpec
}

/** The noise of the other law that costs as much. */
function otherOf(
  spec: LaplaceSpec | GaussianSpec,
  accounting: Exclude<Accounting, "pure">,
): LaplaceSpec | GaussianSpec {
  const { sensitivity } = spec
  const { amount } = chargeAmount(lossOf(spec), accounting)
  if (spec.kind === "laplace") {
    const squared = rational(l2SquaredOf(sensitivity))
    const variance = divide(squared, accounting === "zcdp" ? multiply(rational(2n), amount) : amount)
    return gaussianOfVariance({ sensitivity, variance })
  }
  // Each of the coordinates that a unit moves has its part of the loss.
  const moved = sensitivity.patterns.map((blocks) => blocks.reduce((sum, one) => sum + one.groups, 0n))
  const most = rational(moved.reduce((a, b) => (a > b ? a : b), 1n))
  return laplace({ sensitivity, epsilon: multiply(most, pureWithin(accounting, divide(amount, most))) })
}
