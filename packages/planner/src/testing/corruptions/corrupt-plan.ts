// Finished plans with something changed: what verify/ must not let pass. Tables of the catalog stay the same
// objects.

import { chargeAmount } from "@dosimeter/core/accounting"
import { DosimeterError } from "@dosimeter/core/errors"
import { add, zero } from "@dosimeter/core/exact"
import { lossOf } from "@dosimeter/core/mechanisms"
import { mapExprs, mapInputs, mapParts } from "@dosimeter/proof/algebra/change"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import {
  hasStrategy,
  type LinearMeasurement,
  type Measurement,
  type Reading,
  type StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import type { Extract, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { specsOf } from "../../question/plan.ts"

/** The plan with another first release. */
export function withRelease(
  plan: ReleasePlan,
  change: (release: Release) => Release,
  which = 0,
): ReleasePlan {
  return { ...plan, releases: plan.releases.map((one, index) => (index === which ? change(one) : one)) }
}

/** The plan with another extract. */
export function withExtract(
  plan: ReleasePlan,
  change: (extract: Extract) => Extract,
  which = 0,
): ReleasePlan {
  return withRelease(plan, (release) => ({
    ...release,
    extracts: release.extracts.map((one, index) => (index === which ? change(one) : one)),
  }))
}

/** The plan with all its extracts' relations changed, node by node from the leaves up. */
export function withNodes(plan: ReleasePlan, change: (rel: Rel) => Rel): ReleasePlan {
  const releases = plan.releases.map((release) => ({
    ...release,
    extracts: release.extracts.map((extract) => ({ ...extract, rel: mapRel(extract.rel, change) })),
  }))
  return { ...plan, releases }
}

/** The plan with all measurements of its first release changed. */
export function withMeasurements(
  plan: ReleasePlan,
  change: (measurement: Measurement) => Measurement,
): ReleasePlan {
  return withRelease(plan, (release) => ({ ...release, measurements: release.measurements.map(change) }))
}

/** The plan with all linear measurements of one strategy changed. */
export function withStrategies<Kind extends StrategyKind>(
  plan: ReleasePlan,
  kind: Kind,
  change: (measurement: LinearMeasurement<Kind>) => Measurement,
): ReleasePlan {
  return withMeasurements(plan, (one) => (hasStrategy(one, kind) ? change(one) : one))
}

/** The plan with another first reading. */
export function withReading(plan: ReleasePlan, change: (reading: Reading) => Reading): ReleasePlan {
  return withRelease(plan, (release) => ({
    ...release,
    readings: release.readings.map((one, index) => (index === 0 ? change(one) : one)),
  }))
}

/** The release with a measurement drawn once more, and read. */
export function drawnAgain(release: Release, measurement: Measurement): Release {
  const { label } = measurement
  const place = release.measurements.length
  const reading: Reading =
    measurement.kind === "linear"
      ? { kind: "linear", label, measurement: place, column: 0, isWhole: true }
      : { kind: "chosen", label, measurement: place, part: 0 }
  return {
    ...release,
    measurements: [...release.measurements, measurement],
    readings: [...release.readings, reading],
    columns: [...release.columns, 987_000 + place],
  }
}

/** The plan with all expressions of its extracts changed, from the leaves up. */
export function withExprs(plan: ReleasePlan, change: (expr: Expr) => Expr): ReleasePlan {
  return withNodes(plan, (rel) => mapExprs(rel, (expr) => mapExpr(expr, change)))
}

/** The plan with a charge that adds up, if its losses can be computed at all. */
export function recharged(plan: ReleasePlan): ReleasePlan {
  const { accounting } = plan.charge
  const parts = plan.releases.flatMap(specsOf).map((spec) => chargeAmount(lossOf(spec), accounting))
  const amount = parts.map((part) => part.amount).reduce(add, zero)
  const delta = parts.map((part) => part.delta).reduce(add, zero)
  return { ...plan, charge: { ...plan.charge, amount, delta } }
}

/** A relation with every node changed. */
export function mapRel(rel: Rel, change: (rel: Rel) => Rel): Rel {
  return change(mapInputs(rel, (input) => mapRel(input, change)))
}

function mapExpr(expr: Expr, change: (expr: Expr) => Expr): Expr {
  return change(mapParts(expr, (part) => mapExpr(part, change)))
}

/** The code with which an attempt is rejected, or "accepted". */
export function rejectionOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

/** A plan as text, to see that a corruption changes it. */
export function showPlan(plan: ReleasePlan): string {
  return JSON.stringify(plan, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}
