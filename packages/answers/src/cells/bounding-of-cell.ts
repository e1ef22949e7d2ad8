// What the interval of a cell says of bounding: from all released numbers that the cell is worked out from.

import { unknownLeftOut, type LeftOut, type LeftOutUnknown } from "./left-out.ts"
import { cellsOf, type Spread, type Uncertain } from "./spread.ts"

/**
 * What an interval says of bounding: everything counts; what is left out is in it, proven or as an estimate;
 * or it is of the noise alone, and nothing is known of what is left out.
 */
export type Bounding = "all-counts" | "proven" | "estimate" | "noise-only"

/** More numbers than these are not looked at: nothing is said of them. */
const stepsMax = 16_000

/** What the whole interval of a cell says of bounding. */
export function boundingOf({ spread }: Uncertain): Bounding {
  const seen = new Set<Spread>()
  const proofs = new Set<object | undefined>()
  const waiting = spread === undefined ? [] : [spread]
  let steps = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    for (const leftOut of leftOutsOf(at)) {
      if (leftOut?.kind === "unknown") return "noise-only"
      if (leftOut !== undefined) proofs.add(leftOut.proof)
    }
    if (at.kind !== "derived") continue
    steps += at.inputs.to - at.inputs.from
    if (steps > stepsMax) return "noise-only"
    for (const cell of cellsOf(at.inputs)) if (cell.spread !== undefined) waiting.push(cell.spread)
  }
  if (proofs.size === 0) return "all-counts"
  // Two proofs may both fail: together they are as good as an estimate.
  return proofs.size === 1 && !proofs.has(undefined) ? "proven" : "estimate"
}

/** What is known of a number that is worked out from cells in a way that is not followed. */
export function notFollowed(cells: readonly Uncertain[]): { readonly leftOut?: LeftOutUnknown } {
  return cells.every((cell) => boundingOf(cell) === "all-counts") ? {} : { leftOut: unknownLeftOut }
}

function leftOutsOf(spread: Spread): readonly (LeftOut | undefined)[] {
  switch (spread.kind) {
    case "linear":
    case "region":
      return [spread.leftOut]
    case "ratio":
      return [spread.top.leftOut, spread.bottom.leftOut]
    case "derived":
    case "vague":
      return []
    default:
      return spread satisfies never
  }
}
