// What a plan would do, as plain data: whose data, how it is bounded, which noise, what error to expect, what
// it costs. Reads no data, so it can be shown before anything is paid.

import { multiply, numberNear, numberUp, rational, type Rational } from "@dosimeter/core/exact"
import { errorOf, laplace, type MechanismError, type WeightedKeysSpec } from "@dosimeter/core/mechanisms"
import type {
  AdditivePlan,
  Charge,
  ConsentUse,
  MeasurePlan,
  ModePlan,
  MomentReadPlan,
  MomentsPlan,
  QuantilesPlan,
  Release,
  ReleasePlan,
  TopPlan,
} from "@dosimeter/proof/algebra/release-plan"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { inputsOf, ownScan } from "@dosimeter/proof/algebra/walk"
import { shortfallOf } from "../measures/choose-top.ts"
import { explainMargins, marginGroups } from "./explain-margins.ts"
import { explainTree, treeGroups } from "./explain-tree.ts"
import { meanHalfWidth, momentHalfWidth } from "../measures/moment-error.ts"
import { showNumber } from "./show-number.ts"
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
  /** "raw", or the prepared copies that are read. */
  readonly form: string
  readonly measures: readonly MeasureExplanation[]
}

/** What is measured, with which noise, and how far off it may be. */
export interface MeasureExplanation {
  readonly label: string
  readonly mechanism: string
  readonly error: string
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
  const { bounds } = release
  const unit = plan.unitName
  const groups = bounds.groupsProof ?? `at most ${bounds.groupsPerUnit} groups of each ${unit} count`
  const rows = bounds.rowsProof ?? `at most ${bounds.rowsPerGroup} rows of each in a group`
  return {
    groups: groupsOf(release, plan),
    bounding: `${groups}; ${rows}`,
    form: release.prepared.length === 0 ? "raw" : `prepared: ${release.prepared.join(", ")}`,
    measures: release.measures
      .filter((measure) => measure.kind !== "moment-read" || measure.isWhole)
      .map((measure) => explainMeasure(measure, release, plan)),
  }
}

function groupsOf({ keys, measures }: Release, { confidence, unitName }: ReleasePlan): string {
  switch (keys.kind) {
    case "none":
      return "one row"
    case "public": {
      const count = publicRows(keys).length
      const which = keys.rows === undefined ? "all shown" : "all that can be, by a public tree"
      return `${count} public ${count === 1 ? "group" : "groups"}, ${which}`
    }
    case "margins":
      return marginGroups(keys)
    case "tree":
      return treeGroups(keys)
    case "private": {
      const { shownFrom } = errorOf(keys.spec, confidence)
      const sure = percent(confidence)
      const shown = `keys come from the data, ${keyMethods[keys.spec.kind]}: a group of ${shownFrom} (${unitName}) is shown with ${sure} probability`
      return keys.spec.kind === "keys-weighted" ? `${shown}, ${aboutWeights(keys.spec, unitName)}` : shown
    }
    case "top":
      return topGroups(keys, measures, confidence)
    default:
      return keys satisfies never
  }
}

