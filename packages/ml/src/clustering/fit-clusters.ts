// k-means as a dialogue that asks for sums, what each unit adds to them, and the groups as plain data.

import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { coordinatesOf, pointsOf } from "../columns/points.ts"
import type { UnitVectors } from "../regression/unit-vectors.ts"
import { checkedSums, sumsOf } from "../rounds/planned-sums.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import {
  addSpread,
  deviationsLeft,
  farthest,
  readSpread,
  spreadGrid,
  type SpreadQuality,
} from "../spread/spread.ts"
import type { ClustersPlan } from "./clusters-plan.ts"
import { addByCentre, drownedBy, firstCentres, meansOf, moved, nearest, pointSteps } from "./k-means.ts"

/** What a training asks for next. Everything in it is public or was released. */
export type ClustersAsk =
  | { readonly kind: "centres"; readonly centres: Float64Array }
  | { readonly kind: "quality"; readonly centres: Float64Array; readonly mean: readonly number[] }

/** One group. */
export interface FoundGroup {
  /** About how many people its centre is the mean of: those nearest to the centre of the round before. */
  readonly people: number
  /** Its coordinates: numbers from -1 to 1, categories 0 or 1. */
  readonly centre: readonly number[]
}

/** Groups that were released, as plain data. Everything in it is noisy or public. */
export interface CentresModel {
  readonly kind: "centres"
  readonly features: readonly ColumnSpec[]
  /** How many were asked for: those that noise hides are left out. */
  readonly asked: number
  /** The largest first. */
  readonly groups: readonly FoundGroup[]
  /** The deviation of the noise in a number of people, and in a sum of coordinates. */
  readonly noise: { readonly people: number; readonly sum: number }
  /** Of each coordinate: the deviation of people from the centres of their groups. */
  readonly left: readonly number[]
  /** About how many rows it was fitted to: a noisy number. */
  readonly rows: number
  readonly quality: SpreadQuality
}

/** Rows, one for each unit. */
export class GroupedExamples {
  readonly #plan: ClustersPlan
  readonly #points: Float64Array
  readonly #width: number

  constructor(plan: ClustersPlan, examples: Pick<Examples, "rows" | "features">) {
    this.#plan = plan
    this.#points = pointsOf(plan.model.features, examples)
    this.#width = coordinatesOf(plan.model.features).length
  }

  /**
   * What each unit adds to an ask.
   *
   * Guarantee: of what is exact, a unit's numbers depend on its own row alone.
   * Needs: the centres of an ask are made of what was released.
   * Proof: the point of a unit is a function of its row (pointsOf), and so is the nearest of released
   *   centres. Centres: addByCentre. Quality: addSpread.
   * Numerics: as these two.
   * Source: none; lengths are compared by BoundedSums.
   */
  vectorsOf(ask: ClustersAsk): UnitVectors {
    switch (ask.kind) {
      case "centres":
        return this.#centres(ask.centres)
      case "quality":
        return this.#quality(ask)
      default:
        return ask satisfies never
    }
  }

  #centres(centres: Float64Array): UnitVectors {
    const { model } = this.#plan
    return {
      length: model.clusters * (this.#width + 1),
      add: (unit, into) => addByCentre(into, model, { point: this.#pointOf(unit), centres }),
    }
  }

  #quality({ centres, mean }: Extract<ClustersAsk, { kind: "quality" }>): UnitVectors {
    const { features } = this.#plan.model
    const grid = spreadGrid(features, "by coordinate")
    const left = (point: Float64Array, into: Float64Array): void => {
      const own = nearest(point, centres) * point.length
      for (const [at, value] of point.entries()) into[at] = value - (centres[own + at] ?? 0)
    }
    const by = { mean, most: farthest(features, mean), left }
    return {
      length: grid.dimension,
      add: (unit, into) => addSpread(into, grid, { detail: "by coordinate", point: this.#pointOf(unit), by }),
    }
  }

  #pointOf(unit: number): Float64Array {
    return this.#points.subarray(unit * this.#width, (unit + 1) * this.#width)
  }
}

/** The dialogue of a plan: asks come in the order of its sums, each as often as planned. */
export function* fitClusters(plan: ClustersPlan): Generator<ClustersAsk, CentresModel, readonly bigint[]> {
  const { model } = plan
  const { features, countSteps, clusters } = model
  const centred = sumsOf(plan, "centres")
  let state = firstCentres(model)
  let groups: readonly FoundGroup[] = []
  let rows = 0
  for (let round = 0; round < centred.count; round += 1) {
    const noisy = checkedSums(plan, "centres", yield { kind: "centres", centres: state.centres })
    const sums = Float64Array.from(noisy, Number)
    state = moved(model, state, sums)
    groups = groupsOf(plan, sums)
    rows = Array.from(
      { length: clusters },
      (_, at) => (sums[(at * sums.length) / clusters] ?? 0) / countSteps,
    ).reduce((sum, people) => sum + people, 0)
  }
  const centres = Float64Array.from(groups.flatMap(({ centre }) => centre))
  const mean = meanOf(groups)
  const told = checkedSums(plan, "quality", yield { kind: "quality", centres, mean })
  const people = Math.max(1, rows)
  const deviation = noiseOf(sumsOf(plan, "quality").spec)
  const grid = spreadGrid(features, "by coordinate")
  const { quality, left: sums } = readSpread(grid, told, deviation)
  const left = deviationsLeft(sums, { most: farthest(features, mean), people })
  const noise = { people: noiseOf(centred.spec) / countSteps, sum: noiseOf(centred.spec) / pointSteps }
  return {
    kind: "centres",
    features,
    asked: clusters,
    groups,
    noise,
    left,
    rows: Math.round(people),
    quality,
  }
}

// Groups that noise does not hide, or the largest one where it hides all.
function groupsOf({ model }: ClustersPlan, sums: Float64Array): readonly FoundGroup[] {
  const { centres, people } = meansOf(model, sums)
  const width = centres.length / model.clusters
  const all = Array.from(people, (count, at): FoundGroup => ({
    people: count,
    centre: [...centres.subarray(at * width, (at + 1) * width)],
  })).toSorted((a, b) => b.people - a.people)
  const told = all.filter((group) => group.people > drownedBy(model))
  return told.length === 0 ? all.slice(0, 1) : told
}

function meanOf(groups: readonly FoundGroup[]): readonly number[] {
  const all = groups.reduce((sum, { people }) => sum + people, 0)
  const [first] = groups
  return (first?.centre ?? []).map((own, at) =>
    all > 0 ? groups.reduce((sum, { people, centre }) => sum + people * (centre[at] ?? 0), 0) / all : own,
  )
}

/** The place of the group whose centre is nearest to a row; NaN where a value is missing. */
export function predictGroup(model: CentresModel, row: readonly number[]): number {
  const values = model.features.map((_, at) => Float64Array.of(row[at] ?? Number.NaN))
  const point = pointsOf(model.features, { rows: 1, features: values })
  return nearest(point, Float64Array.from(model.groups.flatMap(({ centre }) => centre)))
}
