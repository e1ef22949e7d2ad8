// From a question that counts by day, week or month to a series: running totals over a horizon of periods, of
// which each is released once it is over. One loss for all of them.

import { divide, rational, type Rational } from "@dosimeter/core/exact"
import {
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
  type TotalForm,
} from "@dosimeter/core/mechanisms"
import { bind } from "@dosimeter/language/bind/bind"
import type { CompileOptions } from "../compile.ts"
import { columnIdsAfter, columnIn } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { parse } from "@dosimeter/language/parse/parse"
import { boundingOf, type ProvenBounding } from "../extracts/bounding-of.ts"
import { resolveAsk } from "../loss/resolve-ask.ts"
import { allowanceOf } from "../loss/share-out.ts"
import { verify } from "@dosimeter/proof/verify/verify"
import { verifySeries, type VerifiedSeries } from "@dosimeter/proof/verify/verify-series"
import { buildSeries } from "./build-series.ts"
import {
  between,
  onlyBoundary,
  periodsOf,
  refuseConsent,
  refuseCut,
  refuseShape,
  type Periods,
} from "./periods.ts"
import { formerPlan } from "./former-plan.ts"
import { gridOf, totalsPlan, type SeriesParts } from "./totals-plan.ts"

/** What a series is made from. */
export interface SeriesOptions extends Omit<CompileOptions, "parameters" | "prepared"> {
  /** The first day of the first period, or a day before it. */
  readonly from: bigint
  /** How many periods there will be. */
  readonly periods: number
  /** What is measured, where that is decided already: a series goes on as it began. */
  readonly form?: TotalForm
}

/** A series. */
export interface SeriesPlan {
  readonly proven: VerifiedSeries
  readonly label: string
  readonly grid: Rational
  /** The first day of each period, then the day on which the last is over. */
  readonly days: readonly bigint[]
  /** Whether totals cannot fall. */
  readonly rises: boolean
}

/** Plans a series. Reads no data. */
export function planSeries(sql: string, options: SeriesOptions): SeriesPlan {
  const { grammar, catalog, terms, ask = {} } = options
  refuseConsent(catalog)
  const bound = bind(parse(sql, grammar).query, { catalog, parameters: [] })
  const { boundary, key } = onlyBoundary(bound.rel)
  refuseCut(bound, catalog)
  const periods = periodsOf(columnIn(boundary.input, key), options)
  const inside: Boundary = { ...boundary, input: between(boundary.input, key, periods.constants) }
  const wanted = resolveAsk(terms, ask)
  const proven = atMostAll(boundingOf(inside, { ...wanted, unitName: catalog.unitName }), periods)
  const built = buildSeries(inside, proven.bounding, columnIdsAfter(inside)) ?? refuseShape(boundary)
  const allowance = allowanceOf(terms.budget, {
    epsilon: wanted.epsilon,
    delta: terms.question.delta,
    selectsKeys: false,
  })
  const parts = { boundary: inside, built, periods, proven, allowance, options }
  const plan = verify(totalsPlan(parts, totalSpec(parts, options.form)), catalog)
  // One that began earlier may be known by another plan.
  const former = options.form === undefined ? undefined : verify(formerPlan(plan, parts), catalog)
  const [aggregate] = boundary.aggregates
  return {
    proven: verifySeries(plan, former),
    label: aggregate?.label ?? "",
    grid: gridOf(boundary),
    days: periods.days,
    rises: built.lower >= 0n,
  }
}

// Nobody can be in more periods than there are.
function atMostAll(proven: ProvenBounding, { constants }: Periods): ProvenBounding {
  const all = BigInt(constants.length)
  const { bounding } = proven
  if (bounding.groupsPerUnit < all) return proven
  return { ...proven, bounding: { ...bounding, groupsPerUnit: all, oneGroup: true } }
}

function totalSpec(
  { built, periods, proven, allowance, options }: SeriesParts,
  form: TotalForm | undefined,
): RunningTotalSpec {
  const { lower, upper } = built
  const bounds = {
    horizon: BigInt(periods.constants.length),
    stepsPerUnit: proven.bounding.groupsPerUnit,
    amountPerStep: upper > -lower ? upper : -lower,
    neighbours: options.catalog.neighbours,
    ...(form === undefined ? {} : { form }),
  }
  const { accounting, amount } = allowance
  switch (accounting) {
    case "pure":
      return runningTotal({ ...bounds, epsilon: amount })
    case "zcdp":
      return runningTotalOfRho({ ...bounds, rho: amount })
    case "gdp":
      // mu^2 = 2 rho for Gaussian noise.
      return runningTotalOfRho({ ...bounds, rho: divide(amount, rational(2n)) })
    default:
      return accounting satisfies never
  }
}
