// Running totals of two years of weeks, against binary trees of sums (Chan, Shi and Song 2011; Dwork and
// others 2010) with Laplace noise or exactly calibrated Gaussian noise.

import { systemBits, type Accounting } from "@dosimeter/core"
import { divide, exactly, rational, square } from "@dosimeter/core/exact"
import {
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
} from "@dosimeter/core/mechanisms"
import { approxToMu, approxToRho } from "@dosimeter/core/meaning"
import { analyticKind, laplaceKind, type NoiseKind, type PlainNoise } from "./reference-noise.ts"
import { lossOf, meanOf, type Setting, type Task } from "./task.ts"

/** The tasks of this file. */
export const seriesTasks: readonly Task[] = [
  { name: "running totals", error: "rms", contest: async (setting) => weeklyTotals(setting) },
]

const weeks = 104

function weeklyTotals(setting: Setting): Awaited<ReturnType<Task["contest"]>> {
  const { epsilon, delta, groups, noise } = setting
  const bounds = {
    horizon: weeks,
    stepsPerUnit: groups,
    amountPerStep: 1,
    neighbours: "add-or-remove",
  } as const
  const [ownEpsilon, ownDelta] = [exactly(epsilon, "epsilon"), exactly(delta, "delta")]
  const mu = approxToMu(ownEpsilon, ownDelta)
  const specs: Readonly<Record<Accounting, RunningTotalSpec>> = {
    pure: runningTotal({ ...bounds, epsilon }),
    zcdp: runningTotalOfRho({ ...bounds, rho: approxToRho(ownEpsilon, ownDelta) }),
    gdp: runningTotalOfRho({ ...bounds, rho: divide(square(mu), rational(2n)) }),
  }
  return {
    ours: setting.accountings.map((name) => ({ name, run: () => squaredError(specs[name]) })),
    theirs: [laplaceKind, analyticKind].map((kind) => ({
      name: `tree, ${kind.name}`,
      run: () => treeError(kind, noise, setting),
    })),
    errors: "squared",
  }
}

/** Noise does not depend on the amounts, so there are none. */
function squaredError(spec: RunningTotalSpec): number {
  const run = releaseRunningTotal(spec, systemBits())
  return meanOf(Array.from({ length: weeks }, () => Number(run.next(0n)) ** 2))
}

/** A total is the sum of one noisy node for each bit of its step; a unit changes one of each size. */
function treeError(kind: NoiseKind, noise: PlainNoise, setting: Setting): number {
  const levels = weeks.toString(2).length
  const reach = { groups: levels, amount: setting.groups }
  const nodes = Array.from({ length: weeks + 1 }, () => kind.draw(noise, lossOf(setting), reach))
  const totalAt = (step: number): number => (step === 0 ? 0 : (nodes[step] ?? 0) + totalAt(step & (step - 1)))
  return meanOf(Array.from({ length: weeks }, (_, index) => totalAt(index + 1) ** 2))
}
