// k-means: a few rounds of noisy counts and sums by the nearest centre, from centres that are spread over the
// declared ranges.

import type { Neighbours } from "@dosimeter/core/mechanisms"
import { divide, rational } from "@dosimeter/core/exact"
import type { Examples, NumberColumn } from "../columns/columns.ts"
import { checkPoints, pointsOf, unscaled } from "../columns/points.ts"
import { fail } from "../errors.ts"
import type { Learner, Round } from "../rounds/learner.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { muSquaredOf, roundSpec, signedLength, type TrainingBudget } from "../rounds/round-spec.ts"

/** What is asked for. */
export interface KMeansOptions {
  readonly features: readonly NumberColumn[]
  readonly clusters: number
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
  readonly rounds?: number
}

/** A clustering to be found. */
export interface KMeans {
  readonly features: readonly NumberColumn[]
  readonly clusters: number
  /** A person counts so many steps, a coordinate of 1 so many. */
  readonly countSteps: number
  readonly rounds: readonly Round[]
}

/** Centres and the noisy number of people nearest to each. */
export interface Clusters {
  readonly kind: "clusters"
  readonly features: readonly NumberColumn[]
  /** In the units of the features, one centre after the other. */
  readonly centres: Float64Array
  readonly people: Float64Array
}

/** A coordinate of 1 is so many steps. */
const pointSteps = 2 ** 12

interface Centres {
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
    rounds: Array.from({ length: rounds }, () => ({ name: "people and points by centre", spec })),
  }
}

/** The learner of k-means; `trainLearner` runs it. */
export function kMeansLearner(
  model: KMeans,
): Learner<Pick<Examples, "rows" | "features">, Centres, Clusters> {
  const width = model.features.length
  return {
    rounds: model.rounds,
    start: { centres: spreadOut(model), people: new Float64Array(model.clusters) },
    open: (data) => {
      const points = pointsOf(model.features, data)
      return { sums: ({ centres }) => sumsByCentre(model, points, centres) }
    },
    next: (state, _round, noisy) => moved(model, state, noisy),
    finish: ({ centres, people }) => ({
      kind: "clusters",
      features: model.features,
      centres: centres.map((value, at) => {
        const feature = model.features[at % width]
        return feature === undefined ? NaN : unscaled(value, feature)
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
 * Proof: a row goes to one centre, chosen from the row and released centres; it adds countSteps and at most
 *   pointSteps in size for each coordinate, since points lie in [-1, 1] and are rounded to whole steps: the
 *   square of the length is at most countSteps^2 + d pointSteps^2.
 * Numerics: distances are doubles of the row alone; what is added is whole.
 * Source: Blum, Dwork, McSherry, Nissim 2005, section 5.1.
 */
export function sumsByCentre(
  { features, clusters, countSteps }: KMeans,
  points: Float64Array,
  centres: Float64Array,
): Float64Array {
  const width = features.length
  const sums = new Float64Array(clusters * (width + 1))
  for (let from = 0; from < points.length; from += width) {
    const at = nearest(points.subarray(from, from + width), centres) * (width + 1)
    sums[at] = (sums[at] ?? 0) + countSteps
    for (let i = 0; i < width; i += 1) {
      sums[at + 1 + i] = (sums[at + 1 + i] ?? 0) + Math.round((points[from + i] ?? 0) * pointSteps)
    }
  }
  return sums
}

function nearest(point: Float64Array, centres: Float64Array): number {
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

/** Centres move to their noisy means; one that noise drowns starts again near the largest. */
function moved(model: KMeans, { centres }: Centres, noisy: Float64Array): Centres {
  const width = model.features.length
  const [round] = model.rounds
  const drowned = round === undefined ? 0 : (2 * noiseOf(round.spec)) / model.countSteps
  const people = Float64Array.from({ length: model.clusters }, (_, centre) =>
    Math.max(0, (noisy[centre * (width + 1)] ?? 0) / model.countSteps),
  )
  const largest = people.indexOf(people.reduce((most, count) => Math.max(most, count), 0))
  const inside = (value: number): number => Math.max(-1, Math.min(1, value))
  const meanOf = (centre: number, i: number): number =>
    inside((noisy[centre * (width + 1) + 1 + i] ?? 0) / pointSteps / Math.max(1, people[centre] ?? 1))
  const next = centres.map((_, at) => {
    const [centre, i] = [Math.floor(at / width), at % width]
    if ((people[centre] ?? 0) > drowned) return meanOf(centre, i)
    return inside(
      (people[largest] ?? 0) > drowned
        ? meanOf(largest, i) + 0.2 * (halton(centre + 1, i) - 0.5)
        : (centres[at] ?? 0),
    )
  })
  return { centres: next, people }
}

/** The first centres: evenly spread points, without looking. */
function spreadOut({ clusters, features }: Pick<KMeans, "clusters" | "features">): Float64Array {
  return Float64Array.from({ length: clusters * features.length }, (_, at) => {
    const [centre, i] = [Math.floor(at / features.length), at % features.length]
    return 1.4 * halton(centre + 1, i) - 0.7
  })
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
