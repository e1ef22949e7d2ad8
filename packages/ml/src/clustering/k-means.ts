// k-means: a few rounds of noisy counts and sums by the nearest centre, from centres that are spread over the
// declared ranges.

import type { Neighbours } from "@dosimeter/core/mechanisms"
import { divide, rational } from "@dosimeter/core/exact"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { checkPoints, coordinatesOf, endsOf, pointsOf, unscaled, type Coordinate } from "../columns/points.ts"
import { fail } from "../errors.ts"
import type { Learner, Round } from "../rounds/learner.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { muSquaredOf, roundSpec, signedLength, type TrainingBudget } from "../rounds/round-spec.ts"

/** What is asked for. */
export interface KMeansOptions {
  readonly features: readonly ColumnSpec[]
  readonly clusters: number
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
  readonly rounds?: number
}

/** A clustering to be found. */
export interface KMeans {
  readonly features: readonly ColumnSpec[]
  readonly clusters: number
  /** A person counts so many steps. */
  readonly countSteps: number
  /** The greatest length of what a unit adds, in steps. */
  readonly bound: number
  readonly rounds: readonly Round[]
}

/** Centres and the noisy number of people nearest to each. */
export interface Clusters {
  readonly kind: "clusters"
  readonly features: readonly ColumnSpec[]
  /** In the units of the coordinates, one centre after the other. */
  readonly centres: Float64Array
  readonly people: Float64Array
}

/** A coordinate of 1 is so many steps. */
export const pointSteps = 2 ** 12

/** Centres on the way, in coordinates. */
export interface Centres {
  readonly centres: Float64Array
  readonly people: Float64Array
}

/** Checks what is asked. Nothing is read. */
export function kMeans(options: KMeansOptions): KMeans {
  const { features, clusters, neighbours, rounds = 6 } = options
  checkPoints(features, 1000)
  for (const [name, got] of [
    ["clusters", clusters],
    ["rounds", rounds],
  ] as const) {
    if (!Number.isInteger(got) || got < 1 || got > 1000)
      fail("model/bad-setting", { name, got: `${got}`, range: "a whole number from 1 to 1000" })
  }
  const countSteps = Math.round((pointSteps * Math.sqrt(features.length)) / 2)
  const length = Math.ceil(Math.sqrt(countSteps ** 2 + features.length * pointSteps ** 2)) + 1
  const part = divide(muSquaredOf(options.budget), rational(BigInt(rounds)))
  const spec = roundSpec(signedLength(length, neighbours), part)
  return {
    features,
    clusters,
    countSteps,
    bound: length,
    rounds: Array.from({ length: rounds }, () => ({ name: "people and points by centre", spec })),
  }
}

/** The learner of k-means; `trainLearner` runs it. */
export function kMeansLearner(
  model: KMeans,
): Learner<Pick<Examples, "rows" | "features">, Centres, Clusters> {
  const coordinates = coordinatesOf(model.features)
  return {
    rounds: model.rounds,
    start: firstCentres(model),
    open: (data) => {
      const points = pointsOf(model.features, data)
      return { sums: ({ centres }) => sumsByCentre(model, points, centres) }
    },
    next: (state, _round, noisy) => moved(model, state, noisy),
    finish: ({ centres, people }) => ({
      kind: "clusters",
      features: model.features,
      centres: centres.map((value, at) => {
        const coordinate = coordinates[at % coordinates.length]
        return unscaled(value, model.features[coordinate?.column ?? 0])
      }),
      people,
    }),
  }
}

/**
 * People and coordinates added up by the nearest centre, in steps.
 *
 * Guarantee: a unit adds to one centre's sums a vector of integers of length at most the spec's.
 * Needs: one row a unit (the caller).
 * Proof: addByCentre, once for each row.
 * Numerics: as addByCentre.
 * Source: Blum, Dwork, McSherry, Nissim 2005, section 5.1.
 */
export function sumsByCentre(
  model: Pick<KMeans, "clusters" | "countSteps">,
  points: Float64Array,
  centres: Float64Array,
): Float64Array {
  const width = centres.length / model.clusters
  const sums = new Float64Array(model.clusters * (width + 1))
  for (let from = 0; from < points.length; from += width) {
    addByCentre(sums, model, { point: points.subarray(from, from + width), centres })
  }
  return sums
}

/**
 * Adds one row to the sums of its nearest centre.
 *
 * Guarantee: what is added are integers whose length is at most model.bound.
 * Needs: a point of pointsOf; centres that were released.
 * Proof: a row goes to one centre, chosen from the row and released centres. It adds countSteps and its
 *   coordinates in steps. A number is at most 1 in size and rounds to at most pointSteps; a category adds
 *   pointSteps to one number, or half of that. So the square of the length is at most
 *   countSteps^2 + columns pointSteps^2.
 * Numerics: distances are doubles of the row alone; what is added is whole.
 * Source: none.
 */
