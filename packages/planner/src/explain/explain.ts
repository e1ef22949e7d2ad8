// What a plan would do, as plain data: whose data, how it is bounded, which noise, what error to expect, what
// it costs. Reads no data, so it can be shown before anything is paid.

import { numberNear, numberUp, rational, type Rational } from "@dosimeter/core/exact"
import { errorOf, type AnyKeySpec, type WeightedKeysSpec } from "@dosimeter/core/mechanisms"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import {
  hasStrategy,
  isWeighed,
  type LinearMeasurement,
  type LinearReading,
  type MeasuredColumn,
  type Reading,
} from "@dosimeter/proof/algebra/measurement"
import type { Charge, ConsentUse, Release, ReleasePlan, TopPlan } from "@dosimeter/proof/algebra/release-plan"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { inputsOf, ownScan } from "@dosimeter/proof/algebra/walk"
import { shortfallOf } from "../aggregates/choose-top.ts"
import { linearHalfWidth } from "../aggregates/errors/reading-errors.ts"
import { groupingWords } from "./words/groupings.ts"
import { normWords } from "./words/norm-words.ts"
import { measurementWords } from "./words/measurement-words.ts"
import { percent, withinWords, type MeasurementWords } from "./words/common.ts"
import { showNumber } from "./words/show-number.ts"
import { whyNoise } from "./why-noise.ts"

/** What a plan would do. */
export interface Explanation {
  readonly dataset: string
  readonly unitName: string
  readonly neighbours: ReleasePlan["neighbours"]
  /** The tables that are read, with what they are: "visits (private)". */
  readonly tables: readonly string[]
  readonly releases: readonly ReleaseExplanation[]
  readonly charge: Charge
  readonly confidence: Rational
  readonly notes: readonly string[]
  /** Whose rows are read, in words, where people decide that. */
  readonly consent?: string
}

/** What one release would do. */
export interface ReleaseExplanation {
  readonly groups: string
  readonly bounding: string
  /** Where units are scaled: to the norm of groups and rows, or to one that a ladder chose. */
  readonly scaled?: "fixed" | "learnt"
  /** "raw", or the prepared copies that are read. */
  readonly form: string
  readonly aggregates: readonly ReadingExplanation[]
}

/** What is measured, with which noise, and how far off it may be. */
export interface ReadingExplanation extends MeasurementWords {
  readonly label: string
}

/** Explains a plan. */
export function explain(plan: ReleasePlan): Explanation {
  const { dataset, unitName, neighbours, charge, confidence } = plan
  const read = new Map<string, string>()
  for (const rel of [...plan.releases.flatMap(({ extracts }) => extracts.map((one) => one.rel)), plan.post]) {
    collectTables(rel, read)
  }
  const relies = plan.reliesOn.map(
    ({ table, columns }) => `the proof rests on the declared key ${table}(${columns.join(", ")})`,
  )
  return {
    dataset,
    unitName,
    neighbours,
    tables: [...read].map(([name, kind]) => `${name} (${kind})`),
    releases: plan.releases.map((release) => explainRelease(release, plan)),
    charge,
    confidence,
    notes: [...plan.notes, ...whyNoise(plan), ...relies],
    ...(plan.consent === undefined ? {} : { consent: showConsent(plan.consent, unitName) }),
  }
}

/** Whose rows are read, in words. */
export function showConsent({ mode, purposes, version }: ConsentUse, unit: string): string {
  const who = mode === "required" ? `each ${unit} that agreed` : `each ${unit} but those that withdrew`
  const what = purposes.length === 0 ? "the purposes of the study" : purposes.join(", ")
  return `${who}, for ${what} (version ${version})`
}

function collectTables(rel: Rel, found: Map<string, string>): void {
  const table = ownScan(rel)?.table
  if (table !== undefined) found.set(table.name, table.unit.kind === "public" ? "public" : "private")
  for (const input of inputsOf(rel)) collectTables(input, found)
}

function explainRelease(release: Release, plan: ReleasePlan): ReleaseExplanation {
  return {
    groups: groupsOf(release, plan),
    bounding: boundingWords(release, plan.unitName),
    ...scaledTo(release),
    form: release.prepared.length === 0 ? "raw" : `prepared: ${release.prepared.join(", ")}`,
    aggregates: explainReadings(release, plan),
  }
}

