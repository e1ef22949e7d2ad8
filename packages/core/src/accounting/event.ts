// What accountants know of a release: just what decides its loss. Mechanisms say which events they are;
// accountants say what the events cost. The meaning of an event never changes.

import type { Rational } from "../exact/rational.ts"
import type { Neighbours } from "../privacy/unit.ts"

/** One release, as an accountant sees it. */
export type LossEvent =
  /** Gaussian noise: mu^2 = L2^2 / variance. */
  | { readonly kind: "gaussian"; readonly muSquared: Rational }
  /** Discrete Laplace noise on one coordinate that changes by at most `amount` steps. */
  | { readonly kind: "laplace"; readonly amount: bigint; readonly scale: Rational }
  /** A release of which only its pure loss is known; "range" if its log ratios span no more than epsilon. */
  | { readonly kind: "pure"; readonly epsilon: Rational; readonly shape: "any" | "range" }
  /** A release of which only (epsilon, delta) is known. */
  | { readonly kind: "approx"; readonly epsilon: Rational; readonly delta: Rational }
  /** Randomized response over so many categories. */
  | { readonly kind: "response"; readonly truth: Rational; readonly categories: number }
  /** Something goes wrong with at most this probability, and otherwise nothing is lost. */
  | { readonly kind: "failure"; readonly delta: Rational }
  /**
   * Gaussian noise on a Poisson sample of the units: a step of private learning. `sigma` is for sensitivity
   * 1.
   */
  | {
      readonly kind: "sampled-gaussian"
      readonly rate: Rational
      readonly sigma: Rational
      readonly neighbours: Neighbours
    }
  /** Discrete Laplace noise on a Poisson sample of the units. */
  | {
      readonly kind: "sampled-laplace"
      readonly rate: Rational
      readonly amount: bigint
      readonly scale: Rational
      readonly neighbours: Neighbours
    }

/** So many releases of one kind, declared beforehand. */
export interface Planned {
  readonly event: LossEvent
  readonly count: number
}
