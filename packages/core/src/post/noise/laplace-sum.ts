// Quantiles of the sum of several standard Laplace variables, from its exact law.

/** Longer sums are left to other bounds. */
const termsMax = 512

/**
 * An x with P(|L1 + ... + Ln| > x) <= miss for independent standard Laplace variables, as small as doubles
 * find it; Infinity for more than 512 of them.
 */
export function laplaceSumQuantile(terms: number, miss: number): number {
  if (terms > termsMax) return Infinity
  const key = `${terms} ${miss}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const found = solve(terms, miss)
  // A table has few confidences; this only keeps hostile ones from filling the memory.
  if (cache.size >= 4096) cache.clear()
  cache.set(key, found)
  return found
}

const cache = new Map<string, number>()

function solve(terms: number, miss: number): number {
  const weights = weightsOf(terms)
  let [low, high] = [0, 1]
  while (tail(weights, high) > miss) high *= 2
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (tail(weights, middle) > miss) low = middle
    else high = middle
  }
  return high
}

/**
 * |L1 + ... + Ln| is a mixture of gamma variables: of shape n - k with probability 2 C(n - 1 + k, k) / 2^(n +
 * k), k from 0 to n - 1.
 */
function weightsOf(terms: number): readonly number[] {
  // In logarithms: 2^-n alone is too small for a double from n = 1075 on, and loses digits before.
  const weights: number[] = []
  let logarithm = (1 - terms) * Math.LN2
  for (let k = 0; k < terms; k += 1) {
    weights.push(Math.exp(logarithm))
    logarithm += Math.log((terms + k) / (k + 1)) - Math.LN2
  }
  return weights
}

/** P(gamma of shape m > x) = e^-x (1 + x + ... + x^(m-1) / (m-1)!), summed with the weights. */
function tail(weights: readonly number[], x: number): number {
  let [sum, inner, logTerm] = [0, 0, -x]
  for (let shape = 1; shape <= weights.length; shape += 1) {
    inner += Math.exp(logTerm)
    logTerm += Math.log(x / shape)
    sum += (weights[weights.length - shape] ?? 0) * inner
  }
  return sum * (1 + 1e-10)
}
