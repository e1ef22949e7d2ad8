// The plan that a series was charged for before running totals were a strategy: the same table, as if its
// periods were released by themselves, with noise that nobody drew. Series that were made then are known by
// the hash of that plan, and go on.

import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { specsOf } from "../question/plan.ts"
import { chooseAdditive } from "../aggregates/choose-mechanisms.ts"
import { chargeOf } from "../loss/share-out.ts"
import type { SeriesParts } from "./totals-plan.ts"

/** The former plan of a series. */
export function formerPlan(
  plan: ReleasePlan,
  { built, periods, proven, allowance, options }: SeriesParts,
): ReleasePlan {
  const { lower, upper } = built
  const bounds = {
    groupsPerUnit: proven.bounding.groupsPerUnit,
    groupsInAll: BigInt(periods.constants.length),
    neighbours: options.catalog.neighbours,
    lower,
    upper,
  }
  const strategy = {
    kind: "identity",
    spec: chooseAdditive(bounds, allowance, allowance.amount),
  } as const
  const releases = plan.releases.map((release) => ({
    ...release,
    measurements: release.measurements.map((one) => (one.kind === "linear" ? { ...one, strategy } : one)),
  }))
  return { ...plan, releases, charge: chargeOf(releases.flatMap(specsOf), allowance) }
}
