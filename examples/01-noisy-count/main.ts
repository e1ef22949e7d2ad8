// A first release: how many patients have each blood group, told so that no single patient can be found out.

import {
  countSensitivity,
  errorOf,
  laplace,
  lossOf,
  releaseLaplace,
  showLoss,
  systemBits,
} from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"

const groups = ["O", "A", "B", "AB"]
const exact = [412n, 377n, 98n, 31n] // Secret: only the release below may leave the house.

// What can one person change? Each patient has one blood group, and is counted once.
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })

// The mechanism is plain data. Write "0.5", not 0.5: text is read exactly.
const spec = laplace({ sensitivity, epsilon: "0.5" })

// Cost and error are known before the data is touched.
const { pure } = lossOf(spec)
const error = errorOf(spec, "0.95")
assert(pure !== undefined && showLoss(pure) === "epsilon 0.5", "it costs what was asked")
assert(error.kind === "additive" && error.halfWidth === 6n, "95 % of answers are within 6")
console.log(`Cost: ${showLoss(pure)}. With 95 % confidence each count is within ${error.halfWidth}.`)

// The release itself, with bits from the system's random source.
const noisy = releaseLaplace(spec, exact, systemBits())
for (const [i, group] of groups.entries()) {
  const value = noisy[i] ?? 0n
  console.log(`${group.padEnd(2)}  ${value}  (${value - error.halfWidth} to ${value + error.halfWidth})`)
}

// The noise differs from run to run, but not beyond its law: this fails once in 10^9 runs.
const farthest = errorOf(spec, "0.99999999975")
assert(farthest.kind === "additive", "Laplace noise is added")
const { halfWidth } = farthest
const isNear = noisy.every(
  (value, i) => value - halfWidth <= (exact[i] ?? 0n) && (exact[i] ?? 0n) <= value + halfWidth,
)
assert(noisy.length === 4 && isNear, "each count is near its truth")
