// Ways to spoil the mechanisms, the charge and the post-processing of a plan.

import { rational, zero, type Rational } from "@dosimeter/core/exact"
import { endShift, type GaussianSpec, type LaplaceSpec, type Sensitivity } from "@dosimeter/core/mechanisms"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Scan } from "@dosimeter/proof/algebra/rel"
import { hasChoice, type Choice } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import {
  drawnAgain,
  mapRel,
  withMeasurements,
  withReading,
  withRelease,
  withStrategies,
} from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

type Change = Corruption["change"]
type KeySpec = Extract<Release["keys"], { readonly kind: "private" }>["spec"]

/** Specs that promise more than they keep: rejected, whatever is charged for them. */
export const falseSpecs: readonly Corruption[] = [
  ...each(["count", "byWard", "bySex", "distinct", "path"], "half the sensitivity", sensitivity(halved)),
  ...each(["byWard", "distinct"], "fewer groups", sensitivity(fewerGroups)),
  ...each(["count", "byWard"], "other neighbours", sensitivity(otherNeighbours)),
  ...each(
    ["count", "byWard"],
    "no patterns",
    sensitivity((one) => ({ ...one, patterns: [] })),
  ),
  ...each(["count", "byWard"], "no noise", additive({ variance: zero, scale: zero })),
  ...each(["count"], "negative noise", additive({ variance: rational(-5n), scale: rational(-5n) })),
  ...each(["byCode"], "keys: fewer groups", keys({ groupsPerUnit: 1n })),
  ...each(["byCode"], "keys: no groups", keys({ groupsPerUnit: 0n })),
  ...each(["byCode"], "keys: other neighbours", keys({ neighbours: "replace" })),
  ...each(["byCode"], "keys: no noise", keys({ variance: zero })),
  ...each(["byCode"], "keys: negative noise", keys({ variance: rational(-5n) })),
  ...each(
    ["byCode"],
    "keys: a threshold that is lower with a negative chance",
    keys({ lowerChance: rational(-1n) }),
  ),
  ...each(["byCode"], "keys: a threshold that is lower for sure", keys({ lowerChance: rational(1n) })),
  ...each(["byCode"], "keys counted in another column", unitsColumn),
  ...each(["byCode", "median"], "private keys shown as they are", (plan) =>
    withRelease(plan, (release) => ({ ...release, keys: { kind: "none" } })),
  ),
  ...each(["byWard"], "keys that are not listed", (plan) =>
    withRelease(plan, (release) => ({ ...release, keys: { kind: "public", lists: [] } })),
  ),
  ...each(["median"], "quantiles: fewer rows", quantiles({ rowsPerUnit: 1n })),
  ...each(["median"], "quantiles: fewer groups", quantiles({ groupsPerUnit: 1n })),
  ...each(["mode"], "mode: no groups", mode({ groupsPerUnit: 0n })),
  ...each(["median"], "quantiles: no rows", quantiles({ rowsPerUnit: 0n })),
  ...each(["median"], "quantiles: fewer cells", quantiles({ cells: 2n })),
  ...each(["median"], "quantiles: other neighbours", quantiles({ neighbours: "replace" })),
  ...each(
    ["median"],
    "quantiles: a negative loss",
    quantiles({ tree: { which: 0, epsilon: rational(-1n) } }),
  ),
  ...each(
    ["median"],
    "quantiles: another draw",
    quantiles({ tree: { which: 1, epsilon: rational(1n, 9n) } }),
  ),
  ...each(["median"], "quantiles: ends with a negative loss", ends({ epsilonPerEnd: rational(-1n) })),
  ...each(["median"], "quantiles: intervals that fail too often", ends({ miss: rational(1n, 2n) })),
  ...each(["median"], "quantiles: ends too near", ends({ shifts: [1n] })),
  ...each(["median"], "quantiles: ends without a place", ends({ shifts: [] })),
  ...each(
    ["median"],
    "quantiles: counted ends with a negative loss",
    counted({ epsilonPerEnd: rational(-1n) }),
  ),
  ...each(
    ["median"],
    "quantiles: counts without noise",
    counted({ noise: { law: "laplace", scale: rational(0n) } }),
  ),
  ...each(["median"], "quantiles: counts that fail too often", counted({ miss: rational(1n, 2n) })),
  ...each(["median"], "quantiles: counted ends without a place", counted({ shifts: [] })),
  ...each(["median"], "quantiles: counted ends inside", counted({ shifts: [0n] })),
  ...each(["median"], "quantiles: two kinds of ends", quantiles({ counted: fairCounts() })),
  ...each(["mode"], "mode: fewer rows", mode({ sensitivity: 1n })),
  ...each(["mode"], "mode: no rows", mode({ sensitivity: 0n })),
  ...each(["mode"], "mode: fewer candidates", mode({ candidates: 1n })),
  ...each(["mode"], "mode: a negative loss", mode({ epsilon: rational(-1n) })),
]

