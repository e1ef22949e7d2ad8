// The Rényi curve of the law that is sampled: discrete Laplace noise on an answer that changes by several
// steps. For accountants of planned batches; what one release is charged as zCDP is laplaceToZcdp.

import type { RenyiCurve } from "./renyi.ts"

/**
 * The exact curve of discrete Laplace noise. With q = e^(-1/s), the sum over z of P(z)^a Q(z)^(1-a) has three
 * parts: z <= 0, z >= amount, and a geometric series between.
 */
export function discreteLaplaceCurve(amount: number, scale: number): RenyiCurve {
  const rate = 1 / scale
  const epsilon = amount * rate
  const q = Math.exp(-rate)
  return {
    at: (order) => {
      // All exponents are relative to (a - 1) epsilon, the largest.
      const top = 1 / (1 + q)
      const bottom = Math.exp(-(2 * order - 1) * epsilon) / (1 + q)
      const step = (2 * order - 1) * rate
      const series = (Math.exp(-step) * Math.expm1(-(amount - 1) * step)) / Math.expm1(-step)
      const sum = top + bottom + Math.tanh(rate / 2) * series
      // The sum is at least 1/2 and within 16 units 2^-53 of the truth; a logarithm that is off by that much
      // more.
      return Math.min(epsilon, epsilon * (1 + 2 ** -51) + (Math.log(sum) + 2 ** -47) / (order - 1))
    },
  }
}
