// Kaplan and Meier's curve over a partition of released rows: rows of the same bin count together.

import { numberNear } from "@dosimeter/core/exact"
import { publicNumbers, survivalCurve, type SurvivalPoint } from "@dosimeter/core/post"
import { jointState } from "./estimate-aggregate.ts"
import { constantOf, sampledSpread } from "./estimate-cell.ts"
import { noisyNumbersOf, summedNumbers } from "./noisy-inputs.ts"
import { notFollowed } from "../cells/bounding-of-cell.ts"
import { vague } from "../cells/spread.ts"
import { cellOf, type Cell } from "../cells/table.ts"

/** The numbers of a partition, in the order of time. */
export interface SurvivalRows {
  readonly events: readonly Cell[]
  /** Last seen in the bin, without the event. */
  readonly censored: readonly Cell[]
  /** Which bin each row is in, from 0, never falling. */
  readonly bins: ArrayLike<number>
}

/** The survival at the end of each row's bin. NULL counts are 0. */
export function survivalCells({ events, censored, bins }: SurvivalRows): (place: number) => Cell {
  const cells = [...events, ...censored]
  const state = jointState(cells)
  const present = cells.map((cell) => (cell.value.kind === "null" ? zero : cell))
  const known = noisyNumbersOf(present)
  const numbers =
    known ??
    publicNumbers(present.map(({ value }) => (value.kind === "number" ? numberNear(value.value) : 0)))
  const count = events.length === 0 ? 0 : (bins[events.length - 1] ?? 0) + 1
  const slots: number[][] = Array.from({ length: 2 * count }, () => [])
  for (let place = 0; place < events.length; place += 1) {
    const bin = bins[place] ?? 0
    slots[bin]?.push(place)
    slots[count + bin]?.push(events.length + place)
  }
  const curveAt = remembered(summedNumbers(numbers, slots))
  const bounding = notFollowed(cells)
  return (place) => {
    const bin = bins[place] ?? 0
    const pointAt = (miss: number): SurvivalPoint =>
      curveAt(miss)[bin] ?? { value: undefined, low: 0, high: 1, atRisk: 0, greenwood: 0, noise: 0 }
    const spread = known === undefined ? vague : sampledSpread(pointAt, bounding)
    return cellOf(constantOf(pointAt(0.05).value), spread, state)
  }
}

const zero: Cell = { value: { kind: "number", value: { numerator: 0n, denominator: 1n } }, state: "released" }

/** All cells of a partition ask for the same few misses. */
function remembered(
  numbers: Parameters<typeof survivalCurve>[0],
): (miss: number) => readonly SurvivalPoint[] {
  const curves = new Map<number, readonly SurvivalPoint[]>()
  return (miss) => {
    const found = curves.get(miss) ?? survivalCurve(numbers, miss)
    if (curves.size >= 16) curves.clear()
    curves.set(miss, found)
    return found
  }
}
