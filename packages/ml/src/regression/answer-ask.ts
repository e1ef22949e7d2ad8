// The exact sums that a training asks for, from rows. Whoever calls this holds a Secret open, and lets
// nothing out but what a mechanism makes of the result.

import { curvatureSum, curvatureVectors } from "./curvature-sum.ts"
import { firstLookSum, firstLookVectors } from "./first-look.ts"
import { gradientSum, gradientVectors } from "./gradient-sum.ts"
import { gridRows, type Centring, type GridRows } from "./grid-rows.ts"
import { qualitySum, qualityVectors } from "./quality.ts"
import type { Rows } from "./rows.ts"
import type { SumAsk } from "./train.ts"
import type { UnitVectors } from "./unit-vectors.ts"

/** Rows that are put onto the grid once for each centring. */
export class AskedRows {
  readonly #rows: Rows
  #grid: GridRows | undefined
  #centring: Centring | undefined

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** The exact integers of an ask. */
  sumOf(ask: SumAsk): bigint[] {
    switch (ask.kind) {
      case "look":
        return firstLookSum(this.#rows)
      case "gradient":
        return gradientSum(this.#on(ask.centring), ask.weights, ask.clip)
      case "curvature":
        return curvatureSum(this.#on(ask.centring), ask.weights, ask.clip)
      case "quality":
        return qualitySum(this.#on(ask.centring), ask.weights, ask.meanTarget)
      default:
        return ask satisfies never
    }
  }

  /** What each unit adds to an ask. */
  vectorsOf(ask: SumAsk): UnitVectors {
    switch (ask.kind) {
      case "look":
        return firstLookVectors(this.#rows)
      case "gradient":
        return gradientVectors(this.#on(ask.centring), ask.weights, ask.clip)
      case "curvature":
        return curvatureVectors(this.#on(ask.centring), ask.weights, ask.clip)
      case "quality":
        return qualityVectors(this.#on(ask.centring), ask.weights, ask.meanTarget)
      default:
        return ask satisfies never
    }
  }

  #on(centring: Centring): GridRows {
    if (this.#grid === undefined || this.#centring !== centring) {
      this.#grid = gridRows(this.#rows, centring)
      this.#centring = centring
    }
    return this.#grid
  }
}
