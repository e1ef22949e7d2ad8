// Every mechanism as plain data, and the one place from which losses and errors are read.

import { unreachable } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { betweenZeroAndOne, type Numeric } from "../exact/decimal.ts"
import { one, subtract } from "../exact/rational.ts"
import type { Loss, Losses, Measure } from "../privacy/loss.ts"
import {
  aboveThresholdError,
  aboveThresholdLoss,
  type AboveThresholdSpec,
} from "./choices/above-threshold.ts"
import { anyKeysError, anyKeysLoss, type AnyKeySpec } from "./any-keys.ts"
import type {
  AdditiveError,
  ChoiceError,
  KeyError,
  MechanismError,
  RankError,
  ReportError,
  TotalError,
} from "./shared/error.ts"
import { gaussianError, gaussianLoss, type GaussianSpec } from "./additive/gaussian.ts"
import { laplaceError, laplaceLoss, type LaplaceSpec } from "./additive/laplace.ts"
import { quantilesError, quantilesLoss, type QuantilesSpec } from "./quantiles/quantile.ts"
import {
  randomizedResponseError,
  randomizedResponseLoss,
  type RandomizedResponseSpec,
} from "./choices/randomized-response.ts"
import { runningTotalError, runningTotalLoss, type RunningTotalSpec } from "./additive/running-total.ts"
import {
  selectionError,
  selectionLoss,
  topKLoss,
  type SelectionSpec,
  type TopKSpec,
} from "./choices/selection.ts"
import { tableSumsError, tableSumsLoss, type TableSumsSpec } from "./table-sums.ts"
import { topKeysError, topKeysLoss, type TopKeysSpec } from "./keys/top-keys.ts"

/** The plain data that determines a mechanism: its noise, its loss and its error. */
export type MechanismSpec =
  | LaplaceSpec
  | GaussianSpec
  | SelectionSpec
  | TopKSpec
  | TopKeysSpec
  | AboveThresholdSpec
  | RandomizedResponseSpec
  | AnyKeySpec
  | QuantilesSpec
  | RunningTotalSpec
  | TableSumsSpec

/**
 * The loss of a mechanism: the only place where a loss is computed.
 *
 * Guarantee: each entry of the result holds for the release that this very spec makes.
 * Needs: the spec was made by its own constructor (which checks it).
 * Proof: the one beside each mechanism.
 * Numerics: rounded up where irrational.
 * Source: the ones beside each mechanism.
 */
export function lossOf(spec: MechanismSpec): Losses {
  switch (spec.kind) {
    case "laplace":
      return laplaceLoss(spec)
    case "gaussian":
      return gaussianLoss(spec)
    case "selection":
      return selectionLoss(spec)
    case "top-k":
      return topKLoss(spec)
    case "top-keys":
      return topKeysLoss(spec)
    case "above-threshold":
      return aboveThresholdLoss(spec)
    case "randomized-response":
      return randomizedResponseLoss(spec)
    case "keys-optimal":
    case "keys-laplace":
    case "keys-gaussian":
    case "keys-weighted":
      return anyKeysLoss(spec)
    case "quantiles":
      return quantilesLoss(spec)
    case "running-total":
      return runningTotalLoss(spec)
    case "margins":
    case "tree":
      return tableSumsLoss(spec)
    default:
      return unreachable(spec)
  }
}

/** The loss in one measure, or a refusal if the mechanism has none in it. */
export function lossIn(spec: MechanismSpec, measure: Measure): Loss {
  const loss = lossOf(spec)[measure]
  return loss ?? fail("privacy/no-such-loss", { mechanism: spec.kind, measure })
}

/** The error that a mechanism keeps with the given confidence, from its spec alone. */
export function errorOf(spec: LaplaceSpec | GaussianSpec, confidence: Numeric): AdditiveError
export function errorOf(spec: SelectionSpec | TopKSpec | AboveThresholdSpec, confidence: Numeric): ChoiceError
export function errorOf(spec: RandomizedResponseSpec, confidence: Numeric): ReportError
export function errorOf(spec: AnyKeySpec | TopKeysSpec, confidence: Numeric): KeyError
export function errorOf(spec: QuantilesSpec, confidence: Numeric): RankError
export function errorOf(spec: RunningTotalSpec | TableSumsSpec, confidence: Numeric): TotalError
export function errorOf(spec: MechanismSpec, confidence: Numeric): MechanismError
export function errorOf(spec: MechanismSpec, confidence: Numeric): MechanismError {
  const sure = betweenZeroAndOne(confidence, "confidence")
  const miss = subtract(one, sure)
  switch (spec.kind) {
    case "laplace":
      return laplaceError(spec, sure)
    case "gaussian":
      return gaussianError(spec, sure)
    case "selection":
    case "top-k":
      return selectionError(spec, miss)
    case "top-keys":
      return topKeysError(spec, miss)
    case "above-threshold":
      return aboveThresholdError(spec, miss)
    case "randomized-response":
      return randomizedResponseError(spec)
    case "keys-optimal":
    case "keys-laplace":
    case "keys-gaussian":
    case "keys-weighted":
      return anyKeysError(spec, miss)
    case "quantiles":
      return quantilesError(spec, miss)
    case "running-total":
      return runningTotalError(spec, miss)
    case "margins":
    case "tree":
      return tableSumsError(spec, miss)
    default:
      return unreachable(spec)
  }
}
