// What was measured behind several groupings, before it was made consistent: every noisy number with the
// variance of its noise and the cells that it is of, for people who want to estimate by themselves.

import { assert } from "@dosimeter/core/errors"
import { numberNear, showRational, type Rational } from "@dosimeter/core/exact"
import {
  errorOf,
  leavesBelow,
  marginPartVariances,
  siblingSplits,
  splitsOf,
  treeDrawVariances,
  type LaplaceSpec,
  type MarginsSpec,
  type TreeSpec,
} from "@dosimeter/core/mechanisms"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { MarginsPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import type { MeasuredTogether } from "@dosimeter/answers/reuse/joint-table"
import type { KeptText, Ledger, Question } from "../ledger/ledger.ts"
import type { OnMeasured } from "../release/release-margins.ts"
import type { AnswerValue } from "@dosimeter/answers/shown/answer-table"
import { answerValue } from "./answer.ts"

/**
 * The measurements of one measure. A measurement is the sum over all cells of value times factor, plus
 * noise; the factor of a cell is the product over the axes of that of its place.
 */
export interface MeasurementTable {
  readonly measure: string
  /** What a step is worth: values are whole numbers of steps. */
  readonly grid: string
  readonly noise: "gaussian" | "laplace"
  /** The finest table: its cells are the combinations of one group from each axis. */
  readonly axes: readonly {
    readonly keys: readonly string[]
    readonly groups: readonly (readonly AnswerValue[])[]
  }[]
  readonly measurements: readonly Measurement[]
}

/** One noisy number. */
export interface Measurement {
  /**
   * For each axis null, if all of its places have the factor 1; or [from, middle, to, plus, minus]: plus at
   * the places from `from` to before `middle`, -minus from there to before `to`, 0 elsewhere.
   */
  readonly over: readonly (Comparison | null)[]
  /** In steps. */
  readonly value: string
  /** Of its noise, in squared steps; of a Gaussian before it was rounded to whole steps. */
  readonly variance: number
}

type Comparison = readonly [from: number, middle: number, to: number, plus: string, minus: string]

/** Gathers what is measured while the releases of a plan are drawn. */
export class MeasuredTables {
  readonly #tables: MeasurementTable[] = []
  readonly #drawn = new Map<Release, MeasuredTogether[]>()

  /** To be told what is measured for a release. */
  of(release: Release): OnMeasured {
    return (measured) => {
      this.#drawn.set(release, [...this.drawn(release), measured])
      this.#tables.push(tableOf(measured, release))
    }
  }

  /** What was measured together for a release, so far. */
  drawn(release: Release): MeasuredTogether[] {
    return this.#drawn.get(release) ?? []
  }

  /** For the ledger: nothing where nothing was measured together. */
  texts(question: Question): readonly KeptText[] {
    if (this.#tables.length === 0) return []
    const text = JSON.stringify({ format, tables: this.#tables })
    return [{ subject: measurementSubject(question), text }]
  }
}

const format = "dosimeter-measurements/1"

/** What the measurements of a question are found by. */
export function measurementSubject({ planHash, dataVersion }: Question): string {
  return `measurements ${planHash} ${dataVersion}`
}

/** What was measured for a charge, as it was recorded; undefined if nothing was measured together. */
export async function findMeasurements(
  ledger: Pick<Ledger, "kept">,
  charge: Question & { readonly position: bigint },
): Promise<string | undefined> {
  const found = await ledger.kept(measurementSubject(charge))
  return found.find((one) => one.charge === charge.position)?.text
}

function tableOf({ measure, noisy }: MeasuredTogether, release: Release): MeasurementTable {
  const { label, grid, spec } = measure
  return {
    measure: label,
    grid: showRational(grid),
    noise: spec.kind === "laplace" ? "laplace" : "gaussian",
    axes: axesOf(measure, release),
    measurements: measurementsOf(measure, noisy, release),
  }
}

function axesOf({ extract }: MarginsPlan, { keys, extracts }: Release): MeasurementTable["axes"] {
  const source = extracts[extract]
  const names = (source?.keys ?? []).map(
    (key) => source?.rel.columns.find(({ id }) => id === key)?.name ?? "",
  )
  if (keys.kind === "tree")
    return [{ keys: names, groups: publicRows(keys).map((row) => row.map(answerValue)) }]
  assert(keys.kind === "margins", "several groupings are margins or a tree")
  return keys.lists.map((list, place) => ({
    keys: names.slice(place, place + 1),
    groups: list.map((value) => [answerValue(value)]),
  }))
}

function measurementsOf(
  { spec }: MarginsPlan,
  noisy: readonly (readonly bigint[])[],
  { keys }: Release,
): readonly Measurement[] {
  switch (spec.kind) {
    case "laplace": {
      const sizes = keys.kind === "margins" ? keys.lists.map((list) => list.length) : [noisy[0]?.length ?? 0]
      return ofCells(spec, sizes, noisy[0] ?? [])
    }
    case "margins":
      return ofParts(spec, noisy)
    case "tree":
      return ofLevels(spec, noisy)
    default:
      return spec satisfies never
  }
}

/** Every cell by itself. */
function ofCells(
  spec: LaplaceSpec,
  sizes: readonly number[],
  noisy: readonly bigint[],
): readonly Measurement[] {
  const variance = errorOf(spec, "0.5").standardDeviation ** 2
  return noisy.map((value, cell) => ({ over: placesOf(sizes, cell).map(one), value: `${value}`, variance }))
}

function placesOf(sizes: readonly number[], cell: number): readonly number[] {
  let left = cell
  return sizes
    .toReversed()
    .map((size) => {
      const place = left % size
      left = Math.floor(left / size)
      return place
    })
    .toReversed()
}

function one(place: number): Comparison {
  return [place, place + 1, place + 1, "1", "0"]
}

/** The comparisons of each part: within its attributes, over the sum of all others. */
function ofParts(
  { sizes, parts }: MarginsSpec,
  noisy: readonly (readonly bigint[])[],
): readonly Measurement[] {
  return parts.flatMap((part, index) => {
    const variances = marginPartVariances(sizes, part)
    const own = part.attributes.reduce<readonly (readonly (Comparison | null)[])[]>(
      (rows, attribute) => {
        const splits = splitsOf(Number(sizes[attribute] ?? 1n)).map(
          ({ from, middle, to, left, right }): Comparison => [from, middle, to, `${right}`, `${left}`],
        )
        return rows.flatMap((row) => splits.map((split) => row.with(attribute, split)))
      },
      [sizes.map(() => null)],
    )
    return own.map((over, place) => measurement(over, noisy[index]?.[place], variances[place]))
  })
}

/** The total, and the comparisons of siblings at each level, over the leaves below them. */
function ofLevels(spec: TreeSpec, noisy: readonly (readonly bigint[])[]): readonly Measurement[] {
  const variances = treeDrawVariances(spec)
  const total = measurement([null], noisy[0]?.[0], variances[0]?.[0])
  const below = leavesBelow(spec)
  const compared = spec.children.flatMap((_, level) => {
    const starts = [0]
    for (const leaves of below[level + 1] ?? []) starts.push((starts.at(-1) ?? 0) + leaves)
    const at = (node: number): number => starts[node] ?? 0
    return siblingSplits(spec, level).map(({ from, middle, to, left, right }, place) =>
      measurement(
        [[at(from), at(middle), at(to), `${right}`, `${left}`]],
        noisy[level + 1]?.[place],
        variances[level + 1]?.[place],
      ),
    )
  })
  return [total, ...compared]
}

function measurement(
  over: Measurement["over"],
  value: bigint | undefined,
  variance: Rational | undefined,
): Measurement {
  assert(value !== undefined && variance !== undefined, "every comparison was measured")
  return { over, value: `${value}`, variance: numberNear(variance) }
}
