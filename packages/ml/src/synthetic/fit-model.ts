// The distribution of a graphical model that fits noisy tables: the one of greatest entropy among those that
// are near them, near as measured by their noise. Post-processing: it reads released numbers.

import { assert } from "@dosimeter/core/errors"
import { coarserPlaces, sumInto, type CoarserTable } from "./cell-places.ts"
import type { GraphicalModel } from "./graphical-model.ts"

/** A noisy table of shares: counts over the number of rows. */
export interface NoisyShares extends CoarserTable {
  readonly shares: Float64Array
  /** Of the noise of each of them. */
  readonly variances: Float64Array
}

/** Combinations of values that cannot be: cells of a table over the attributes. */
export interface Impossible {
  readonly attributes: readonly number[]
  readonly cells: ReadonlySet<number>
}

/** What a fit needs. */
export interface FitOptions {
  readonly noisy: readonly NoisyShares[]
  readonly impossible?: readonly Impossible[]
  /** Weights of an earlier fit, of the first of the tables. */
  readonly weights?: readonly Float64Array[]
}

/** A fitted distribution. */
export interface Fitted {
  readonly model: GraphicalModel
  /** For each clique its table, as probabilities. */
  readonly tables: readonly Float64Array[]
  /** For each noisy table the weights of its cells. */
  readonly weights: readonly Float64Array[]
}

interface Placed {
  readonly clique: number
  readonly places: Int32Array
  readonly shares: Float64Array
  /** What a weight costs, for each cell. */
  readonly costs: Float64Array
  readonly weights: Float64Array
  readonly changes: Float64Array
}

/** Turns through all cliques, at most; and sweeps over the tables of a clique in each. */
const [turnsMax, sweeps] = [40, 2]
/** It ends where no share of a table was moved by more than this many standard deviations of its noise. */
const settledAt = 0.02

/**
 * How much entropy counts beside what noise says. With p the share of a cell, v the variance of its noise and
 * e this number, a dependence is shrunk by p / (p + e v): as is best where shares are off by half of what
 * they would be without it, in tables of a few hundred cells.
 */
const entropyCounts = 500

/**
 * Fits a model. Noisy tables that no clique holds are left out.
 *
 * The distribution p with the least sum of (Q p - y)^2 / (2 v) less e times its entropy is proportional to
 * exp of the sum of weights w of cells, where w has the least log Z(w) - w y + e v w^2 / 2 (its dual, with
 * weights divided by e): a convex function. It is lowered table by table, as in iterative proportional
 * fitting: each weight goes where, all others being as they are, its cell's share is y - e v w.
 */
export function fitModel(model: GraphicalModel, options: FitOptions): Fitted {
  const { noisy, impossible = [] } = options
  const placed = placedIn(model, noisy)
  for (const [place, table] of placed.entries()) table?.weights.set(options.weights?.[place] ?? [])
  const base = model.empty()
  forbid(model, impossible, base)
  const [tables, potentials] = [model.empty(), model.empty()]
  const known = placed.filter((table) => table !== undefined)
  const calibrate = (): void => {
    for (const [clique, table] of potentials.entries()) table.set(base[clique] ?? table)
    for (const table of known) addWeights(potentials[table.clique], table)
    model.calibrate(potentials, tables)
  }
  calibrate()
  for (let turn = 0; turn < turnsMax; turn += 1) {
    let moved = 0
    for (const [clique, cells] of tables.entries()) {
      const own = known.filter((table) => table.clique === clique)
      if (own.length === 0) continue
      for (let sweep = 0; sweep < sweeps; sweep += 1) {
        for (const table of own) moved = Math.max(moved, lower(table, cells))
      }
      calibrate()
    }
    if (moved < settledAt) break
  }
  return { model, tables, weights: placed.map((table) => table?.weights ?? new Float64Array(0)) }
}

