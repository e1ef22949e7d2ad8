// What is known of a model while it is trained: bins, people in them, the shapes so far. All of it comes from
// noisy sums.

import { noiseOf } from "../rounds/release-sums.ts"
import { binsOf, cellCount, type Bins } from "./cells.ts"
import { firstSums, pairBins, errorBound, type Boosting } from "./boosting.ts"

/** The table behind a term: bins of one feature, or pairs of coarser bins of two. */
export interface TermTable {
  /** Noisy people in each place of the table. */
  readonly people: Float64Array
  /** For each side, the place of every bin of its feature, times the stride of that side. */
  readonly places: readonly Uint16Array[]
}

/** What is known after a round. */
export interface BoostingState {
  readonly bins: readonly Bins[]
  readonly tables: readonly TermTable[]
  readonly shapes: readonly Float64Array[]
  /** Sums of the shapes after each epoch of the second half: what is averaged in the end. */
  readonly sums: readonly Float64Array[]
  /** The last change of a shape, which scores do not have yet. */
  readonly change: { readonly term: number; readonly by: Float64Array } | undefined
}

/** Before anything is measured. */
export const emptyState: BoostingState = { bins: [], tables: [], shapes: [], sums: [], change: undefined }

/** A step counts so much of what the curvature asks for. */
export const stepSize = 0.5
/** People whose noise would drown them move a shape less: so many deviations of the noise are added. */
export const shrinkage = 2

/** What is known after a round more. */
export function nextState(model: Boosting, state: BoostingState, of: RoundSums): BoostingState {
  if (of.round === 0) return withBins(model, of.noisy)
  if (of.round < firstSums(model)) return withPairs(state, of.noisy)
  return withStep(model, state, of)
}

/** The noisy sums of a round. */
export interface RoundSums {
  readonly round: number
  readonly noisy: Float64Array
}

function withBins(model: Boosting, noisy: Float64Array): BoostingState {
  let at = 0
  const bins = model.features.map((feature) => {
    const counts = noisy.subarray(at, at + cellCount(feature))
    at += counts.length
    return binsOf(feature, counts, model.bins)
  })
  const tables = model.terms.map((term): TermTable => {
    const sides = term.flatMap((place) => bins.slice(place, place + 1))
    const [own, ...others] = sides
    if (own !== undefined && others.length === 0) {
      return { people: own.people, places: [Uint16Array.from({ length: own.count }, (_, bin) => bin)] }
    }
    const coarse = sides.map(coarseBins)
    const width = coarse[1]?.size ?? 1
    return {
      people: new Float64Array((coarse[0]?.size ?? 1) * width),
      places: coarse.map(({ places }, side) => (side === 0 ? places.map((place) => place * width) : places)),
    }
  })
  return start(bins, tables)
}

function start(bins: readonly Bins[], tables: readonly TermTable[]): BoostingState {
  const shapes = tables.map(({ people }) => new Float64Array(people.length))
  return { bins, tables, shapes, sums: shapes.map((shape) => shape.slice()), change: undefined }
}

/** Bins of one side of an interaction: neighbouring bins are joined by noisy counts, missing values apart. */
function coarseBins({ people, count, edges }: Bins): { places: Uint16Array; size: number } {
  if (edges.length === 0) return { places: Uint16Array.from(people.keys()), size: count }
  const values = count - 1
  const total = people.subarray(0, values).reduce((sum, number) => sum + number, 0)
  const places = new Uint16Array(count)
  let [before, place, last] = [0, 0, 0]
  for (let bin = 0; bin < values; bin += 1) {
    const middle = before + (people[bin] ?? 0) / 2
    const wanted = total > 0 ? Math.min(pairBins - 1, Math.floor((pairBins * middle) / total)) : 0
    if (bin > 0 && wanted !== last) place += 1
    last = wanted
    places[bin] = place
    before += people[bin] ?? 0
  }
  places[values] = place + 1
  return { places, size: place + 2 }
}

function withPairs(state: BoostingState, noisy: Float64Array): BoostingState {
  let at = 0
  const tables = state.tables.map((table) => {
    if (table.places.length === 1) return table
    const people = noisy.slice(at, at + table.people.length).map((count) => Math.max(0, count))
    at += people.length
    return { ...table, people }
  })
  return { ...state, tables }
}

/** One step of one term: each place moves by what its noisy residuals say, less where noise is large. */
function withStep(model: Boosting, state: BoostingState, { round, noisy }: RoundSums): BoostingState {
  const place = round - firstSums(model)
  const term = place % model.terms.length
  const epoch = Math.floor(place / model.terms.length)
  const people = state.tables[term]?.people ?? new Float64Array(noisy.length)
  const rates = ratesOf(model, people)
  const by = noisy.map((sum, bin) => ((rates[bin] ?? 0) * sum * model.clip) / errorBound)
  const shapes = replaced(state.shapes, term, (shape) => added(shape, by))
  const isAveraged = 2 * epoch >= model.epochs - 1 && term === model.terms.length - 1
  const sums = isAveraged ? state.sums.map((sum, at) => added(sum, shapes[at] ?? sum)) : state.sums
  return { ...state, shapes, sums, change: { term, by } }
}

/** How far each place of a term moves for a residual of 1. */
export function ratesOf(model: Boosting, people: Float64Array): Float64Array {
  const damping = shrinkage * sumNoise(model)
  return people.map((count) => stepSize / (model.curvature * count + damping))
}

/** The standard deviation of the noise in a sum of residuals. */
export function sumNoise(model: Boosting): number {
  const last = model.rounds.at(-1)
  return last === undefined ? 0 : (noiseOf(last.spec) * model.clip) / errorBound
}

/** How many epochs are averaged. */
export function averagedEpochs({ epochs }: Pick<Boosting, "epochs">): number {
  return epochs - Math.ceil((epochs - 1) / 2)
}

function added(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((value, at) => value + (right[at] ?? 0))
}

function replaced<T>(items: readonly T[], place: number, change: (item: T) => T): readonly T[] {
  return items.map((item, at) => (at === place ? change(item) : item))
}
