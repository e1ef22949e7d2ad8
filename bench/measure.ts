// How things are timed here. CPU time, not wall time; the candidates of a group run in random order, about
// 10 ms each, round after round; and every ratio is the median of ratios between times of the same round. So
// neither other programs nor a core that changes its speed moves a ratio much.

import { shuffled, type RandomBits } from "@dosimeter/core/noise"

/** Something to time. `run` does its work `times` times; each time makes `draws` draws. */
export interface Candidate {
  readonly name: string
  readonly draws: number
  readonly run: (times: number, rng: RandomBits) => void
}

/** Candidates that are compared with each other, and so measured close together. */
export interface Group {
  readonly name: string
  readonly candidates: readonly Candidate[]
}

/** Nanoseconds per draw by candidate, one number for each round; rounds of one group correspond. */
export type Times = ReadonlyMap<string, readonly number[]>

const millisecondsPerRun = 10

/** Times every candidate of every group, `rounds` times; the first round, which warms up, is not counted. */
export function measureGroups(
  groups: readonly Group[],
  rounds: number,
  rng: RandomBits,
): ReadonlyMap<string, Times> {
  const prepared = groups.map(({ name, candidates }) => ({
    name,
    candidates: candidates.map((candidate) => ({ candidate, times: calibrate(candidate, rng) })),
  }))
  const results = new Map(groups.map(({ name }) => [name, new Map<string, number[]>()]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, candidates } of shuffled(prepared, rng)) {
      for (const { candidate, times } of shuffled(candidates, rng)) {
        const nanoseconds = timeOnce(candidate, times, rng)
        if (round > 0) append(results.get(name), candidate.name, nanoseconds)
      }
    }
  }
  return results
}

/** Measures by counting how many random bytes one draw takes. */
export function countBytes({ draws, run }: Candidate, rng: RandomBits): number {
  let bytes = 0
  const counting: RandomBits = {
    word() {
      bytes += 4
      return rng.word()
    },
    fill(words) {
      bytes += words.byteLength
      rng.fill(words)
    },
  }
  const times = Math.ceil(20_000 / draws)
  run(times, counting)
  return bytes / (times * draws)
}

/** The middle value; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (upper + lower) / 2
}

/** The median of a / b, round by round. */
export function medianRatio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? Number.NaN)))
}

/** Nanoseconds per draw in one run of about 10 ms. */
function timeOnce(candidate: Candidate, times: number, rng: RandomBits): number {
  // What the candidate before has left behind is not collected at this one's expense. Only the young
  // generation: full collections make the engine forget code that has not run lately.
  globalThis.gc?.({ type: "minor" })
  return cpuMilliseconds(candidate, times, rng) * (1e6 / (times * candidate.draws))
}

/**
 * How many times fill about 10 ms, found by trying. Each try runs twice and only the second counts, and all
 * is done twice: what is made on first use (tables, compiled code) must not pass for the cost of a draw.
 */
function calibrate(candidate: Candidate, rng: RandomBits): number {
  let times = 1
  for (const attempt of ["cold", "warm"]) {
    if (attempt === "warm") times = Math.ceil(times / 8)
    let elapsed = 0
    while (elapsed < millisecondsPerRun / 2) {
      times *= 2
      cpuMilliseconds(candidate, times, rng)
      elapsed = cpuMilliseconds(candidate, times, rng)
    }
    times = Math.ceil((times * millisecondsPerRun) / elapsed)
  }
  return times
}

function cpuMilliseconds({ run }: Candidate, times: number, rng: RandomBits): number {
  const start = process.cpuUsage()
  run(times, rng)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function append(times: Map<string, number[]> | undefined, name: string, value: number): void {
  const list = times?.get(name)
  if (list === undefined) times?.set(name, [value])
  else list.push(value)
}
