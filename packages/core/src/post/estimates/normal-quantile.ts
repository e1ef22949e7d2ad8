// Quantiles of the normal law in doubles, for intervals of what is already released.

import { logNormalDensity, logNormalTail } from "../../exact/normal-doubles.ts"

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
  return t + (logTail - target) / Math.exp(logNormalDensity(t) - logTail)
}