/** Specs that cost more than is charged, and would be honest otherwise. */
export const unpaidSpecs: readonly Corruption[] = [
  ...each(
    ["count", "byWard"],
    "less noise",
    additive({ variance: rational(1n, 100n), scale: rational(1n, 100n) }),
  ),
  ...each(["byCode"], "keys: a lower threshold", keys({ threshold: 1n })),
  ...each(["byCode"], "keys: a lower threshold more often", keys({ lowerChance: rational(9999n, 10_000n) })),
  ...each(["byCode"], "keys: less noise", keys({ variance: rational(1n, 100n) })),
  ...each(["median"], "quantiles: more certain", quantiles({ tree: { which: 0, epsilon: rational(100n) } })),
  ...each(["median"], "quantiles: more certain ends", nearerEnds),
  ...each(["median"], "quantiles: counts nobody paid for", counted({})),
  ...each(["mode"], "mode: more certain", mode({ epsilon: rational(100n) })),
]

/** What holds for adding and removing only. */
export const replaceCorruptions: readonly Corruption[] = [
  ...each(["count", "byWard", "bySex", "joined"], "the sensitivity of removal", sensitivity(ofRemoval)),
  ...each(["byWard", "byCode", "path"], "half the sensitivity", sensitivity(halved)),
  ...each(
    ["byWard"],
    "one pattern of two",
    sensitivity((one) => ({ ...one, patterns: one.patterns.slice(0, 1) })),
  ),
  ...each(["median"], "quantiles: the neighbours of removal", quantiles({ neighbours: "add-or-remove" })),
  ...each(["median"], "quantiles: groups of one side", quantiles({ groupsPerUnit: 2n })),
  ...each(["mode"], "mode: scores that move one way", mode({ scores: "monotone" })),
  ...each(["count", "mode", "median"], "the neighbours of removal", (plan) => ({
    ...plan,
    neighbours: "add-or-remove",
  })),
]

/** What is charged, repeated, relied on and shown. */
export const planCorruptions: readonly Corruption[] = [
  ...each(["count", "byCode", "median"], "a smaller charge", charge({ amount: rational(1n, 10n ** 9n) })),
  ...each(["count"], "no charge", charge({ amount: zero })),
  ...each(["byCode", "distinct"], "no delta", charge({ delta: zero })),
  ...each(["count", "byWard"], "charged as epsilon", charge({ accounting: "gdp" })),
  ...each(["byWard", "bySex", "byCode"], "the last aggregate taken again, unpaid", repeatLast),
  ...each(["count", "byWard"], "a number that was not drawn", undrawn),
  ...each(["count", "byWard"], "a number of a later measurement", readFrom(7)),
  ...each(["count", "byWard"], "a number of no measurement", readFrom(-1)),
  ...each(["count", "byWard"], "a column that was not measured", readColumn),
  ...each(["count", "byWard", "median"], "a measurement that nobody reads", unread),
  ...each(["median", "mode"], "a value that was not chosen", readPart),
  ...each(["count", "byWard"], "a number read as if it were chosen", readAsChosen),
  ...each(["count", "byWard"], "a count that keys do not give", (plan) =>
    withReading(plan, ({ label }) => ({ kind: "key-count", label })),
  ),
  ...each(["byWard", "bySex"], "a column with another sensitivity", otherColumn),
  ...each(["byWard", "byCode"], "a key as an aggregate", keyColumn),
  ...each(["count", "median", "mode"], "an extract that is not there", otherExtract(5)),
  ...each(["byCode"], "another release unpaid", (plan) => ({
    ...plan,
    releases: [...plan.releases, ...plan.releases],
  })),
  ...each(["byWard"], "an aggregate too many", (plan) =>
    withRelease(plan, (release) => release.measurements.reduce(drawnAgain, release)),
  ),
  ...each(["bySex", "path"], "keys that it does not say it relies on", (plan) => ({ ...plan, reliesOn: [] })),
  ...each(["count", "byCode", "median", "mode"], "other neighbours", (plan) => ({
    ...plan,
    neighbours: "replace",
  })),
  ...each(["count"], "other names", (plan) => ({ ...plan, outputNames: ["a", "b", "c"] })),
  ...each(
    ["post"],
    "another release in post-processing",
    released((rel) => ({ ...rel, release: 3 })),
  ),
  ...each(
    ["post"],
    "other columns in post-processing",
    released((rel) => ({ ...rel, columns: rel.columns.slice(1) })),
  ),
]

