// Key selection by counts or by weights: what both lose, and from which size on groups are shown.

import type { Rational } from "../exact/rational.ts"
import type { Losses } from "../privacy/loss.ts"
import type { KeyError } from "./shared/error.ts"
import { keyError, keyLoss, type KeySpec } from "./keys/key-selection.ts"
import { weightedKeysError, weightedKeysLoss, type WeightedKeysSpec } from "./keys/weighted-keys.ts"

/** Key selection of any kind. */
export type AnyKeySpec = KeySpec | WeightedKeysSpec

/**
 * What key selection loses.
 *
 * Guarantee: that of keyLoss or weightedKeysLoss.
 * Needs: theirs.
 * Proof: theirs; this only chooses.
 * Numerics: theirs.
 * Source: theirs.
 */
export function anyKeysLoss(spec: AnyKeySpec): Losses {
  return spec.kind === "keys-weighted" ? weightedKeysLoss(spec) : keyLoss(spec)
}

/** The error of key selection: that of its kind. */
export function anyKeysError(spec: AnyKeySpec, miss: Rational): KeyError {
  return spec.kind === "keys-weighted" ? weightedKeysError(spec, miss) : keyError(spec, miss)
}
