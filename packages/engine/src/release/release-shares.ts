// A site's part of a federated question: its exact numbers with its share of the noise, which leave as part
// of a sum over sites and in no other way. And the other end: the rows of the plan from such a sum.

import { assert } from "@dosimeter/core/errors"
import { noiseOfSum, readShares, releaseShare, shareOf, type ShareSpec } from "@dosimeter/core/distributed"
import { systemBits, type RandomBits } from "@dosimeter/core/noise"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { releaseKey } from "./key/release-key.ts"
import { drawLinear } from "./measurements/draw.ts"
import { Groups } from "./measurements/groups.ts"
import type { NoiseSource } from "./measurements/noise-source.ts"
import type { NoisyRow } from "./measurements/noisy-cell.ts"
import { withDraws } from "./measurements/several-draws.ts"
import type { Permit } from "./permit.ts"
import type { PrintedPlan } from "./printed-plan.ts"
import { readExact, type ReadFrom } from "./read-exact.ts"
import { rowsOf, type Drawn, type OnMeasured } from "./release.ts"
import type { ExactTable } from "./secret/exact-table.ts"

/**
 * The shares of a plan's noise, in the order of its measurements. Refused where shares would cost more than
 * the plan charges (shareOf). The plan's groups are listed and its measurements linear (checkFederated).
 */
export function sharesOf(plan: ReleasePlan, honest: number): readonly ShareSpec[] {
  const shares: ShareSpec[] = []
  for (const release of plan.releases) {
    measured(release, nobody(release), (spec, exact) => {
      shares.push(shareOf({ of: spec, exact: exact.length, honest }))
      return []
    })
  }
  return shares
}

/** Where it is read, what shares are drawn from, and how many honest sites have one. */
export interface ShareFrom extends ReadFrom {
  readonly rng: RandomBits
  readonly honest: number
}

/**
 * Reads a plan under its permit; returns its exact numbers, each with a share of the noise.
 *
 * Guarantee: the sum of what `honest` sites return, each for its own data, loses plan.charge of each site;
 *   whatever else is added to it.
 * Needs: what is returned leaves as part of such a sum only: by itself it has a share of the noise, which is
 *   all of it where `honest` is 1.
 * Proof: each measurement of each release goes once through releaseShare, with the shareOf its own spec, on
 *   the tables that were read for it under its charge (PaidTables); nothing is read from what comes out. A
 *   share costs no more than its mechanism in zCDP, and in epsilon where it is Laplace's (shareOf,
 *   lossOfShares); in epsilon a plan has no Gaussian noise. The mechanisms' losses are in the charge
 *   (verify).
 * Numerics: integers.
 * Source: as lossOfShares.
 */
export async function releaseShares(
  reading: PrintedPlan,
  permit: Permit,
  from: ShareFrom,
  signal: AbortSignal | undefined,
): Promise<readonly bigint[]> {
  const { honest, rng } = from
  const { accounting } = reading.plan.charge
  assert(accounting === "zcdp" || accounting === "pure", "shares have a proven loss in the plan's measure")
  // Whatever is refused is refused before anything is read.
  const shares = sharesOf(reading.plan, honest)[Symbol.iterator]()
  const paid = await readExact(reading, permit, from, signal)
  const vector: bigint[] = []
  for (const tables of paid) {
    measured(tables.for, tables.take(releaseKey), (_, exact) => {
      const share = shares.next().value
      assert(share !== undefined, "every measurement has a share")
      for (const number of releaseShare(share, exact, rng)) vector.push(number)
      return []
    })
  }
  return vector
}

/** A sum over sites, and whose shares are in it. */
export interface SumOfShares {
  readonly numbers: readonly bigint[]
  readonly honest: number
  readonly survivors: number
}

/** A plan with the noise that really arrived, and its rows. */
export interface RowsOfSum {
  readonly plan: ReleasePlan
  readonly rows: readonly (readonly NoisyRow[])[]
}

/** The rows of a plan from a sum of shares: nothing exact is in it. */
export function rowsOfSum(
  plan: VerifiedPlan,
  { numbers, honest, survivors }: SumOfShares,
  onMeasured: (release: Release) => OnMeasured = () => () => {},
): RowsOfSum {
  const shares = sharesOf(plan, honest)
  const total = shares.reduce((sum, share) => sum + share.numbers, 0)
  assert(numbers.length === total, "a sum has every number of the plan")
  const left = shares[Symbol.iterator]()
  let start = 0
  const source: NoiseSource = () => {
    const share = left.next().value
    assert(share !== undefined, "every measurement has a share")
    start += share.numbers
    return readShares(share, numbers.slice(start - share.numbers, start))
  }
  const draws = shares.map((share) => noiseOfSum(share, survivors).draws)
  const arrived = withArrived(plan, shares, survivors)
  const rows = arrived.releases.map((release) => {
    const groups = new Groups(release, nobody(release), systemBits())
    const drawn = measured(release, nobody(release), source)
    return rowsOf({ release, groups, drawn }, onMeasured(release))
  })
  return { plan: arrived, rows: withDraws(rows, Math.max(1, ...draws)) }
}

/** The plan with the noise of what arrived in place of the noise that it was charged for. */
function withArrived(plan: ReleasePlan, shares: readonly ShareSpec[], survivors: number): ReleasePlan {
  const left = shares[Symbol.iterator]()
  const releases = plan.releases.map((release) => ({
    ...release,
    measurements: release.measurements.map((measurement) => {
      assert(measurement.kind === "linear", "only linear measurements are shared")
      const share = left.next().value
      assert(share !== undefined, "every measurement has a share")
      return withSpec(measurement, noiseOfSum(share, survivors).spec)
    }),
  }))
  return { ...plan, releases }
}

function withSpec(measurement: LinearMeasurement, spec: ShareSpec["of"]): LinearMeasurement {
  const { strategy } = measurement
  switch (strategy.kind) {
    case "identity":
    case "moments":
    case "scaled":
      assert(spec.kind === "gaussian" || spec.kind === "laplace", "a vector has noise of one law")
      return { ...measurement, strategy: { ...strategy, spec } }
    case "parts":
      assert(spec.kind === "margins", "parts are of margins")
      return { ...measurement, strategy: { ...strategy, spec } }
    case "levels":
      assert(spec.kind === "tree", "levels are of a tree")
      return { ...measurement, strategy: { ...strategy, spec } }
    case "totals":
      assert(false, "totals are not shared")
      break
    default:
      return strategy satisfies never
  }
}

/** Hands the measurements of a release to a source, one after the other. */
function measured(release: Release, tables: readonly ExactTable[], source: NoiseSource): readonly Drawn[] {
  const { kind } = release.keys
  assert(kind === "none" || kind === "public", "the groups of a federated question are listed")
  const groups = new Groups(release, tables, systemBits())
  return release.measurements.map((measurement) => {
    assert(measurement.kind === "linear", "only linear measurements are shared")
    return { kind: "linear", source: measurement, of: drawLinear(measurement, groups, source) }
  })
}

/** Tables in which nobody is. */
function nobody({ extracts }: Release): readonly ExactTable[] {
  return extracts.map(() => ({ rows: [] }))
}
