// A mechanism as accountants know it: the events that decide its loss. What `lossOf` states in each measure
// follows from these too; here they stay apart, so that an accountant of a whole batch can do better than the
// sum.

import type { LossEvent, Planned } from "../accounting/event.ts"
import { assert, unreachable } from "../errors/assert.ts"
import { add, compare, divide, rational, zero, type Rational } from "../exact/rational.ts"
import { l1Of } from "../privacy/sensitivity.ts"
import {
  countsEpsilon,
  countsMuSquared,
  type CountedEnds,
  type CountedHistogram,
} from "./quantiles/counted-ends.ts"
import { gaussianLoss } from "./additive/gaussian.ts"
import { keyLoss, type KeySpec } from "./keys/key-selection.ts"
import type { LaplaceSpec } from "./additive/laplace.ts"
import { lossOf, type MechanismSpec } from "./mechanism.ts"
import { depthOf, mostOnAWay, type QuantileTree } from "./quantiles/quantile-tree.ts"
import { laplaceChange, runningTotalLoss, type RunningTotalSpec } from "./additive/running-total.ts"
import { tableSumsLoss } from "./table-sums.ts"
import { topKeysLoss } from "./keys/top-keys.ts"
import { weightedKeysLoss } from "./keys/weighted-keys.ts"

/**
 * The events of `releases` releases (one, unless said) by this spec, for `whatIf` and the other accountants.
 *
 * Each event's loss holds for the release's part that it stands for, given the parts before: a vector of
 * Laplace counts is one event a coordinate that a unit can change, the top k are k choices, a recursion is
 * one event a draw on a way.
 */
export function eventsOf(spec: MechanismSpec, releases = 1): Planned[] {
  return eventsOfOne(spec).map(({ event, count }) => ({ event, count: count * releases }))
}

function eventsOfOne(spec: MechanismSpec): Planned[] {
  switch (spec.kind) {
    case "laplace":
      return laplaceEvents(spec)
    case "gaussian":
      return [{ event: gaussianEvent(gaussianLoss(spec).gdp?.muSquared), count: 1 }]
    case "selection": {
      const shape = spec.method === "exponential" ? "range" : "any"
      return [{ event: { kind: "pure", epsilon: spec.epsilon, shape }, count: Number(spec.groupsPerUnit) }]
    }
    case "top-k":
      return [
        { event: { kind: "pure", epsilon: spec.epsilonPerChoice, shape: "range" }, count: Number(spec.k) },
      ]
    case "top-keys":
      return [
        { event: { kind: "pure", epsilon: spec.epsilonPerChoice, shape: "range" }, count: Number(spec.k) },
        { event: { kind: "failure", delta: topKeysLoss(spec).zcdp.delta }, count: 1 },
      ]
    case "above-threshold":
      return [{ event: pureEvent(lossOf(spec).pure?.epsilon), count: 1 }]
    case "randomized-response":
      return [{ event: { kind: "response", truth: spec.truth, categories: spec.categories }, count: 1 }]
    case "keys-optimal":
    case "keys-laplace":
    case "keys-gaussian":
      return keyEvents(spec)
    case "keys-weighted": {
      const { gdp, zcdp } = weightedKeysLoss(spec)
      const failure: LossEvent = { kind: "failure", delta: zcdp.delta }
      return [gaussianEvent(gdp?.muSquared), failure].map((event) => ({ event, count: 1 }))
    }
    case "quantiles": {
      const draws = (epsilon: Rational, count: number): Planned => ({
        event: { kind: "pure", epsilon, shape: "range" },
        count,
      })
      const { ends, counted, quantiles } = spec
      const groups = groupEvents(spec)
      return [
        ...epsilonsOf(spec.tree).map((epsilon) => draws(epsilon, groups)),
        ...(ends === undefined ? [] : [draws(ends.epsilonPerEnd, groups * 2 * quantiles.length)]),
        ...(counted === undefined ? [] : [draws(counted.epsilonPerEnd, groups * 2)]),
        ...(counted === undefined ? [] : [countsEvent(spec, counted)]),
      ]
    }
    case "running-total":
      return runningTotalEvents(spec)
    case "margins":
    case "tree":
      return [{ event: gaussianEvent(tableSumsLoss(spec).gdp?.muSquared), count: 1 }]
    default:
      return unreachable(spec)
  }
}