// Why: choosing first was found to be better than the noise of all groups in order (isTopBetter).
function topGroups({ spec, measure }: TopPlan, measures: Release["measures"], confidence: Rational): string {
  const label = measures[measure]?.label ?? ""
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

// What the size is stated for, and why a smaller one may do.
function aboutWeights({ groupsPerUnit, weights }: WeightedKeysSpec, unit: string): string {
  const [first, last] = [weights[0]?.weight ?? 1n, weights.at(-1)?.weight ?? 1n]
  const times = showNumber(Number((numberNear(rational(first, last)) || 1).toPrecision(2)))
  return `if each is in ${groupsPerUnit} groups or more; a ${unit} in fewer groups counts for more in each, up to ${times} times`
}

function explainMeasure(measure: MeasurePlan, release: Release, plan: ReleasePlan): MeasureExplanation {
  const { label } = measure
  switch (measure.kind) {
    case "additive":
      return { label: partLabel(measure), ...additive(measure, plan) }
    case "moments":
      return { label, ...momentsOf(measure, plan) }
    case "moment-read":
      return { label, ...momentReadOf(measure, release, plan) }
    case "margins":
      return {
        label: partLabel(measure),
        ...(release.keys.kind === "tree"
          ? explainTree(measure, release, plan)
          : explainMargins(measure, release, plan)),
      }
    case "quantiles":
      return { label, ...quantileOf(measure, plan) }
    case "mode":
      return { label, ...modeOf(measure, plan) }
    case "key-count": {
      if (release.keys.kind !== "private") return { label, mechanism: "none", error: "" }
      return {
        label: partLabel({ label, of: "rows" }),
        mechanism: "comes with the keys, at no further loss",
        error: keyCountError(release, plan),
      }
    }
    case "same": {
      const other = release.measures[measure.measure]
      const named = (text: string): string =>
        other?.kind === "additive" ? partLabel({ label: text, of: other.of }) : text
      return { label: named(label), mechanism: `the same as ${named(other?.label ?? "")}`, error: "" }
    }
    default:
      return measure satisfies never
  }
}

/** AVG and its kin are worked out from a sum and a number of rows: each has its own noise. */
export function partLabel({ label, of }: Pick<AdditivePlan, "label" | "of">): string {
  const isPart = !/^(SUM|COUNT|bias:)/i.test(label)
  return isPart ? `${of === "values" ? "sum" : of} for ${label}` : label
}

function additive(
  { spec, grid }: AdditivePlan,
  { confidence, unitName }: ReleasePlan,
): Omit<MeasureExplanation, "label"> {
  const { halfWidth } = errorOf(spec, confidence)
  const amounts = spec.sensitivity.patterns.flatMap((blocks) => blocks.map(({ amount }) => amount))
  const most = amounts.reduce((a, b) => (a > b ? a : b), 0n)
  const noise = spec.kind === "laplace" ? numberUp(spec.scale) : Math.sqrt(numberUp(spec.variance))
  const name = spec.kind === "laplace" ? "Laplace noise of scale" : "Gaussian noise of sigma"
  const change = numberNear(multiply(rational(most), grid))
  const size = `${name} ${showNumber(noise * numberNear(grid))}${whyGaussian(spec)}`
  return {
    mechanism: `${size}; one ${unitName} adds at most ${showNumber(change)}`,
    error: within(multiply(rational(halfWidth), grid), confidence),
  }
}

// Where epsilons are added up, Laplace noise is what one would expect.
function whyGaussian(spec: AdditivePlan["spec"]): string {
  if (spec.kind !== "gaussian" || spec.epsilon === undefined) return ""
  const { sensitivity, epsilon, variance } = spec
  const other = errorOf(laplace({ sensitivity, epsilon }), rational(1n, 2n)).standardDeviation ** 2
  return ` (variance ${showNumber(numberUp(variance))}, and ${showNumber(other)} of Laplace noise at this epsilon)`
}

function momentsOf(
  measure: MomentsPlan,
  { confidence, unitName }: ReleasePlan,
): Omit<MeasureExplanation, "label"> {
  const { spec, squares } = measure
  const amounts = spec.sensitivity.patterns.flatMap((blocks) => blocks.map(({ amount }) => amount))
  const most = numberNear(rational(amounts.reduce((a, b) => (a > b ? a : b), 1n)))
  const noise = spec.kind === "laplace" ? numberUp(spec.scale) : Math.sqrt(numberUp(spec.variance))
  const name = spec.kind === "laplace" ? "Laplace noise of scale" : "Gaussian noise of sigma"
  const reading = (reads: MomentsPlan["reads"]): string =>
    showNumber(numberUp(momentHalfWidth(measure, { reads, isWhole: false }, confidence)))
  const mean = showNumber(numberUp(meanHalfWidth(measure, confidence)) / 1000)
  const first = measure.isWhole ? `sum ± ${reading("sum")}` : `mean ± ${mean} of 1,000 values`
  const given = squares === undefined ? "count and sum" : "count, sum and squares"
  return {
    mechanism: `${given} in one vector (${measure.basis}); ${name} ${showNumber(noise / most)} times what one ${unitName} adds`,
    error: `${first}, count ± ${reading("rows")} at ${percent(confidence)}`,
  }
}

function momentReadOf(
  read: MomentReadPlan,
  { measures }: Release,
  { confidence }: ReleasePlan,
): Omit<MeasureExplanation, "label"> {
  const source = measures[read.measure]
  if (source?.kind !== "moments") return { mechanism: "none", error: "" }
  return {
    mechanism: `from the vector of ${source.label}, at no further loss`,
    error: within(momentHalfWidth(source, read, confidence), confidence),
  }
}

function keyCountError({ keys }: Release, { confidence }: ReleasePlan): string {
  if (keys.kind !== "private" || keys.spec.kind === "keys-optimal") return ""
  if (keys.spec.kind === "keys-weighted") return ""
  const noise =
    keys.spec.kind === "keys-laplace" ? numberUp(keys.spec.scale) : Math.sqrt(numberUp(keys.spec.variance))
  return `noise of about ${showNumber(noise)}, ${percent(confidence)} interval with the answer`
}

function quantileOf({ spec, width }: QuantilesPlan, plan: ReleasePlan): Omit<MeasureExplanation, "label"> {
  const error: MechanismError = errorOf(spec, plan.confidence)
  const ranks = error.kind === "rank" ? `${error.units}` : "?"
  const shifts = (spec.counted ?? spec.ends)?.shifts ?? []
  const shift = shifts.reduce((a, b) => (a > b ? a : b), 0n)
  const sure = `${percent(plan.confidence)} sure`
  return {
    mechanism: `exponential mechanism on ${spec.cells} cells of ${showNumber(numberNear(width))}${inTurn(spec)}`,
    error:
      shifts.length === 0
        ? `off by at most ${ranks} rows of the order, ${sure}`
        : `an interval of about ${shift} rows of the order to either side, ${sure}`,
  }
}

// Why this way: it has the nearer ends, by the number of cells, the quantiles and the loss.
function inTurn({ quantiles, counted }: QuantilesPlan["spec"]): string {
  const turn = quantiles.length > 1 ? `, ${quantiles.length} in turn` : ""
  const noise = counted?.noise.law === "laplace" ? "Laplace" : "Gaussian"
  return counted === undefined ? turn : `${turn}; ends of intervals proven by counts with ${noise} noise`
}

function modeOf({ spec }: ModePlan, plan: ReleasePlan): Omit<MeasureExplanation, "label"> {
  const error: MechanismError = errorOf(spec, plan.confidence)
  const short = error.kind === "choice" ? `${error.shortfall}` : "?"
  return {
    mechanism: `${spec.method} among ${spec.candidates} values`,
    error: `at most ${short} rows less frequent than the best, ${percent(plan.confidence)} sure`,
  }
}

function within(halfWidth: Rational, confidence: Rational): string {
  return `± ${showNumber(numberUp(halfWidth))} at ${percent(confidence)}`
}

function percent(share: Rational): string {
  return `${showNumber(numberNear(multiply(share, rational(100n))))} %`
}
