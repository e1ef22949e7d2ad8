// Exact confidence bounds of a probability from counted successes (Clopper and Pearson 1934). The binomial
// tail is summed from its largest term, all terms positive; that term comes from Loader's saddle-point form
// (2000), so nothing cancels at any count. Rounded outwards: a computed bound is never tighter than the true
// one.

/** Bounds that each fail with probability at most alpha. */
export interface BinomialBounds {
  readonly lower: number
  readonly upper: number
}

/** How much of alpha is given away to pay for rounding; the tail is good to about 1e-12. */
const slack = 1e-10

/** Bounds the probability behind `successes` out of `trials`. `alpha` is for each side, at most 1/2. */
export function clopperPearson(counted: {
  readonly successes: number
  readonly trials: number
  readonly alpha: number
}): BinomialBounds {
  const { successes, trials, alpha } = counted
  const isCount = Number.isSafeInteger(successes) && Number.isSafeInteger(trials)
  if (!isCount || successes < 0 || successes > trials || trials < 1) {
    throw new Error(`cannot have ${successes} successes in ${trials} trials`)
  }
  if (!(alpha > 0 && alpha <= 0.5)) throw new Error(`alpha must lie in (0, 1/2]: ${alpha}`)
  return {
    lower: lowerBound({ successes, trials, alpha }),
    upper: 1 - lowerBound({ successes: trials - successes, trials, alpha }),
  }
}

interface Counted {
  readonly successes: number
  readonly trials: number
}

/** The largest p found for which this many successes or more have probability at most alpha. The true one is
 * below successes / trials, where that probability is at least 1/2, because an integer mean is the median. */
function lowerBound({ successes, trials, alpha }: Counted & { readonly alpha: number }): number {
  if (successes === 0) return 0
  const target = Math.log(alpha) - slack
  if (successes === trials) return Math.exp(target / trials) * (1 - slack / trials)
  let low = 0
  let high = successes / trials
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return low
    if (logTailAbove({ successes, trials }, middle) <= target) low = middle
    else high = middle
  }
}

/** ln P(X >= successes) for X binomial(trials, p), with p at most successes / trials. */
function logTailAbove({ successes, trials }: Counted, p: number): number {
  const odds = p / (1 - p)
  let term = 1
  let sum = 1
  for (let k = successes; k < trials && term > sum * 1e-18; k += 1) {
    term *= ((trials - k) / (k + 1)) * odds
    sum += term
  }
  return logBinomialPmf({ successes, trials }, p) + Math.log(sum)
}

/** ln P(X = successes), 0 < successes < trials (Loader 2000, Fast and Accurate Computation of Binomial
 * Probabilities). */
function logBinomialPmf({ successes, trials }: Counted, p: number): number {
  const failures = trials - successes
  return (
    stirlingError(trials) -
    stirlingError(successes) -
    stirlingError(failures) -
    deviance(successes, trials * p) -
    deviance(failures, trials * (1 - p)) +
    Math.log(trials / (2 * Math.PI * successes * failures)) / 2
  )
}

/** ln n! less Stirling's approximation of it. */
function stirlingError(n: number): number {
  if (n < 16) {
    let factorial = 1
    for (let k = 2; k <= n; k += 1) factorial *= k
    return Math.log(factorial) - (n + 0.5) * Math.log(n) + n - Math.log(2 * Math.PI) / 2
  }
  const square = n * n
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n
}

/** x ln(x / mean) + mean - x. Near the mean this would cancel, and far from it `log1p` would. */
function deviance(x: number, mean: number): number {
  const excess = (mean - x) / x
  if (Math.abs(excess) > 0.5) return x * Math.log(x / mean) + mean - x
  return x * (excess - Math.log1p(excess))
}