function scaledTo({ bounds: { scaled } }: Release): Pick<ReleaseExplanation, "scaled"> {
  if (scaled === undefined) return {}
  return { scaled: scaled.beyond === undefined ? "fixed" : "learnt" }
}

/** How much of a unit counts. */
function boundingWords(release: Release, unit: string): string {
  const { bounds, measurements } = release
  const groups = bounds.groupsProof ?? `at most ${bounds.groupsPerUnit} groups of each ${unit} count`
  const rows = bounds.rowsProof ?? `at most ${bounds.rowsPerGroup} rows of each in a group`
  if (bounds.scaled === undefined) return `${groups}; ${rows}`
  const each = bounds.rowsProof === undefined ? `${bounds.rowsPerGroup} rows` : "one row"
  const all = bounds.groupsPerUnit === 1n ? each : `${each} in each of ${bounds.groupsPerUnit} groups`
  const isJoint = hasGroupings(release.keys)
  const length = bounds.scaled.norm === "l1" ? `what ${all} add up to` : `the length of ${all}`
  const usual = isJoint ? `what ${all} change in all groupings together` : length
  // Of weighed histograms groups and rows are proven; of sums and counts the norm is.
  const size = normWords(release) ?? usual
  const averaged = measurements.find((one) => hasStrategy(one, "scaled"))?.strategy.rowsPerGroup
  const counted =
    averaged === undefined
      ? `all rows of each ${unit} count`
      : `at most ${averaged} rows of each ${unit} in a group count`
  const scaled = `${counted}, scaled down where they are more than ${size}`
  if (release.keys.kind === "private" && bounds.groupsProof === undefined)
    return `${scaled}; keys are selected by at most ${bounds.groupsPerUnit} groups of each`
  return isJoint || measurements.every((one) => hasStrategy(one, "scaled") || isWeighed(one))
    ? scaled
    : `${scaled}; else ${groups}; ${rows}`
}

function groupsOf({ keys, readings }: Release, { confidence, unitName }: ReleasePlan): string {
  switch (keys.kind) {
    case "none":
      return "one row"
    case "public": {
      if (hasGroupings(keys)) return groupingWords(keys)
      const count = publicRows(keys).length
      const which = keys.rows === undefined ? "all shown" : "all that can be"
      return `${count} public ${count === 1 ? "group" : "groups"}, ${which}`
    }
    case "private": {
      const { shownFrom } = errorOf(keys.spec, confidence)
      const sure = percent(confidence)
      const size = countsRows(keys.spec) ? `${shownFrom} rows` : `${shownFrom} (${unitName})`
      const shown = `keys come from the data, ${methodOf(keys.spec)}: a group of ${size} is shown with ${sure} probability`
      return keys.spec.kind === "keys-weighted" ? `${shown}, ${aboutWeights(keys.spec, unitName)}` : shown
    }
    case "top":
      return topGroups(keys, readings, confidence)
    default:
      return keys satisfies never
  }
}

// Why: choosing first was found to be better than the noise of all groups in order (isTopBetter).
function topGroups({ spec, reading }: TopPlan, readings: Release["readings"], confidence: Rational): string {
  const label = readings[reading]?.label ?? ""
  const sure = percent(confidence)
  const [which, they] = spec.k === 1n ? ["largest", "it is"] : [`${spec.k} largest`, "they are"]
  const first = `the ${which} by ${label}, chosen first, so that only ${they} measured`
  if (spec.kind === "top-k") {
    const short = showNumber(shortfallOf(spec, spec.candidates, confidence))
    return `${first}: of ${spec.candidates} public groups, at most ${short} below what was left out, ${sure} sure`
  }
  const { shownFrom } = errorOf(spec, confidence)
  return `${first}: keys come from the data, and one of ${shownFrom} is let in with ${sure} probability`
}

/** Of the methods within the loss, the one that hides the least, or gives the count with the least noise. */
const keyMethods = {
  "keys-optimal": "by optimal keep probabilities",
  "keys-laplace": "by a Laplace threshold",
  "keys-gaussian": "by a Gaussian threshold",
  "keys-weighted": "by a Gaussian threshold on weights",
} as const