/** Lowers the weights of one table, and follows in the clique's; returns how far its shares have moved. */
function lower({ places, shares, costs, weights, changes }: Placed, cells: Float64Array): number {
  centre(weights, costs)
  sumInto(cells, places, changes)
  let [moved, total] = [0, 0]
  for (let cell = 0; cell < shares.length; cell += 1) {
    const share = changes[cell] ?? 0
    const cost = costs[cell] ?? 0
    const step = share > 0 ? stepOf(share, (shares[cell] ?? 0) - cost * (weights[cell] ?? 0), cost) : 0
    weights[cell] = (weights[cell] ?? 0) + step
    const factor = Math.exp(step)
    changes[cell] = factor
    total += share * factor
    moved = Math.max(moved, (share * Math.abs(factor - 1)) / Math.sqrt(cost / entropyCounts))
  }
  for (let cell = 0; cell < cells.length; cell += 1) {
    cells[cell] = ((cells[cell] ?? 0) * (changes[places[cell] ?? 0] ?? 0)) / total
  }
  return moved
}

// What is added to all weights of a table changes no share: they are where they cost least.
function centre(weights: Float64Array, costs: Float64Array): void {
  let [sum, all] = [0, 0]
  for (const [cell, cost] of costs.entries()) {
    sum += cost * (weights[cell] ?? 0)
    all += cost
  }
  for (let cell = 0; cell < weights.length; cell += 1) weights[cell] = (weights[cell] ?? 0) - sum / all
}

/**
 * Where share e^d + cost d = wanted: the left side grows and bends upward, so that Newton's steps from a
 * point above the root stay above it.
 */
function stepOf(share: number, wanted: number, cost: number): number {
  let d = wanted <= share ? 0 : Math.min(Math.log(wanted / share), (wanted - share) / cost)
  for (let turn = 0; turn < 30; turn += 1) {
    const grown = share * Math.exp(d)
    const next = d - (grown + cost * d - wanted) / (grown + cost)
    if (Math.abs(next - d) < 1e-9) break
    d = next
  }
  return Math.max(-stepMost, Math.min(stepMost, d))
}

const stepMost = 5

function placedIn(model: GraphicalModel, noisy: readonly NoisyShares[]): readonly (Placed | undefined)[] {
  return noisy.map((one) => {
    const { attributes: wanted, shares, variances } = one
    const clique = model.cliqueOf(wanted)
    if (clique === undefined) return undefined
    const { attributes } = model.tree.cliques[clique] ?? { attributes: [] }
    assert(
      variances.every((variance) => variance > 0),
      "noise has a variance",
    )
    return {
      clique,
      places: coarserPlaces(attributes, model.sizes, one),
      shares: addedToOne(shares, variances),
      costs: variances.map((variance) => entropyCounts * variance),
      weights: new Float64Array(shares.length),
      changes: new Float64Array(shares.length),
    }
  })
}

// All shares together are 1: what is too much is taken from each by the variance of its noise.
function addedToOne(shares: Float64Array, variances: Float64Array): Float64Array {
  const excess = shares.reduce((sum, share) => sum + share, 0) - 1
  const all = variances.reduce((sum, variance) => sum + variance, 0)
  return shares.map((share, cell) => share - (excess * (variances[cell] ?? 0)) / all)
}

function addWeights(potentials: Float64Array | undefined, { places, weights }: Placed): void {
  if (potentials === undefined) return
  for (let cell = 0; cell < potentials.length; cell += 1) {
    potentials[cell] = (potentials[cell] ?? 0) + (weights[places[cell] ?? 0] ?? 0)
  }
}

/** Sets the potentials of cells that cannot be. */
export function forbid(
  model: GraphicalModel,
  impossible: readonly Impossible[],
  potentials: readonly Float64Array[],
): void {
  for (const { attributes, cells } of impossible) {
    const clique = model.cliqueOf(attributes)
    assert(clique !== undefined, "what cannot be stands together in a clique")
    const own = model.tree.cliques[clique]?.attributes ?? []
    const table = potentials[clique]
    for (const [cell, place] of coarserPlaces(own, model.sizes, { attributes }).entries()) {
      if (table !== undefined && cells.has(place)) table[cell] = -Infinity
    }
  }
}
