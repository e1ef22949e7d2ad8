// What a release of margins would do, in words: how many there are, and how far off a cell of each may be.

import { numberNear } from "@dosimeter/core/exact"
import { errorOf, marginError, type MarginsSpec } from "@dosimeter/core/mechanisms"
import { columnIn } from "@dosimeter/proof/algebra/make"
import type { KeyPlan, MarginsPlan, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { showNumber } from "./show-number.ts"

type MarginKeys = Extract<KeyPlan, { readonly kind: "margins" }>

/** How many groupings and groups are shown. */
export function marginGroups({ lists, sets }: MarginKeys): string {
  const groups = sets.reduce((sum, set) => sum + cellsOf(set, lists), 0)
  return `${groups} public groups of ${sets.length} groupings, all shown; they add up`
}

/** The noise, and what it means for each grouping. */
export function explainMargins(
  { spec, grid, extract }: MarginsPlan,
  release: Release,
  { confidence, unitName }: ReleasePlan,
): { readonly mechanism: string; readonly error: string } {
  const { keys } = release
  if (keys.kind !== "margins") return { mechanism: "none", error: "" }
  const step = numberNear(grid)
  const names = namesOf(release, extract)
  const nameOf = (set: readonly number[]): string =>
    set.length === 0 ? "in all" : `by ${set.map((place) => names[place] ?? "?").join(", ")}`
  const shown = keys.sets.slice(0, setsShown)
  const more = keys.sets.length > setsShown ? `; and ${keys.sets.length - setsShown} more` : ""
  const sure = `${showNumber(numberNear(confidence) * 100)} %`
  if (spec.kind === "laplace") {
    const { standardDeviation } = errorOf(spec, confidence)
    const cells = cellsOf([...keys.lists.keys()], keys.lists)
    const widths = shown.map((set) => {
      const summed = cells / cellsOf(set, keys.lists)
      return `${showNumber(standardDeviation * Math.sqrt(summed) * step)} ${nameOf(set)}`
    })
    return {
      mechanism: `Laplace noise of scale ${showNumber(numberNear(spec.scale) * step)} in each of ${cells} cells; margins are their sums`,
      error: `standard deviation ${widths.join("; ")}${more}`,
    }
  }
  if (spec.kind !== "margins") return { mechanism: "none", error: "" }
  const widths = shown.map((set) => {
    const { halfWidth } = marginError(spec, set, confidence)
    return `± ${showNumber(Number(halfWidth) * step)} ${nameOf(set)}`
  })
  return {
    mechanism: `Gaussian noise on ${spec.parts.length} parts of the table, least in all margins together; one ${unitName} adds at most ${showNumber(Number(largestOf(spec)) * step)}`,
    error: `${widths.join("; ")}${more}, at ${sure}`,
  }
}

/** More groupings are not shown one by one. */
const setsShown = 8

/** How many groups a grouping has. */
export function cellsOf(set: readonly number[], lists: MarginKeys["lists"]): number {
  return set.reduce((count, place) => count * (lists[place]?.length ?? 1), 1)
}

function largestOf({ lower, upper }: MarginsSpec): bigint {
  return -lower > upper ? -lower : upper
}

/** The names of the keys. */
export function namesOf({ extracts }: Release, index: number): readonly string[] {
  const extract = extracts[index]
  return extract === undefined ? [] : extract.keys.map((key) => columnIn(extract.rel, key).name)
}