function methodOf(spec: AnyKeySpec): string {
  return countsRows(spec) ? `${keyMethods[spec.kind]} on their counts` : keyMethods[spec.kind]
}

// Whether keys are selected by rows. One row of each is as good as one of each.
function countsRows(spec: AnyKeySpec): boolean {
  return "rowsPerGroup" in spec && spec.rowsPerGroup > 1n
}

// What the size is stated for, and why a smaller one may do.
function aboutWeights({ groupsPerUnit, weights }: WeightedKeysSpec, unit: string): string {
  const [first, last] = [weights[0]?.weight ?? 1n, weights.at(-1)?.weight ?? 1n]
  const times = showNumber(Number((numberNear(rational(first, last)) || 1).toPrecision(2)))
  return `if each is in ${groupsPerUnit} groups or more; a ${unit} in fewer groups counts for more in each, up to ${times} times`
}

// What is only worked with is not shown.
function explainReadings(release: Release, plan: ReleasePlan): readonly ReadingExplanation[] {
  return release.readings.flatMap((reading) => explainReading(reading, release, plan) ?? [])
}

function explainReading(
  reading: Reading,
  release: Release,
  plan: ReleasePlan,
): ReadingExplanation | undefined {
  const { label } = reading
  switch (reading.kind) {
    case "linear":
      return explainLinear(reading, release, plan)
    case "chosen": {
      const source = release.measurements[reading.measurement]
      if (source === undefined || reading.part > 0) return undefined
      return { label, ...measurementWords(source, { release, plan }) }
    }
    case "key-count":
      return {
        label: partLabel({ label, of: "rows" }),
        mechanism: "comes with the keys, at no further loss",
        error: keyCountWords(release, plan),
      }
    default:
      return reading satisfies never
  }
}

function explainLinear(
  reading: LinearReading,
  release: Release,
  plan: ReleasePlan,
): ReadingExplanation | undefined {
  const source = release.measurements[reading.measurement]
  const column = source?.kind === "linear" ? source.columns[reading.column] : undefined
  if (source?.kind !== "linear" || column === undefined) return undefined
  const isAlone = source.columns.length === 1
  const named = (label: string): string => (isAlone ? partLabel({ label, of: column.of }) : label)
  const label = named(reading.label)
  if (payerOf(source, release) === reading) return { label, ...measurementWords(source, { release, plan }) }
  if (isAlone) {
    const same = hasGroupings(release.keys)
      ? { label: reading.label, other: source.label }
      : { label, other: named(source.label) }
    return { label: same.label, mechanism: `the same as ${same.other}`, error: "" }
  }
  const width = linearHalfWidth(source, reading, plan.confidence)
  if (!reading.isWhole || width === undefined) return undefined
  return {
    label,
    mechanism: `from the vector of ${source.label}, at no further loss`,
    error: withinWords(width, plan.confidence),
  }
}

/** The reading of the aggregate that pays for a measurement: its sum, where there are several columns. */
export function payerOf(source: LinearMeasurement, { measurements, readings }: Release): Reading | undefined {
  const isAlone = source.columns.length === 1
  return readings.find(
    (one) =>
      one.kind === "linear" &&
      measurements[one.measurement] === source &&
      one.label === source.label &&
      (isAlone || source.columns[one.column]?.of === "values"),
  )
}

/** AVG and its kin are worked out from a sum and a number of rows: each has its own noise. */
export function partLabel({ label, of }: Pick<Reading, "label"> & Pick<MeasuredColumn, "of">): string {
  const isPart = !/^(SUM|COUNT)/i.test(label)
  return isPart ? `${of === "values" ? "sum" : of} for ${label}` : label
}

function keyCountWords({ keys }: Release, { confidence }: ReleasePlan): string {
  if (keys.kind !== "private" || keys.spec.kind === "keys-optimal") return ""
  if (keys.spec.kind === "keys-weighted") return ""
  const noise =
    keys.spec.kind === "keys-laplace" ? numberUp(keys.spec.scale) : Math.sqrt(numberUp(keys.spec.variance))
  return `noise of about ${showNumber(noise)}, ${percent(confidence)} interval with the answer`
}
