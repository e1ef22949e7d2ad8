// Counts by region and for the whole country, each with its own noise: they do not add up. Post-processing
// makes them agree, for free, and every number gets more accurate.

import { numberUp, systemBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import {
  countSensitivity,
  gaussianOfRho,
  joinSensitivities,
  releaseGaussian,
} from "@dosimeter/core/mechanisms"
import { gaussianEstimate, intervalOf, reconcileNested } from "@dosimeter/core/post"

const regions = ["north", "east", "south", "west"]
const exact = [1204n, 871n, 2310n, 995n] // Made-up data.
const total = exact.reduce((sum, count) => sum + count, 0n)

// Each person is in one region and in the total: two counts, one vector.
const one = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const spec = gaussianOfRho({ sensitivity: joinSensitivities([one, one]), rho: "0.01" })
const [noisyTotal = 0n, ...noisy] = releaseGaussian(spec, [total, ...exact], systemBits())
const sigmaSquared = numberUp(spec.variance)
const measure = (value: bigint) => gaussianEstimate({ value: Number(value), sigmaSquared })

const gap = noisy.reduce((sum, count) => sum + count, 0n) - noisyTotal
console.log(`As released, the regions are ${gap} off the total of ${noisyTotal}.`)

const tree = reconcileNested({
  label: "total",
  estimate: measure(noisyTotal),
  children: noisy.map((count, i) => ({ label: regions[i] ?? "", estimate: measure(count) })),
})
const before = intervalOf(measure(0n), 0.95).upper
for (const { label, estimate } of tree.children) {
  const half = intervalOf(estimate, 0.95).upper - estimate.value
  const value = estimate.value.toFixed(0).padStart(5)
  console.log(`${label.padEnd(6)} ${value} ± ${half.toFixed(0)} (was ± ${before.toFixed(0)})`)
  assert(half < before, "agreeing narrows the interval")
}
const sum = tree.children.reduce((all, node) => all + node.estimate.value, 0)
console.log(`total  ${tree.estimate.value.toFixed(0).padStart(5)}, and the regions add up to it.`)
assert(Math.abs(sum - tree.estimate.value) < 1e-6, "the regions add up to the total")