export function addByCentre(
  sums: Float64Array,
  { countSteps }: Pick<KMeans, "countSteps">,
  { point, centres }: { readonly point: Float64Array; readonly centres: Float64Array },
): void {
  const at = nearest(point, centres) * (point.length + 1)
  sums[at] = (sums[at] ?? 0) + countSteps
  for (let i = 0; i < point.length; i += 1) {
    sums[at + 1 + i] = (sums[at + 1 + i] ?? 0) + Math.round((point[i] ?? 0) * pointSteps)
  }
}

/** The place of the nearest centre. */
export function nearest(point: Float64Array, centres: Float64Array): number {
  let [best, least] = [0, Infinity]
  for (let centre = 0; centre * point.length < centres.length; centre += 1) {
    let distance = 0
    for (let i = 0; i < point.length; i += 1) {
      distance += ((point[i] ?? 0) - (centres[centre * point.length + i] ?? 0)) ** 2
    }
    if (distance < least) [best, least] = [centre, distance]
  }
  return best
}

/** So many people, or fewer, are drowned by the noise of a round. */
export function drownedBy({ rounds: [round], countSteps }: Pick<KMeans, "rounds" | "countSteps">): number {
  return round === undefined ? 0 : (2 * noiseOf(round.spec)) / countSteps
}

/** Centres as their noisy sums have them, wherever noise leaves something of these. */
export function meansOf(model: KMeans, noisy: Float64Array): Centres {
  const coordinates = coordinatesOf(model.features)
  const width = coordinates.length
  const people = Float64Array.from({ length: model.clusters }, (_, centre) =>
    Math.max(0, (noisy[centre * (width + 1)] ?? 0) / model.countSteps),
  )
  const centres = Float64Array.from({ length: model.clusters * width }, (_, at) => {
    const [centre, i] = [Math.floor(at / width), at % width]
    const sum = (noisy[centre * (width + 1) + 1 + i] ?? 0) / pointSteps
    return inside(sum / Math.max(1, people[centre] ?? 1), model, coordinates[i])
  })
  return { centres, people }
}

function inside(value: number, { features }: Pick<KMeans, "features">, of: Coordinate | undefined): number {
  const { low, high } = endsOf(features[of?.column ?? 0])
  return Math.max(low, Math.min(high, value))
}

/** Centres move to their noisy means; one that noise drowns starts again near the largest. */
export function moved(model: KMeans, { centres }: Centres, noisy: Float64Array): Centres {
  const coordinates = coordinatesOf(model.features)
  const width = coordinates.length
  const drowned = drownedBy(model)
  const { centres: means, people } = meansOf(model, noisy)
  const largest = people.indexOf(people.reduce((most, count) => Math.max(most, count), 0))
  const next = centres.map((_, at) => {
    const [centre, i] = [Math.floor(at / width), at % width]
    if ((people[centre] ?? 0) > drowned) return means[at] ?? 0
    if (!((people[largest] ?? 0) > drowned)) return centres[at] ?? 0
    const { low, high } = endsOf(model.features[coordinates[i]?.column ?? 0])
    const nearby = (means[largest * width + i] ?? 0) + 0.1 * (high - low) * (halton(centre + 1, i) - 0.5)
    return inside(nearby, model, coordinates[i])
  })
  return { centres: next, people }
}

/** The first centres: evenly spread points, without looking. */
export function firstCentres({ clusters, features }: Pick<KMeans, "clusters" | "features">): Centres {
  const coordinates = coordinatesOf(features)
  const centres = Float64Array.from({ length: clusters * coordinates.length }, (_, at) => {
    const [centre, i] = [Math.floor(at / coordinates.length), at % coordinates.length]
    const { low, high } = endsOf(features[coordinates[i]?.column ?? 0])
    const part = 0.15 + 0.7 * halton(centre + 1, i)
    return low + (high - low) * part
  })
  return { centres, people: new Float64Array(clusters) }
}

const primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]

/** Halton's points: evenly spread in [0, 1). Beyond ten coordinates they are shifted copies. */
function halton(index: number, coordinate: number): number {
  const base = primes[coordinate % primes.length] ?? 2
  let [value, part] = [0, 1 / base]
  for (
    let rest = index + 7 * Math.floor(coordinate / primes.length);
    rest > 0;
    rest = Math.floor(rest / base)
  ) {
    value += part * (rest % base)
    part /= base
  }
  return value
}
