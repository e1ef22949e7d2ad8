// Distribution functions of the noise laws in doubles, for comparing samplers with. Good to about 1e-13
// unless said otherwise; the trusted base has its own certified ones, and these are written independently of
// it.

/** P(value <= k) of a law on the integers. */
export type IntegerCdf = (k: bigint) => number

/** The geometric law on 0, 1, 2, ...: P(k) is proportional to exp(-k / scale). */
export function geometricCdf(scale: number): IntegerCdf {
  return (k) => (k < 0n ? 0 : -Math.expm1(-(Number(k) + 1) / scale))
}

/** The discrete Laplace law: P(k) is proportional to exp(-|k| / scale). */
export function discreteLaplaceCdf(scale: number): IntegerCdf {
  const q = Math.exp(-1 / scale)
  const below = (k: number) => Math.exp(k / scale) / (1 + q)
  return (k) => (k < 0n ? below(Number(k)) : 1 - below(-Number(k) - 1))
}

/** P(k) of the discrete Laplace law. */
export function discreteLaplacePmf(scale: number): IntegerCdf {
  const zero = Math.tanh(1 / (2 * scale))
  return (k) => zero * Math.exp(-Math.abs(Number(k)) / scale)
}

/** The widest sigma whose discrete Gaussian is summed term by term. */
const summedSigmaMax = 1000

/** The discrete Gaussian law: P(k) is proportional to exp(-k^2 / (2 variance)). Above a sigma of 1000 the
 * rounded Gaussian stands in for it: their distribution functions differ by less than 1e-8 there. */
export function discreteGaussianCdf(variance: number): IntegerCdf {
  const sigma = Math.sqrt(variance)
  if (sigma > summedSigmaMax) return roundedGaussianCdf(variance)
  const size = Math.ceil(20 * sigma) + 10
  // tails[k] is the sum of the weights from k on.
  const tails = new Float64Array(size + 1)
  for (let k = size - 1; k >= 0; k -= 1) tails[k] = (tails[k + 1] ?? 0) + Math.exp((-k * k) / (2 * variance))
  const total = 2 * (tails[1] ?? 0) + 1
  const tail = (k: number) => (k < size ? (tails[k] ?? 0) / total : 0)
  return (k) => (k < 0n ? tail(-Number(k)) : 1 - tail(Number(k) + 1))
}

/** The rounded Gaussian law: round(Z), Z normal with mean 0 and this variance. */
export function roundedGaussianCdf(variance: number): IntegerCdf {
  const sigma = Math.sqrt(variance)
  return (k) => normalCdf((Number(k) + 0.5) / sigma)
}

/** P(k) of the rounded Gaussian law, accurate in the tails too. */
export function roundedGaussianPmf(variance: number): IntegerCdf {
  const sigma = Math.sqrt(variance)
  return (k) => {
    const magnitude = Math.abs(Number(k))
    return normalTail((magnitude - 0.5) / sigma) - normalTail((magnitude + 0.5) / sigma)
  }
}

/** P(Z <= z) of the standard normal law. */
export function normalCdf(z: number): number {
  return normalTail(-z)
}

/** P(Z > z): a series of positive terms near zero, Laplace's continued fraction further out. */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z > 2.5) {
    let denominator = z
    for (let term = 200; term >= 1; term -= 1) denominator = z + term / denominator
    return density / denominator
  }
  let sum = 0
  let term = z
  for (let odd = 3; term > sum * 1e-18; odd += 2) {
    sum += term
    term *= (z * z) / odd
  }
  return 0.5 - density * sum
}
