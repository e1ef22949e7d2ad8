// Two answers to one question, measured: the error of many releases of each, and how sure the ratio is.

/** Something that is answered again and again: the error of one answer. */
export interface Contender {
  readonly name: string
  readonly run: () => number
}

/** Ours under each accounting, and what has been published, at the same loss. */
export interface Contest {
  readonly ours: readonly Contender[]
  readonly theirs: readonly Contender[]
  /** Whether runs give squared errors, so that the root of their mean is shown, or errors. */
  readonly errors: "squared" | "plain"
}

/** What a contest gave. */
export interface Outcome {
  readonly ours: string
  readonly theirs: string
  readonly ourError: number
  readonly theirError: number
  readonly ratio: number
  readonly standardError: number
  readonly runs: number
  /** Whether the runs prove that ours is the larger error. */
  readonly isWorse: boolean
}

/** How long a contest may take. */
export interface Effort {
  readonly runs: number
  /** After this much CPU time there are no more runs than the least. */
  readonly milliseconds: number
}

const runsLeast = 4
/** A difference is more than chance from here on: among some hundred lines, one in a hundred tables. */
const standardErrors = 4
const pilot = { runs: 100, milliseconds: 160 } as const

/**
 * The best of ours against the best of theirs. Which ones are best is decided by runs of their own, which are
 * not counted, so that choosing does not flatter.
 */
export function decide(contest: Contest, { runs, milliseconds }: Effort): Outcome {
  const ours = best(contest.ours)
  const theirs = best(contest.theirs)
  const errors: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] }
  const started = cpuMilliseconds()
  while (errors.ours.length < runs) {
    if (errors.ours.length >= runsLeast && cpuMilliseconds() - started > milliseconds) break
    errors.ours.push(ours.run())
    errors.theirs.push(theirs.run())
  }
  const [a, b] = [summary(errors.ours), summary(errors.theirs)]
  const power = contest.errors === "squared" ? 0.5 : 1
  const [ourError, theirError] = [a.mean ** power, b.mean ** power]
  const ratio = ourError === theirError ? 1 : ourError / theirError
  const standardError = ratio * power * Math.hypot(a.error / a.mean || 0, b.error / b.mean || 0)
  const isWorse = a.mean - b.mean > standardErrors * Math.hypot(a.error, b.error)
  const names = { ours: ours.name, theirs: theirs.name }
  return { ...names, ourError, theirError, ratio, standardError, runs: errors.ours.length, isWorse }
}

function best(contenders: readonly Contender[]): Contender {
  const [first, ...others] = contenders
  if (first === undefined) throw new Error("a contest needs somebody")
  if (others.length === 0) return first
  const tried = contenders.map((contender) => ({ contender, error: tryOut(contender) }))
  return tried.reduce((least, each) => (each.error < least.error ? each : least)).contender
}

function tryOut({ run }: Contender): number {
  const started = cpuMilliseconds()
  const errors: number[] = []
  while (errors.length < pilot.runs && cpuMilliseconds() - started < pilot.milliseconds) errors.push(run())
  return summary(errors).mean
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The mean, and its standard error. */
function summary(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / Math.max(count - 1, 1) / count) }
}