function countsEvent(spec: CountedHistogram, { noise }: CountedEnds): Planned {
  return noise.law === "gaussian"
    ? { event: gaussianEvent(countsMuSquared(spec, noise.variance)), count: 1 }
    : { event: pureEvent(countsEpsilon(spec, noise.scale)), count: groupEvents(spec) }
}

/**
 * For how many histograms events stand. Of weighed rows more may differ, each by a part f of what rowsPerUnit
 * says, all parts together at most groupsPerUnit. Losses of parts that add up to 1 at most are one loss
 * (pure losses and ranges of log ratios add up); put together while they fit, any two of them have more than
 * 1, so there are fewer than twice groupsPerUnit.
 */
function groupEvents({ groupsPerUnit, full }: CountedHistogram): number {
  return Number(full === undefined ? groupsPerUnit : 2n * groupsPerUnit - 1n)
}

/**
 * The draws of one way that each other way's draws, in order, are no greater than; if there is none, one
 * draw of the greatest sum: ranges of log ratios add up.
 */
function epsilonsOf(tree: QuantileTree): readonly Rational[] {
  const most = mostOnAWay(tree, ({ epsilon }) => epsilon)
  const levels = Array.from({ length: depthOf(tree) }, (_, level) => greatestAt(tree, level))
  return compare(levels.reduce(add, zero), most) === 0 ? levels : [most]
}

function greatestAt(tree: QuantileTree | undefined, level: number): Rational {
  if (tree === undefined) return zero
  if (level === 0) return tree.epsilon
  const [below, above] = [greatestAt(tree.below, level - 1), greatestAt(tree.above, level - 1)]
  return compare(below, above) > 0 ? below : above
}

/**
 * One event a coordinate; where replacing a unit has several worst patterns, or only a norm is bounded, only
 * the pure loss covers them all.
 */
function laplaceEvents(spec: LaplaceSpec): Planned[] {
  const [pattern, ...others] = spec.sensitivity.patterns
  if (pattern === undefined || others.length > 0 || spec.sensitivity.norm !== undefined) {
    return [{ event: pureEvent(divide(rational(l1Of(spec.sensitivity)), spec.scale)), count: 1 }]
  }
  return pattern.map(({ groups, amount }) => ({
    event: { kind: "laplace", amount, scale: spec.scale },
    count: Number(groups),
  }))
}

function keyEvents(spec: KeySpec): Planned[] {
  const changed = Number(spec.neighbours === "replace" ? 2n * spec.groupsPerUnit : spec.groupsPerUnit)
  if (spec.kind === "keys-optimal") {
    const { epsilonPerKey: epsilon, deltaPerKey: delta } = spec
    return [{ event: { kind: "approx", epsilon, delta }, count: changed }]
  }
  const { zcdp, gdp } = keyLoss(spec)
  const failure: Planned = { event: { kind: "failure", delta: zcdp.delta }, count: 1 }
  if (spec.kind === "keys-gaussian") return [{ event: gaussianEvent(gdp?.muSquared), count: 1 }, failure]
  const { rowsPerGroup: amount, scale } = spec
  return [{ event: { kind: "laplace", amount, scale }, count: changed }, failure]
}

function runningTotalEvents(spec: RunningTotalSpec): Planned[] {
  const { gdp, pure } = runningTotalLoss(spec)
  if (spec.noise.law === "gaussian") return [{ event: gaussianEvent(gdp?.muSquared), count: 1 }]
  // The nodes of a level change by so much in all, however it is spread: one pure loss a level.
  const { groups } = laplaceChange(spec)
  const each = pure === undefined ? undefined : divide(pure.epsilon, rational(groups))
  return [{ event: pureEvent(each), count: Number(groups) }]
}

function gaussianEvent(muSquared: Rational | undefined): LossEvent {
  assert(muSquared !== undefined, "Gaussian noise has a GDP loss")
  return { kind: "gaussian", muSquared }
}

function pureEvent(epsilon: Rational | undefined): LossEvent {
  assert(epsilon !== undefined, "this mechanism has a pure loss")
  return { kind: "pure", epsilon, shape: "any" }
}
