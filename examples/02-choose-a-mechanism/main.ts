// Laplace or Gaussian noise? For the same promise, (epsilon, delta) = (1, 10^-6), take whichever errs less.
// Laplace wins while a person is in few groups: its noise grows with their number, Gaussian noise with the
// square root.

import {
  countSensitivity,
  errorOf,
  gaussian,
  laplace,
  type GaussianSpec,
  type LaplaceSpec,
} from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"

/** The mechanism with the smaller variance when one person may be in this many groups. */
function chooseMechanism(groupsPerUnit: number): LaplaceSpec | GaussianSpec {
  const sensitivity = countSensitivity({ groupsPerUnit, rowsPerGroup: 1, neighbours: "add-or-remove" })
  // A promise with delta 0 is one with delta 10^-6 too.
  const withLaplace = laplace({ sensitivity, epsilon: 1 })
  const withGaussian = gaussian({ sensitivity, epsilon: 1, delta: "1e-6" })
  return deviationOf(withLaplace) <= deviationOf(withGaussian) ? withLaplace : withGaussian
}

function deviationOf(spec: LaplaceSpec | GaussianSpec): number {
  const error = errorOf(spec, "0.95")
  assert(error.kind === "additive", "both add their noise")
  return error.standardDeviation
}

console.log("groups a person   mechanism   standard deviation of each count")
for (const groups of [1, 2, 5, 10, 20, 50, 100, 1000]) {
  const spec = chooseMechanism(groups)
  console.log(
    `${`${groups}`.padStart(15)}   ${spec.kind.padEnd(9)}   ${deviationOf(spec).toFixed(2).padStart(32)}`,
  )
}

// No noise was drawn, so all of this is the same in every run.
const kinds = [1, 5, 20, 1000].map((groups) => chooseMechanism(groups).kind)
assert(kinds.join() === "laplace,laplace,gaussian,gaussian", "few groups: Laplace; many: Gaussian")
