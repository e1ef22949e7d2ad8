// Adds up the false-alarm rates of all statistical checks of a run, and fails the run when the sum is above
// the limit, or zero (then the checks did not register). The rates come from tools/setup/stat-setup.ts.

import type { Reporter, TestModule } from "vitest/node"

/** One false alarm in a million runs of the whole suite. */
export const alphaLimit = 1e-6

/** Sums the rates of what a run executed, prints the sum and judges it. */
export class AlphaReporter implements Reporter {
  /** Called by Vitest when all tests have run. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules
      .filter((module) => module.moduleId.endsWith(".stat.test.ts"))
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => ["passed", "failed"].includes(test.result().state))
    if (tests.length === 0) return
    const sum = tests.reduce((total, test) => total + (test.meta().alpha ?? 0), 0)
    const problem = judgeAlpha(sum)
    console.log(`false-alarm rate of this run: ${showAlpha(sum)} (limit ${showAlpha(alphaLimit)})`)
    if (problem === undefined) return
    console.error(problem)
    process.exitCode = 1
  }
}

/** What is wrong with a sum of false-alarm rates, if anything. */
export function judgeAlpha(sum: number): string | undefined {
  if (sum === 0) return "no statistical check registered its false-alarm rate (spendAlpha)"
  if (sum <= alphaLimit) return undefined
  return `the statistical checks would raise a false alarm too often; lower their alpha`
}

/** A rate as people write it: 3.1e-8, 1e-6. */
export function showAlpha(alpha: number): string {
  return alpha === 0 ? "0" : alpha.toExponential(1).replace(".0e", "e")
}
