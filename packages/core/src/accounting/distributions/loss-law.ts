// The law of the privacy loss of one release: L = ln(P/Q) when the output is drawn from P, for the worst pair
// (P, Q) of neighbours. Some of it sits on atoms, some has a density, some may be infinite (outputs that only
// P can give).

/** So much probability at one loss. */
export interface LossAtom {
  readonly loss: number
  readonly mass: number
}

/** The part with a density, as a function of some real output x in which the loss grows. */
export interface SmoothLoss {
  /** Where the density is looked at; what lies outside is `below` and `above`. */
  readonly from: number
  readonly to: number
  /** The loss at x; never falls. */
  lossAt(x: number): number
  /** Some x with this loss, within [from, to]. */
  whereLoss(loss: number): number
  /** The density of x under P. */
  density(x: number): number
  /** The density of x under Q: density(x) e^-lossAt(x), where that would be 0 times infinity too. */
  otherDensity(x: number): number
  /** Probability under P of x < from (loss at most lossAt(from)) and of x > to (counted as infinite). */
  readonly below: number
  readonly above: number
}

/** A privacy loss under P. `unseen` is the probability, under Q, of outputs that P cannot give. */
export interface LossLaw {
  readonly atoms: readonly LossAtom[]
  readonly smooth?: SmoothLoss
  readonly infinite: number
  readonly unseen: number
  /** Where this law is itself an upper bound: a law that the true one dominates. */
  readonly lower?: LossLaw
}

/** A pair in both directions; one law serves both where the pair is symmetric. */
export interface LossPair {
  readonly name: string
  readonly forward: LossLaw
  readonly backward: LossLaw
}

/** Beyond this many standard deviations a normal law has less than 2e-28 of its mass. */
const reach = 11
const tailBeyondReach = 1.92e-28
/** Normal laws further apart than this overlap by 1e-500: the output is counted as telling all. */
const farApart = 100
/** Losses smaller than this are counted as this: their squares would be 0 in doubles. */
const leastLoss = 1e-90
/** No loss at all: what every law dominates. */
const nothing: LossLaw = { atoms: [], infinite: 0, unseen: 0 }
/** An output that tells all: an upper bound on every law. */
const everything: LossLaw = { atoms: [], infinite: 1, unseen: 1, lower: nothing }

/** Gaussian noise, mu standard deviations apart: P = N(mu, 1), Q = N(0, 1), L = mu x - mu^2/2. Symmetric. */
export function gaussianLaw(distance: number): LossPair {
  if (distance > farApart) return { name: "gaussian", forward: everything, backward: everything }
  const mu = Math.max(distance, leastLoss)
  const forward: LossLaw = {
    atoms: [],
    infinite: 0,
    unseen: 0,
    smooth: {
      // Wide enough for both laws, since subsampling mixes them.
      from: -reach,
      to: mu + reach,
      lossAt: (x) => mu * x - (mu * mu) / 2,
      whereLoss: (loss) => Math.min(mu + reach, Math.max(-reach, loss / mu + mu / 2)),
      density: (x) => normalDensity(x - mu),
      otherDensity: normalDensity,
      below: tailBeyondReach,
      above: tailBeyondReach,
    },
  }
  return { name: "gaussian", forward, backward: forward }
}

/** A very fine grid has more outcomes than matter: from here on they are taken in runs, about this many. */
const runsMax = 2 ** 17

/**
 * Discrete Laplace noise on an answer that changes by `amount` steps: losses (amount - 2z) / scale for z = 0
 * .. amount, exactly. P(z) = (1-q)/(1+q) q^|z|; all z <= 0 share the largest loss and all z >= amount the
 * least. Symmetric.
 *
 * Runs of outcomes are split between the ends of the run so that P and Q of the run stay what they are: an
 * upper bound; merged into one outcome, they are a lower bound (see discretize).
 */
export function discreteLaplaceLaw(amount: number, scale: number): LossPair {
  const rate = Math.max(1 / scale, leastLoss / amount)
  if (!Number.isFinite(amount * rate)) return { name: "laplace", forward: everything, backward: everything }
  const q = Math.exp(-rate)
  const share = Math.tanh(rate / 2)
  const ends: LossAtom[] = [
    { loss: amount * rate, mass: 1 / (1 + q) },
    { loss: -amount * rate, mass: Math.exp(-amount * rate) / (1 + q) },
  ]
  const run = Math.ceil(amount / runsMax)
  const split: LossAtom[] = [...ends]
  const merged: LossAtom[] = [...ends]
  for (let z = 1; z < amount; z += run) {
    const last = Math.min(z + run, amount) - 1
    const width = (last + 1 - z) * rate
    const mass = share * Math.exp(-z * rate) * (Math.expm1(-width) / Math.expm1(-rate))
    const loss = (amount - 2 * z) * rate
    // Q(z) = share q^(amount - z) grows through the run as P falls: Q(run) = P(run) e^-loss e^(width - rate).
    merged.push({ loss: loss - (width - rate), mass })
    if (run === 1) continue
    // The ends are 2 (width - rate) apart; the part p of the mass at the upper one keeps P and Q if
    // p + (1 - p) e^(2d) = e^d, d = width - rate, so p = e^d / (e^d + 1).
    const upper = mass / (1 + Math.exp(rate - width))
    split.push({ loss, mass: upper }, { loss: loss - 2 * (width - rate), mass: mass - upper })
  }
  const lower: LossLaw = { atoms: merged, infinite: 0, unseen: 0 }
  const forward: LossLaw = run === 1 ? lower : { atoms: split, infinite: 0, unseen: 0, lower }
  return { name: "laplace", forward, backward: forward }
}

