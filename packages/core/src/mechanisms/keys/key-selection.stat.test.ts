import { describe, test } from "vitest"
import type { RandomBits } from "../../random/random-bits.ts"
import { multiply, rational } from "../../exact/rational.ts"
import { attack } from "../../testing/attack.ts"
import { gaussianKeys, laplaceKeys, optimalKeys, releaseKeys, type KeySpec } from "./key-selection.ts"

const neighbours = "add-or-remove"

describe("key selection keeps its loss", () => {
  const options = { epsilon: 1, delta: "0.02", groupsPerUnit: 2, neighbours } as const
  /** Only what is shown comes out; keys below the threshold are as absent as keys that nobody holds. */
  const on = (units: readonly bigint[]) => (spec: KeySpec, rng: RandomBits) =>
    releaseKeys(spec, units, rng)
      .map(({ key, count }) => `${key}:${count ?? ""}`)
      .join(" ")

  test("optimal, and the loss of one key spent on each of two is caught", () => {
    const spec = optimalKeys(options)
    const single = optimalKeys({ ...options, groupsPerUnit: 1 })
    const wrong: KeySpec = { ...spec, epsilonPerKey: single.epsilonPerKey, deltaPerKey: single.deltaPerKey }
    const pair = [on([4n, 4n]), on([3n, 3n])] as const
    attack<KeySpec>("optimal", { spec, measure: "approx", on: pair, broken: wrong })
    // A unit with two keys of its own.
    const loose: KeySpec = { ...spec, deltaPerKey: rational(1n, 25n) }
    attack<KeySpec>("lone", { spec, measure: "approx", on: [on([1n, 1n]), on([])], broken: loose })
  })

  test("Laplace, and a threshold that is too low is caught", () => {
    const spec = laplaceKeys(options)
    const low: KeySpec = { ...spec, threshold: spec.threshold - 4n }
    attack<KeySpec>("laplace keys", { spec, measure: "approx", on: [on([1n, 1n]), on([])], broken: low })
    const always: KeySpec = { ...spec, threshold: 3n, lowerChance: rational(9n, 10n) }
    const rarely: KeySpec = { ...always, lowerChance: rational(1n, 100n) }
    const lone = [on([1n, 1n]), on([])] as const
    attack<KeySpec>("lower too often", { spec: rarely, measure: "approx", on: lone, broken: always })
    const quiet: KeySpec = { ...spec, scale: multiply(spec.scale, rational(1n, 2n)) }
    const pair = [on([12n, 12n]), on([11n, 11n])] as const
    attack<KeySpec>("laplace keys", { spec, measure: "approx", on: pair, broken: quiet })
  })

  test("Gaussian, and a threshold that is too low is caught", () => {
    const spec = gaussianKeys(options)
    const low: KeySpec = { ...spec, threshold: spec.threshold - 4n }
    attack<KeySpec>("gaussian keys", { spec, measure: "gdp", on: [on([1n, 1n]), on([])], broken: low })
    const quiet: KeySpec = { ...spec, variance: multiply(spec.variance, rational(1n, 8n)) }
    const pair = [on([12n, 12n]), on([11n, 11n])] as const
    attack<KeySpec>("gaussian keys", { spec, measure: "gdp", on: pair, broken: quiet })
  })

  test("counts of rows, and a threshold for keys of one row is caught", () => {
    // The worst that a unit can do: as many rows as count, in as many keys of its own as count.
    const alone = laplaceKeys({ ...options, epsilon: 4, groupsPerUnit: 1, rowsPerGroup: 4 })
    const oneRow: KeySpec = { ...alone, threshold: alone.threshold - 3n }
    attack<KeySpec>("laplace rows", {
      spec: alone,
      measure: "approx",
      on: [on([4n]), on([])],
      broken: oneRow,
    })
    const spec = gaussianKeys({ ...options, rowsPerGroup: 4 })
    const ofUnits: KeySpec = { ...spec, threshold: gaussianKeys(options).threshold }
    attack<KeySpec>("gaussian rows", { spec, measure: "gdp", on: [on([4n, 4n]), on([])], broken: ofUnits })
    const quiet: KeySpec = { ...spec, variance: multiply(spec.variance, rational(1n, 8n)) }
    const pair = [on([44n, 44n]), on([40n, 40n])] as const
    attack<KeySpec>("gaussian rows", { spec, measure: "gdp", on: pair, broken: quiet })
  })
})
