// The ratios that are known to be reachable against one named method, and whether they are reached.

import { formatTable } from "../table.ts"
import { decide, type Effort, type Outcome } from "./contest.ts"
import type { Setting, Task } from "./task.ts"

/** A ratio to reach, at epsilon 1 with one group per unit. */
interface Goal {
  readonly name: string
  readonly task: string
  /** The accounting that it is about; the best one if left out. */
  readonly ours?: string
  readonly theirs: string
  readonly most: number
  /** Whether the ratio is of squared errors. */
  readonly squared: boolean
}

const goals: readonly Goal[] = [
  {
    name: "mean: squared error, of a sum and a count with half each",
    task: "mean, fitting range",
    theirs: "Laplace",
    most: 0.51,
    squared: true,
  },
  {
    name: "median: error in ranks, of the default quantile tree",
    task: "median",
    theirs: "tree, Laplace",
    most: 1 / 8,
    squared: false,
  },
  {
    name: "nine quantiles: error in ranks, of the exponential mechanism with a ninth each",
    task: "9 quantiles",
    theirs: "exponential, split",
    most: 0.6,
    squared: false,
  },
  {
    name: "count with Gaussian noise: variance, of the textbook's scale",
    task: "count",
    ours: "gdp",
    theirs: "classical Gaussian",
    most: 0.65,
    squared: true,
  },
]

/** A goal and what was measured. */
export interface Reached {
  readonly name: string
  readonly most: number
  readonly ratio: number
  readonly standardError: number
  readonly isReached: boolean
}

/** Measures the goals about the given tasks. */
export async function measureGoals(
  tasks: readonly Task[],
  setting: Setting,
  effort: Effort,
): Promise<readonly Reached[]> {
  const reached: Reached[] = []
  for (const goal of goals) {
    const task = tasks.find(({ name }) => name === goal.task)
    const contest = await task?.contest(setting)
    if (contest === undefined || typeof contest === "string") continue
    const ours = contest.ours.filter(({ name }) => goal.ours === undefined || name === goal.ours)
    if (ours.length === 0) continue
    const theirs = contest.theirs.filter(({ name }) => name === goal.theirs)
    reached.push(verdictOf(goal, decide({ ...contest, ours, theirs }, effort)))
  }
  return reached
}

/** The goals as a table. */
export function showGoals(reached: readonly Reached[]): string {
  const rows = reached.map(({ name, most, ratio, standardError, isReached }) => [
    name,
    most.toFixed(3),
    ratio.toFixed(3),
    standardError.toFixed(3),
    isReached ? "pass" : "FAIL",
  ])
  return formatTable([["known ratios to reach", "at most", "ratio", "+-", ""], ...rows])
}

function verdictOf({ name, most, squared }: Goal, outcome: Outcome): Reached {
  const ratio = squared ? outcome.ratio ** 2 : outcome.ratio
  const standardError = squared ? 2 * outcome.ratio * outcome.standardError : outcome.standardError
  return { name, most, ratio, standardError, isReached: ratio - 2 * standardError <= most }
}