/**
 * Continuous Laplace noise with loss epsilon: for comparison with textbooks; we sample the discrete law.
 * Symmetric.
 */
export function continuousLaplaceLaw(epsilon: number): LossPair {
  const forward: LossLaw = {
    atoms: [
      { loss: epsilon, mass: 0.5 },
      { loss: -epsilon, mass: 0.5 * Math.exp(-epsilon) },
    ],
    infinite: 0,
    unseen: 0,
    smooth: {
      from: -epsilon,
      to: epsilon,
      lossAt: (x) => x,
      whereLoss: (loss) => Math.min(epsilon, Math.max(-epsilon, loss)),
      density: (x) => Math.exp((x - epsilon) / 2) / 4,
      otherDensity: (x) => Math.exp((-x - epsilon) / 2) / 4,
      below: 0,
      above: 0,
    },
  }
  return { name: "continuous laplace", forward, backward: forward }
}

/**
 * The worst of all (epsilon, delta)-private releases: randomized response that tells the truth with
 * probability delta.
 */
export function approxLaw(stated: number, delta: number): LossPair {
  if (stated === Infinity) return { name: "approx", forward: everything, backward: everything }
  const epsilon = stated > 0 ? Math.max(stated, leastLoss) : 0
  const forward: LossLaw = {
    atoms: [
      { loss: epsilon, mass: (1 - delta) / (1 + Math.exp(-epsilon)) },
      { loss: -epsilon, mass: (1 - delta) / (1 + Math.exp(epsilon)) },
    ],
    infinite: delta,
    unseen: delta,
  }
  return { name: delta > 0 ? "approx" : "pure", forward, backward: forward }
}

/**
 * Randomized response over `categories` with odds e^epsilon for the truth: the report is one of the two
 * answers in question, or any other. Symmetric.
 */
export function randomizedResponseLaw(epsilon: number, categories: number): LossPair {
  if (epsilon === Infinity) return { name: "response", forward: everything, backward: everything }
  const rate = Math.exp(-epsilon)
  const truth = 1 / (1 + (categories - 1) * rate)
  const forward: LossLaw = {
    atoms: [
      { loss: epsilon, mass: truth },
      { loss: -epsilon, mass: truth * rate },
      ...(categories > 2 ? [{ loss: 0, mass: truth * rate * (categories - 2) }] : []),
    ],
    infinite: 0,
    unseen: 0,
  }
  return { name: "response", forward, backward: forward }
}

/**
 * The same release on a random sample of the units, each taken with probability q (Poisson sampling), for
 * add-or-remove neighbours: P' = (1-q) Q + q P against Q, and back.
 *
 * The unit is in the sample or not, whatever the others do; given the others' sample the outputs are P' and Q
 * for a pair (P, Q) of neighbours, and divergences are jointly convex, so the worst pair of the release is
 * the worst here too.
 */
export function subsampledLaw(pair: LossPair, q: number): LossPair {
  const mixing: Mixing = {
    q,
    up: (loss) => mixedLog(loss, q),
    // The inverse of up: ln(1 + (e^loss - 1) / q).
    down: (loss) =>
      loss > 30 ? loss + Math.log((1 - (1 - q) * Math.exp(-loss)) / q) : Math.log1p(Math.expm1(loss) / q),
    lowest: Math.log1p(-q),
  }
  // Doubles cannot hold both P and Q of an atom this far out.
  const base = pair.forward.atoms.some(({ loss }) => Math.abs(loss) > 700) ? everything : pair.forward
  const forward = mixedForward(base, mixing)
  const backward = mixedBackward(base, mixing)
  return { name: `subsampled ${pair.name}`, forward, backward }
}

interface Mixing {
  readonly q: number
  up(loss: number): number
  down(loss: number): number
  readonly lowest: number
}

/**
 * ln(1 - q + q e^x): the log ratio of a mixture, without overflow and without cancellation for q near 0 or 1.
 */
export function mixedLog(x: number, q: number): number {
  if (x > 30) return x + Math.log(q + (1 - q) * Math.exp(-x))
  return q > 0.5 && x < -0.5 ? Math.log(1 - q + q * Math.exp(x)) : Math.log1p(q * Math.expm1(x))
}

function mixedForward(base: LossLaw, mixing: Mixing): LossLaw {
  const { q, up, lowest } = mixing
  return {
    atoms: [
      ...base.atoms.map(({ loss, mass }) => ({
        loss: up(loss),
        mass: mass * ((1 - q) * Math.exp(-loss) + q),
      })),
      ...(base.unseen > 0 ? [{ loss: lowest, mass: (1 - q) * base.unseen }] : []),
    ],
    infinite: q * base.infinite,
    unseen: 0,
    ...(base.smooth === undefined ? {} : { smooth: smoothForward(base.smooth, mixing) }),
    ...(base.lower === undefined ? {} : { lower: mixedForward(base.lower, mixing) }),
  }
}