/** People in the post-processing: as they are, and in disguise. */
export function postCorruptions(catalog: Catalog): readonly Corruption[] {
  const visits = catalog.tables.find(({ name }) => name === "visits")
  if (visits === undefined) throw new Error("the clinic has visits")
  const scan = (table: Scan["table"]): Scan => ({
    kind: "scan",
    table,
    sources: table.columns.slice(0, 1),
    columns: table.columns.slice(0, 1).map(({ name, domain }) => ({ id: 7777, name, domain })),
  })
  const instead =
    (table: Scan["table"]): Change =>
    (plan) => ({ ...plan, post: scan(table), outputNames: ["x"] })
  const masked = { ...visits, unit: { kind: "public" } } as const
  return [
    ...each(["count"], "people in post-processing", instead(visits)),
    ...each(["count"], "people in disguise in post-processing", instead(masked)),
    ...each(["count"], "another name for people in post-processing", instead({ ...masked, name: "codes" })),
    ...each(["post"], "a public table that reads people", (plan) => ({
      ...plan,
      post: mapRel(plan.post, (rel) =>
        rel.kind === "scan" ? { ...rel, table: { ...rel.table, path: visits.path } } : rel,
      ),
    })),
  ]
}

function each(questions: readonly ClinicQuestion[], name: string, change: Change): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change }))
}

function sensitivity(change: (sensitivity: Sensitivity) => Sensitivity): Change {
  const changed = <Spec extends LaplaceSpec | GaussianSpec>(spec: Spec): Spec => ({
    ...spec,
    sensitivity: change(spec.sensitivity),
  })
  return (plan) =>
    withStrategies(
      withStrategies(plan, "identity", (one) => ({
        ...one,
        strategy: { ...one.strategy, spec: changed(one.strategy.spec) },
      })),
      "scaled",
      (one) => ({ ...one, strategy: { ...one.strategy, spec: changed(one.strategy.spec) } }),
    )
}

// A single unit's 1 becomes 0: no smaller sensitivity exists.
function halved(one: Sensitivity): Sensitivity {
  const patterns = one.patterns.map((blocks) =>
    blocks.map((block) => ({ ...block, amount: block.amount / 2n })),
  )
  return { ...one, patterns }
}

function fewerGroups(one: Sensitivity): Sensitivity {
  return { ...one, patterns: one.patterns.map((blocks) => blocks.map((block) => ({ ...block, groups: 1n }))) }
}

function otherNeighbours(one: Sensitivity): Sensitivity {
  return { ...one, neighbours: one.neighbours === "replace" ? "add-or-remove" : "replace" }
}

function ofRemoval(one: Sensitivity): Sensitivity {
  const patterns = one.patterns.slice(0, 1).map((blocks) => blocks.map((block) => ({ ...block, groups: 1n })))
  return { ...one, neighbours: "add-or-remove", patterns }
}

function additive({ variance, scale }: { readonly variance: Rational; readonly scale: Rational }): Change {
  return (plan) =>
    withStrategies(plan, "identity", (one) => {
      const { spec } = one.strategy
      const noise = spec.kind === "laplace" ? { ...spec, scale } : { ...spec, variance }
      return { ...one, strategy: { ...one.strategy, spec: noise } }
    })
}

function keys(change: Partial<Extract<KeySpec, { readonly kind: "keys-gaussian" }>>): Change {
  return (plan) =>
    withRelease(plan, (release) =>
      release.keys.kind === "private" && release.keys.spec.kind === "keys-gaussian"
        ? { ...release, keys: { ...release.keys, spec: { ...release.keys.spec, ...change } } }
        : release,
    )
}

// The first column of sums in place of the number of units.
function unitsColumn(plan: ReleasePlan): ReleasePlan {
  return withRelease(plan, (release) => {
    const [first] = release.extracts[0]?.values ?? []
    if (release.keys.kind !== "private" || first === undefined) return release
    return { ...release, keys: { ...release.keys, units: first } }
  })
}

type QuantilesSpec = Choice<"quantiles">["spec"]
type ModeSpec = Choice<"mode">["spec"]

