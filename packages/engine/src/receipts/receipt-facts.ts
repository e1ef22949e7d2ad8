// What the receipt of a plan says: gathered from the plan, nothing from the data.

import { numberNear, rational, type Rational } from "@dosimeter/core/exact"
import type {
  KeySpec,
  MechanismSpec,
  RunningTotalSpec,
  Sensitivity,
  WeightedKeysSpec,
} from "@dosimeter/core/mechanisms"
import { explain } from "@dosimeter/planner/explain/explain"
import { normWords } from "@dosimeter/planner/explain/words/norm-words"
import { formName } from "@dosimeter/planner/explain/words/totals"
import { hasChoice, specOf, type Measurement } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { ReceiptBounding, ReceiptFacts, ReceiptMechanism } from "./receipt.ts"
import { scaledTexts } from "./scaled-texts.ts"
import { library } from "./version.ts"

/** The facts of a plan's receipt. */
export function receiptFacts(plan: VerifiedPlan): ReceiptFacts {
  const { tables, releases, notes } = explain(plan)
  return {
    dataset: plan.dataset,
    unit: plan.unitName,
    neighbours: plan.neighbours,
    shown: plan.charge.shown,
    mechanisms: plan.releases.flatMap(mechanismsOf),
    bounding: plan.releases.map((release) => boundingOf(release, plan.confidence)),
    public: [
      `the names of the answer's columns: ${plan.outputNames.join(", ")}`,
      `the tables that were read: ${tables.join(", ")}`,
      ...releases.map(({ groups }) => `groups: ${groups}`),
      ...(plan.shownFrom === undefined ? [] : [`counts below ${plan.shownFrom} are not shown`]),
      ...plan.reliesOn.map(({ table, columns }) => `that ${columns.join(", ")} is a key of ${table}`),
    ],
    confidence: plan.confidence,
    notes,
    library,
    ...(plan.consent === undefined ? {} : { consent: plan.consent }),
  }
}

function boundingOf(release: Release, confidence: Rational): ReceiptBounding {
  const { groupsProof, rowsProof, ...bounds } = release.bounds
  const norm = normWords(release)
  const scaledTo = scaledTexts(release, confidence)
  return {
    ...bounds,
    ...(groupsProof === undefined ? {} : { groupsProof }),
    ...(rowsProof === undefined ? {} : { rowsProof }),
    ...(norm === undefined ? {} : { norm }),
    ...(scaledTo === undefined ? {} : { scaledTo }),
  }
}

function mechanismsOf({ keys, measurements }: Release): readonly ReceiptMechanism[] {
  const selection = keys.kind === "private" || keys.kind === "top" ? [describe("group keys", keys.spec)] : []
  return [...selection, ...measurements.map(ofMeasurement)]
}

function ofMeasurement(measurement: Measurement): ReceiptMechanism {
  const { label } = measurement
  if (measurement.kind === "linear") {
    const column = measurement.columns.length === 1 ? label : `count and sum of ${label}`
    return { ...describe(column, specOf(measurement)), grid: measurement.grid }
  }
  const chosen = describe(label, specOf(measurement))
  return hasChoice(measurement, "quantiles") ? { ...chosen, grid: measurement.choice.width } : chosen
}

function describe(column: string, spec: MechanismSpec): ReceiptMechanism {
  switch (spec.kind) {
    case "laplace":
      return {
        column,
        mechanism: "laplace",
        scale: spec.scale,
        sensitivity: showSensitivity(spec.sensitivity),
      }
    case "gaussian":
      return {
        column,
        mechanism: "gaussian",
        scale: spec.variance,
        sensitivity: showSensitivity(spec.sensitivity),
      }
    case "keys-laplace":
      return { column, mechanism: `key selection, Laplace ${showThreshold(spec)}`, scale: spec.scale }
    case "keys-gaussian":
      return { column, mechanism: `key selection, Gaussian ${showThreshold(spec)}`, scale: spec.variance }
    case "keys-weighted":
      return {
        column,
        mechanism: `key selection, Gaussian threshold ${spec.threshold} on weights`,
        scale: spec.variance,
        sensitivity: showWeights(spec),
      }
    case "keys-optimal":
      return { column, mechanism: "key selection, optimal", scale: spec.epsilonPerKey }
    case "margins":
      return {
        column,
        mechanism: `gaussian, on ${spec.parts.length} parts of a table`,
        sensitivity: `${spec.groupsPerUnit} cells from ${spec.lower} to ${spec.upper}`,
      }
    case "tree":
      return {
        column,
        mechanism: `gaussian, at ${spec.children.length + 1} levels of a tree`,
        sensitivity: `${spec.groupsPerUnit} leaves from ${spec.lower} to ${spec.upper}`,
      }
    case "quantiles":
      return {
        column,
        mechanism: `exponential, quantiles${(spec.counted ?? spec.ends) === undefined ? "" : " with intervals"}`,
        sensitivity: `${spec.groupsPerUnit} x ${spec.rowsPerUnit} rows`,
      }
    case "selection":
      return {
        column,
        mechanism: spec.method,
        sensitivity: `${spec.groupsPerUnit} x ${spec.sensitivity} rows`,
      }
    case "top-k":
    case "top-keys":
      return {
        column,
        mechanism: spec.kind === "top-k" ? "top k, exponential" : "top k, exponential with a threshold",
        scale: spec.epsilonPerChoice,
        sensitivity: `${spec.sensitivity}`,
      }
    case "running-total":
      return { column, ...describeTotals(spec) }
    case "above-threshold":
    case "randomized-response":
      return { column, mechanism: spec.kind, grid: rational(1n) }
    default:
      return spec satisfies never
  }
}

function describeTotals(spec: RunningTotalSpec): Omit<ReceiptMechanism, "column"> {
  const { noise, horizon, form, amountPerStep, stepsPerUnit } = spec
  return {
    mechanism: `running totals of ${horizon} periods, ${noise.law} noise in each ${formName(form)}`,
    scale: noise.law === "laplace" ? noise.scale : noise.variance,
    sensitivity: `${amountPerStep} in each of ${stepsPerUnit} periods`,
  }
}

/** What a unit adds to each of its groups, by their number: the first, and the last. */
function showWeights({ weights }: WeightedKeysSpec): string {
  const [first, last] = [weights[0], weights.at(-1)]
  return [first, last].map((row) => `${row?.weight} in ${row?.groups}`).join(" to ")
}

/** From where on a key is shown; its threshold may be one lower, by a coin of its own. */
function showThreshold({
  threshold,
  lowerChance,
  groupsPerUnit,
  rowsPerGroup,
}: Exclude<KeySpec, { readonly kind: "keys-optimal" }>): string {
  const chance = numberNear(lowerChance).toPrecision(3)
  const lower = lowerChance.numerator === 0n ? "" : ` (${threshold - 1n} with probability ${chance})`
  const of = rowsPerGroup === 1n ? "" : ` on counts of rows, ${groupsPerUnit} x ${rowsPerGroup}`
  return `threshold ${threshold}${lower}${of}`
}

/** Groups times amount, for each way in which a unit may change the answer. */
function showSensitivity({ patterns, norm }: Sensitivity): string {
  const shown = patterns.map((blocks) =>
    blocks.map(({ groups, amount }) => `${groups} x ${amount}`).join(" + "),
  )
  const words = shown.join(" or ")
  return norm === undefined ? words : `${words}, as the ${norm === "l1" ? "L1" : "L2"} norm over all groups`
}
