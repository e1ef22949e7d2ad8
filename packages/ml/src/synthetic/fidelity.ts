// How far rows are from the data, told from noisy tables that were paid for: tables that had no part in
// making the rows, so that nothing is made to look better by having been fitted.

/** What a table of the rows and a noisy table of the data say of their difference. */
export interface Difference {
  /**
   * The share of rows that would have to change for the two tables to be the same: an interval for it, and a
   * guess between its ends.
   */
  readonly low: number
  readonly guess: number
  readonly high: number
}

/** A table of the made rows, scaled to the number of rows of the data, and the noisy table of the same. */
export interface Compared {
  readonly made: Float64Array
  readonly noisy: Float64Array
  /** Of the noise of each cell. */
  readonly variance: number
  /** The number of rows of the data, as far as it is known. */
  readonly rows: number
}

/**
 * An interval that covers with at least the confidence, for rows that do not depend on the noise of the
 * table.
 *
 * With d the difference to the exact table and k cells, S = sum (made - noisy)^2 / v is noncentral
 * chi-squared with k degrees and lambda = |d|^2 / v. For t > 0 (Birgé 2001, lemma 8.1) each of
 *   S >= k + lambda + 2 sqrt((k + 2 lambda) t) + 2 t   and   S <= k + lambda - 2 sqrt((k + 2 lambda) t)
 * has probability at most e^-t; both are solved for lambda. The share of rows that would have to change is
 * |d|_1 / 2 over all rows, and |d|_2 <= |d|_1 <= sqrt(k) |d|_2. Noise is rounded to whole numbers, which
 * moves |d|_2 by at most sqrt(k) / 2 on either side.
 */
export function differenceOf(compared: Compared, confidence: number): Difference {
  const { made, noisy, variance, rows } = compared
  const k = made.length
  const t = Math.log(2 / (1 - confidence))
  let squares = 0
  for (let cell = 0; cell < k; cell += 1) squares += ((made[cell] ?? 0) - (noisy[cell] ?? 0)) ** 2
  const rounding = Math.sqrt(k) / 2
  const length = Math.sqrt(squares)
  const [most, least] = [(length + rounding) ** 2 / variance, Math.max(0, length - rounding) ** 2 / variance]
  const lambdaHigh = largestLambda(most, k, t)
  const lambdaLow = smallestLambda(least, k, t)
  const inRows = (lambda: number): number => Math.sqrt(lambda * variance) / (2 * Math.max(1, rows))
  const guess = inRows(Math.max(0, squares / variance - k)) * Math.sqrt(k * spreadUsual)
  const high = Math.min(1, inRows(lambdaHigh) * Math.sqrt(k))
  const low = Math.min(high, inRows(lambdaLow))
  return { low, guess: Math.min(high, Math.max(low, guess)), high }
}

/** Differences that are normal with equal spread have |d|_1 = sqrt(2 / pi) sqrt(k) |d|_2. */
const spreadUsual = 2 / Math.PI

// S > k + lambda - 2 sqrt((k + 2 lambda) t): with x = sqrt(k + 2 lambda), x^2 / 2 - 2 x sqrt(t) + k / 2 < S.
function largestLambda(squares: number, k: number, t: number): number {
  const root = Math.sqrt(t)
  const x = 2 * root + Math.sqrt(Math.max(0, 4 * t - k + 2 * squares))
  return Math.max(0, (x * x - k) / 2)
}

// S < k + lambda + 2 sqrt((k + 2 lambda) t) + 2 t: x^2 / 2 + 2 x sqrt(t) + k / 2 + 2 t > S.
function smallestLambda(squares: number, k: number, t: number): number {
  const root = Math.sqrt(t)
  const inside = 4 * t - k - 4 * t + 2 * squares
  const x = inside <= 0 ? 0 : -2 * root + Math.sqrt(inside)
  return x <= 0 ? 0 : Math.max(0, (x * x - k) / 2)
}
