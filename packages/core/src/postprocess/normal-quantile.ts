// Quantiles of the normal law in doubles, for intervals of what is already released.

/**
 * The t >= 0 with P(Z > t) = p for a standard normal Z and 0 < p <= 1/2, good to about 1e-12.
 *
 * Newton's method on ln P(Z > t), which is concave and falls: a tangent lies above the curve, so from t = 0
 * the first step lands at or beyond the root, and every later one comes back without passing it. It ends when
 * a step no longer makes t smaller.
 */
export function normalUpper(p: number): number {
  if (p !== last.p) last = { p, t: solve(p) }
  return last.t
}

/** A table has thousands of cells and one confidence. */
let last = { p: 0.5, t: 0 }

function solve(p: number): number {
  const target = Math.log(p)
  let t = newtonStep(0, target)
  for (;;) {
    const next = newtonStep(t, target)
    if (!(next < t)) return t
    t = next
  }
}

function newtonStep(t: number, target: number): number {
  const logTail = logNormalTail(t)
  // The slope of ln P(Z > t) is minus the hazard f(t) / P(Z > t).
  return t + (logTail - target) / Math.exp(logDensity(t) - logTail)
}

function logDensity(t: number): number {
  return (-t * t) / 2 - Math.log(2 * Math.PI) / 2
}

/**
 * ln P(Z > t) for t >= 0: 1/2 less a series of positive terms near zero, Laplace's continued
 * fraction beyond.
 */
function logNormalTail(t: number): number {
  if (t < 3) {
    let sum = 0
    let term = t
    for (let odd = 3; term > sum * 1e-18; odd += 2) {
      sum += term
      term *= (t * t) / odd
    }
    return Math.log(0.5 - Math.exp(logDensity(t)) * sum)
  }
  let fraction = t
  for (let k = 160; k >= 1; k -= 1) fraction = t + k / fraction
  return logDensity(t) - Math.log(fraction)
}
