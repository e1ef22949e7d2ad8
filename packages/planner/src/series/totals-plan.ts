// The plan of a series: one table of periods, and the running totals that are measured of it.

import { rational, type Rational } from "@dosimeter/core/exact"
import type { RunningTotalSpec } from "@dosimeter/core/mechanisms"
import { distinctExtractFacts } from "@dosimeter/proof/units/extract-facts"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { specsOf } from "../question/plan.ts"
import type { ProvenBounding } from "../extracts/bounding-of.ts"
import { chargeOf, type Allowance } from "../loss/share-out.ts"
import type { SeriesExtract } from "./build-series.ts"
import type { Periods } from "./periods.ts"

/** What a series is made of. */
export interface SeriesParts {
  readonly boundary: Boundary
  readonly built: SeriesExtract
  readonly periods: Periods
  readonly proven: ProvenBounding
  readonly allowance: Allowance
  readonly options: { readonly catalog: Catalog; readonly terms: Terms }
}

/** The plan. */
export function totalsPlan(
  { boundary, built, periods, proven, allowance, options }: SeriesParts,
  spec: RunningTotalSpec,
): ReleasePlan {
  const { catalog, terms } = options
  const { bounding, groupsProof, rowsProof } = proven
  const { groupsPerUnit, rowsPerGroup } = bounding
  const { extract, column } = built
  const [aggregate] = boundary.aggregates
  const kind = aggregate?.kind
  const label = aggregate?.label ?? ""
  const release: Release = {
    extracts: [extract],
    prepared: [],
    bounds: { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof },
    keys: { kind: "public", lists: [periods.constants] },
    measurements: [
      {
        kind: "linear",
        label,
        extract: 0,
        columns: [{ id: column, of: kind === "sum" ? "values" : kind === "rows" ? "rows" : "units" }],
        grid: gridOf(boundary),
        strategy: { kind: "totals", spec },
      },
    ],
    readings: [{ kind: "linear", label, measurement: 0, column: 0, isWhole: true }],
    columns: boundary.columns.map(({ id }) => id),
  }
  return {
    dataset: catalog.dataset,
    unitName: catalog.unitName,
    neighbours: catalog.neighbours,
    releases: [release],
    post: { kind: "released", release: 0, columns: boundary.columns },
    outputNames: boundary.columns.map(({ name }) => name),
    charge: chargeOf(specsOf(release), allowance),
    confidence: terms.question.confidence,
    ...(terms.shownFrom === undefined ? {} : { shownFrom: terms.shownFrom }),
    notes: [],
    reliesOn: distinctExtractFacts([extract]),
  }
}

/** The step of its aggregate. */
export function gridOf({ aggregates: [aggregate] }: Boundary): Rational {
  return aggregate?.kind === "sum" ? aggregate.grid : rational(1n)
}
