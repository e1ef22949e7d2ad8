// Binomial probabilities in doubles, good to about 1e-13 of themselves even for a million coins: Loader's
// saddle-point form, in which nothing large cancels.

/** P(X = x) for X the heads of n coins of bias p. */
export function binomialPmf(x: number, n: number, p: number): number {
  if (x < 0 || x > n) return 0
  if (p === 0) return x === 0 ? 1 : 0
  if (p === 1) return x === n ? 1 : 0
  if (x === 0) return Math.exp(n * Math.log1p(-p))
  if (x === n) return Math.exp(n * Math.log(p))
  const [heads, tails] = [x, n - x]
  const log =
    stirlingRest(n) -
    stirlingRest(heads) -
    stirlingRest(tails) -
    deviance(heads, n * p) -
    deviance(tails, n * (1 - p))
  return Math.exp(log) * Math.sqrt(n / (2 * Math.PI * heads * tails))
}

/**
 * P(X >= x) for X the heads of n fair coins. Terms are positive and fall, and are added up until what is
 * left, a geometric series at most, is below 1e-17 of the sum.
 */
export function fairTail(x: number, n: number): number {
  if (x <= 0) return 1
  if (x > n) return 0
  // Below the middle the other tail is the smaller one.
  if (2 * x <= n) return 1 - fairTail(n - x + 1, n)
  let term = binomialPmf(x, n, 0.5)
  let sum = 0
  for (let i = x; term > 0; i += 1) {
    sum += term
    const ratio = (n - i) / (i + 1)
    term *= ratio
    if (term < 1e-17 * sum * (1 - ratio)) break
  }
  return sum
}

/** ln(n!) less Stirling's formula. */
function stirlingRest(n: number): number {
  if (n < 16) return exactRest[n] ?? 0
  const square = n * n
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n
}

const exactRest: readonly number[] = Array.from({ length: 16 }, (_, n) => {
  let factorial = 1
  for (let i = 2; i <= n; i += 1) factorial *= i
  if (n === 0) return 0
  return Math.log(factorial) - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(2 * Math.PI)
})

/** x ln(x / m) + m - x, also where x and m are close. */
function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x
  const v = (x - m) / (x + m)
  let sum = (x - m) * v
  let power = 2 * x * v
  for (let j = 1; j < 1000; j += 1) {
    power *= v * v
    const next = sum + power / (2 * j + 1)
    if (next === sum) return sum
    sum = next
  }
  return sum
}