function onQuantiles(change: (spec: QuantilesSpec) => QuantilesSpec): Change {
  return (plan) =>
    withMeasurements(plan, (one) =>
      hasChoice(one, "quantiles")
        ? { ...one, choice: { ...one.choice, spec: change(one.choice.spec) } }
        : one,
    )
}

function quantiles(change: Partial<QuantilesSpec>): Change {
  return onQuantiles((spec) => ({ ...spec, ...change }))
}

type Ends = NonNullable<QuantilesSpec["ends"]>

function ends(change: Partial<Ends>): Change {
  return onQuantiles((spec) =>
    spec.ends === undefined ? spec : { ...spec, ends: { ...spec.ends, ...change } },
  )
}

// Counted ends in the place of drawn ones.
function counted(change: Partial<Counted>): Change {
  return onQuantiles(({ ends: _, ...spec }) => ({ ...spec, counted: { ...fairCounts(), ...change } }))
}

type Counted = NonNullable<QuantilesSpec["counted"]>

function fairCounts(): Counted {
  const noise = { law: "laplace", scale: rational(160n) } as const
  return { epsilonPerEnd: rational(1n, 10n), noise, miss: rational(1n, 100n), shifts: [9n] }
}

// At a hundred times the loss the ends are nearer, as they should be; but nobody paid for it.
function nearerEnds(plan: ReleasePlan): ReleasePlan {
  return onQuantiles((spec) => {
    if (spec.ends === undefined) return spec
    const certain = { ...spec.ends, epsilonPerEnd: rational(100n) }
    const shifts = spec.quantiles.map((one) => endShift(spec, certain, one))
    return { ...spec, ends: { ...certain, shifts } }
  })(plan)
}

function mode(change: Partial<ModeSpec>): Change {
  return (plan) =>
    withMeasurements(plan, (one) =>
      hasChoice(one, "mode")
        ? { ...one, choice: { ...one.choice, spec: { ...one.choice.spec, ...change } } }
        : one,
    )
}

function charge(change: Partial<ReleasePlan["charge"]>): Change {
  return (plan) => ({ ...plan, charge: { ...plan.charge, ...change } })
}

function repeatLast(plan: ReleasePlan): ReleasePlan {
  return withRelease(plan, (release) => release.measurements.slice(-1).reduce(drawnAgain, release))
}

function undrawn(plan: ReleasePlan): ReleasePlan {
  return withRelease(plan, (release) => ({ ...release, measurements: release.measurements.slice(1) }))
}

function unread(plan: ReleasePlan): ReleasePlan {
  return withRelease(plan, (release) => ({
    ...release,
    readings: release.readings.slice(1),
    columns: release.columns.slice(0, -1),
  }))
}

function readFrom(measurement: number): Change {
  return (plan) => withReading(plan, (one) => (one.kind === "linear" ? { ...one, measurement } : one))
}

function readColumn(plan: ReleasePlan): ReleasePlan {
  return withReading(plan, (one) => (one.kind === "linear" ? { ...one, column: 1 } : one))
}

function readPart(plan: ReleasePlan): ReleasePlan {
  return withReading(plan, (one) => (one.kind === "chosen" ? { ...one, part: 1 } : one))
}

function readAsChosen(plan: ReleasePlan): ReleasePlan {
  return withReading(plan, ({ label }) => ({ kind: "chosen", label, measurement: 0, part: 0 }))
}

// The widest column read by the mechanism of the narrowest.
function otherColumn(plan: ReleasePlan): ReleasePlan {
  return withRelease(plan, (release) => {
    const [first, second, ...others] = release.measurements
    if (first?.kind !== "linear" || second?.kind !== "linear") return release
    return { ...release, measurements: [{ ...first, columns: second.columns }, second, ...others] }
  })
}

function keyColumn(plan: ReleasePlan): ReleasePlan {
  const [key] = plan.releases[0]?.extracts[0]?.keys ?? []
  if (key === undefined) return plan
  return withStrategies(plan, "identity", (one) => ({
    ...one,
    columns: one.columns.map((column) => ({ ...column, id: key })),
  }))
}

function otherExtract(extract: number): Change {
  return (plan) => withMeasurements(plan, (one) => ({ ...one, extract }))
}

function released(
  change: (rel: Extract<ReleasePlan["post"], { readonly kind: "released" }>) => ReleasePlan["post"],
): Change {
  return (plan) => ({
    ...plan,
    post: mapRel(plan.post, (rel) => (rel.kind === "released" ? change(rel) : rel)),
  })
}
