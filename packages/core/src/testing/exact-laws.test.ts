import { expect, test } from "vitest"
import { parseDecimal } from "../exact/decimal.ts"
import { rational } from "../exact/rational.ts"
import {
  exactBinomialPmf,
  exactDiscreteGaussianPmf,
  exactGeometricPmf,
  exactHalfBellPmf,
  exactJumpCountPmf,
  exactLaplacePmf,
  exactPoissonPmf,
  exactRoundedGaussianPmf,
  lawBits,
  type ExactPmf,
} from "./exact-laws.ts"
import noise from "./fixtures/noise.json" with { type: "json" }
import { roundedGaussianPmf } from "./laws.ts"
import { checkRecord, numberExpected, numberInput, recordsOf } from "./vectors.ts"

const numberOf = (bits: bigint) => Number(bits) / 2 ** lawBits

/** Those that 240 bits can tell to the tolerance of the records. */
const seen = recordsOf(noise, "discrete_laplace.prob").filter(
  (record) => numberExpected(record, "pmf") > 1e-45,
)

test.each(seen)("the exact Laplace law agrees with $id", (record) => {
  const scale = parseDecimal(String(record.inputs["scale"]), "scale")
  const { lo, hi } = exactLaplacePmf(scale)(numberInput(record, "x"))
  checkRecord({ record, field: "pmf", got: numberOf(lo) })
  expect(hi - lo).toBeLessThanOrEqual(8n)
})

test.each([1 / 4, 1, 10])("the exact rounded Gaussian agrees with doubles for variance %d", (variance) => {
  const exact = exactRoundedGaussianPmf(rational(BigInt(variance * 4), 4n))
  for (let k = -9; k <= 9; k += 1) {
    const about = roundedGaussianPmf(variance)(BigInt(k))
    expect(Math.abs(numberOf(exact(k).lo) - about)).toBeLessThan(1e-12 * about + 1e-60)
  }
})

const laws: readonly (readonly [string, ExactPmf, number, number])[] = [
  ["Laplace 3/2", exactLaplacePmf(rational(3n, 2n)), -300, 300],
  ["rounded Gaussian 10", exactRoundedGaussianPmf(rational(10n)), -70, 70],
  ["geometric 1/5", exactGeometricPmf(rational(1n, 5n)), 0, 900],
  ["half bell 1/50", exactHalfBellPmf(rational(1n, 50n), 200), 0, 200],
  ["discrete Gaussian 7/3", exactDiscreteGaussianPmf(rational(7n, 3n), 60), -60, 60],
  ["jumps of scale 3, once", exactJumpCountPmf(rational(3n), rational(1n)), -3, 90],
  ["Poisson 7/3", exactPoissonPmf(rational(7n, 3n)), -3, 90],
  ["binomial 20, 1/3", exactBinomialPmf(20, rational(1n, 3n)), -3, 23],
]

test.each(laws)("the chances of the %s law add up to 1", (_, pmf, first, last) => {
  let [lo, hi] = [0n, 0n]
  for (let k = first; k <= last; k += 1) {
    const one = pmf(k)
    expect(one.lo >= 0n && one.lo <= one.hi).toBe(true)
    lo += one.lo
    hi += one.hi
  }
  const unit = 1n << BigInt(lawBits)
  expect(lo <= unit && unit - lo < 1n << 14n).toBe(true)
  expect(hi >= unit && hi - unit < 1n << 14n).toBe(true)
})
