// Privacy losses that can be enumerated: small pairs (P, Q), their compositions term by term, and their delta
// by definition. What lattices and transforms are compared with.

import type { LossAtom, LossLaw } from "../accounting/distributions/loss-law.ts"

/** The loss of a pair of laws given by weights, which are scaled to add up to 1. */
export function lawOf(p: readonly number[], q: readonly number[]): LossLaw {
  const [sumP, sumQ] = [p, q].map((weights) => weights.reduce((a, b) => a + b, 0))
  const atoms: LossAtom[] = []
  let infinite = 0
  let unseen = 0
  p.forEach((weight, i) => {
    const [mass, other] = [weight / (sumP ?? 1), (q[i] ?? 0) / (sumQ ?? 1)]
    if (mass > 0 && other > 0) atoms.push({ loss: Math.log(mass / other), mass })
    else if (mass > 0) infinite += mass
    else unseen += other
  })
  return { atoms, infinite, unseen }
}

/** The loss of several releases together, term by term. */
export function composeLaws(laws: readonly LossLaw[]): LossLaw {
  return laws.reduce(
    (sums, law) => ({
      atoms: sums.atoms.flatMap((a) =>
        law.atoms.map((b) => ({ loss: a.loss + b.loss, mass: a.mass * b.mass })),
      ),
      infinite: sums.infinite + law.infinite - sums.infinite * law.infinite,
      unseen: 0,
    }),
    { atoms: [{ loss: 0, mass: 1 }], infinite: 0, unseen: 0 },
  )
}

/** delta at epsilon by definition. */
export function deltaOfLaw(law: LossLaw, epsilon: number): number {
  return law.atoms.reduce(
    (sum, { loss, mass }) => (loss > epsilon ? sum - mass * Math.expm1(epsilon - loss) : sum),
    law.infinite,
  )
}

/**
 * The integral over (P - e^epsilon Q)+ by the midpoint rule on a fine grid: slow, and independent of all
 * else.
 */
export function hockeyStick(
  densities: { readonly p: (x: number) => number; readonly q: (x: number) => number },
  epsilon: number,
  range: { readonly from: number; readonly to: number; readonly points: number },
): number {
  const h = (range.to - range.from) / range.points
  const factor = Math.exp(epsilon)
  let sum = 0
  for (let i = 0; i < range.points; i += 1) {
    const x = range.from + (i + 0.5) * h
    sum += Math.max(0, densities.p(x) - factor * densities.q(x))
  }
  return sum * h
}

/** The normal density. */
export function normalAt(x: number, mean = 0): number {
  return Math.exp(-((x - mean) * (x - mean)) / 2) / Math.sqrt(2 * Math.PI)
}
