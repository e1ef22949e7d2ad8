// What was measured behind several groupings, before it was made consistent: every noisy number with the
// variance of its noise and the cells that it is of, for people who want to estimate by themselves.

import { assert } from "@dosimeter/core/errors"
import { showRational } from "@dosimeter/core/exact"
import { hasGroupings, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { JointMeasurement } from "@dosimeter/proof/algebra/released"
import type { KeptText, Ledger, Question } from "../ledger/ledger.ts"
import type { OnMeasured } from "../release/release.ts"
import type { AnswerValue } from "@dosimeter/answers/shown/answer-table"
import { answerValue } from "./answer.ts"
import { drawnNumbers } from "./strategies/published.ts"
import type { NoisyNumber } from "./strategies/strategy-answer.ts"

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
  readonly measurements: readonly NoisyNumber[]
}

/** Gathers what is measured while the releases of a plan are drawn. */
export class MeasuredTables {
  readonly #tables: MeasurementTable[] = []
  readonly #drawn = new Map<Release, JointMeasurement[]>()

  /** To be told what is measured for a release. */
  of(release: Release): OnMeasured {
    return (measured) => {
      this.#drawn.set(release, [...this.drawn(release), measured])
      this.#tables.push(tableOf(measured, release))
    }
  }

  /** What was measured together for a release, so far. */
  drawn(release: Release): JointMeasurement[] {
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

function tableOf({ measurement, noisy }: JointMeasurement, release: Release): MeasurementTable {
  const { label, grid, extract } = measurement
  const { keys } = release
  assert(hasGroupings(keys), "several groupings are measured together")
  return {
    measure: label,
    grid: showRational(grid),
    noise: specOf(measurement).kind === "laplace" ? "laplace" : "gaussian",
    axes: axesOf(keys, release, extract),
    measurements: drawnNumbers(measurement, noisy, keys),
  }
}

function axesOf(keys: GroupedKeys, { extracts }: Release, extract: number): MeasurementTable["axes"] {
  const source = extracts[extract]
  const names = (source?.keys ?? []).map(
    (key) => source?.rel.columns.find(({ id }) => id === key)?.name ?? "",
  )
  if (keys.rows !== undefined) return [{ keys: names, groups: keys.rows.map((row) => row.map(answerValue)) }]
  return keys.lists.map((list, place) => ({
    keys: names.slice(place, place + 1),
    groups: list.map((value) => [answerValue(value)]),
  }))
}