function mixedBackward(base: LossLaw, mixing: Mixing): LossLaw {
  const { q, up, lowest } = mixing
  return {
    atoms: [
      ...base.atoms.map(({ loss, mass }) => ({ loss: -up(loss), mass: mass * Math.exp(-loss) })),
      ...(base.unseen > 0 ? [{ loss: -lowest, mass: base.unseen }] : []),
    ],
    infinite: 0,
    unseen: q * base.infinite,
    ...(base.smooth === undefined ? {} : { smooth: smoothBackward(base.smooth, mixing) }),
    ...(base.lower === undefined ? {} : { lower: mixedBackward(base.lower, mixing) }),
  }
}

function smoothForward(base: SmoothLoss, { q, up, down, lowest }: Mixing): SmoothLoss {
  return {
    ...base,
    lossAt: (x) => up(base.lossAt(x)),
    whereLoss: (loss) => (loss <= lowest ? base.from : base.whereLoss(down(loss))),
    density: (x) => (1 - q) * base.otherDensity(x) + q * base.density(x),
    // Either law of the pair has at most this much outside, and the mixture no more.
    below: base.below + tailBeyondReach,
    above: base.above,
  }
}

function smoothBackward(base: SmoothLoss, { q, up, down, lowest }: Mixing): SmoothLoss {
  return {
    from: -base.to,
    to: -base.from,
    lossAt: (x) => -up(base.lossAt(-x)),
    whereLoss: (loss) => (loss >= -lowest ? -base.from : -base.whereLoss(down(-loss))),
    density: (x) => base.otherDensity(-x),
    otherDensity: (x) => (1 - q) * base.otherDensity(-x) + q * base.density(-x),
    below: base.above,
    above: base.below + tailBeyondReach,
  }
}

/**
 * Gaussian noise on a Poisson sample, for replace neighbours: P = (1-q) N(0) + q N(mu) against (1-q) N(0) + q
 * N(-mu).
 *
 * Why this pair is the worst: given the others' sample, the outputs are (1-q) N(0) + q N(u) and (1-q) N(0) +
 * q N(v) with |u|, |v| <= mu. Their hockey stick is E (c + q X - g q Y)+ over x ~ N(0, I), with X, Y the
 * likelihood ratios of u and v: a convex function of X - g Y, so submodular in (X, Y), both growing functions
 * of jointly normal variables. By Slepian's inequality it is greatest at correlation -1. Shorter u, v are
 * projections of longer ones (forgetting coordinates maps N(0) to N(0)), so |u| = |v| = mu and v = -u is the
 * worst. Symmetric.
 */
export function replacedGaussianLaw(distance: number, q: number): LossPair {
  const mu = Math.max(distance, leastLoss)
  if (mu > farApart) {
    // Whoever is in the sample is told all of.
    const bound: LossLaw = { ...approxLaw(0, q).forward, lower: nothing }
    return { name: "subsampled gaussian", forward: bound, backward: bound }
  }
  const side = (x: number): number => mixedLog(mu * x - (mu * mu) / 2, q)
  const lossAt = (x: number): number => side(x) - side(-x)
  // The share of q N(mu) in the mixture at x: what side grows by, over mu.
  const share = (x: number): number => q * Math.exp(mu * x - (mu * mu) / 2 - side(x))
  const slopeAt = (x: number): number => mu * (share(x) + share(-x))
  const density = (x: number): number => Math.exp(side(x) - (x * x) / 2) / Math.sqrt(2 * Math.PI)
  const to = mu + reach
  // Boundaries are asked for in order: the last one is a good place to begin.
  let near = 0
  const forward: LossLaw = {
    atoms: [],
    infinite: 0,
    unseen: 0,
    smooth: {
      from: -to,
      to,
      lossAt,
      whereLoss: (loss) => {
        near = solve({ lossAt, slopeAt }, loss, { from: -to, near, to })
        return near
      },
      density,
      otherDensity: (x) => density(-x),
      below: 2 * tailBeyondReach,
      above: 2 * tailBeyondReach,
    },
  }
  return { name: "subsampled gaussian", forward, backward: forward }
}

function normalDensity(x: number): number {
  return Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** Where a growing function has a value: steps of Newton while they stay between the ends, halves else. */
function solve(
  { lossAt, slopeAt }: { lossAt(x: number): number; slopeAt(x: number): number },
  target: number,
  range: { from: number; near: number; to: number },
): number {
  let { from, to, near: x } = range
  for (let step = 0; step < 100 && to > from; step += 1) {
    const miss = lossAt(x) - target
    if (miss < 0) from = x
    else to = x
    const newton = x - miss / slopeAt(x)
    const next = newton > from && newton < to ? newton : (from + to) / 2
    if (Math.abs(next - x) <= 1e-15 * Math.max(1, Math.abs(next))) return next
    x = next
  }
  return x
}
