// Picks the events most likely to expose a broken mechanism, from draws that are then thrown away: the events
// are fixed before the draws that test them, so the error rate of the test holds.

/** What a mechanism gives. Outcomes with the same text are the same. */
export type Outcome = string | number | bigint

/** A set of outcomes, fixed beforehand. */
export interface OutcomeEvent {
  readonly name: string
  readonly contains: (outcome: Outcome) => boolean
}

interface Candidate {
  readonly name: string
  readonly hits: number
  readonly hitsOnNeighbour: number
  readonly contains: (outcome: Outcome) => boolean
}

/** Two lists of draws, equally long, and the delta that the claim allows. */
export interface LearnFrom {
  readonly onD: readonly Outcome[]
  readonly onNeighbour: readonly Outcome[]
  readonly delta: number
}

/** Learns events that look likelier on D than on the neighbour: the best single outcome, the best union of
 * outcomes by likelihood ratio, the best tail of numbers, and all that was never seen on the neighbour. */
export function learnEvents(from: LearnFrom): readonly OutcomeEvent[] {
  const counts = countBoth(from)
  const score = scoreFor(from)
  const families = [singles(counts), unions(counts), tails(from), [neverSeen(counts)]]
  return families.flatMap((family) => {
    const [first, ...rest] = family
    if (first === undefined) return []
    return [rest.reduce((best, candidate) => (score(candidate) > score(best) ? candidate : best), first)]
  })
}

/** Two-sided normal quantile near 1e-10: what a count may be off by, in standard deviations. */
const deviations = 6.5

/** Roughly the ratio that the test half would prove: the count less its error, over the other plus its error.
 * */
function scoreFor({ onD, delta }: LearnFrom): (candidate: Candidate) => number {
  return ({ hits, hitsOnNeighbour }) => {
    const low = hits - deviations * Math.sqrt(hits) - delta * onD.length
    const high = hitsOnNeighbour + deviations * Math.sqrt(hitsOnNeighbour) + deviations ** 2
    return low > 0 ? low / high : low
  }
}

interface Counts {
  hits: number
  hitsOnNeighbour: number
}

function countBoth({ onD, onNeighbour }: LearnFrom): ReadonlyMap<string, Readonly<Counts>> {
  const counts = new Map<string, Counts>()
  function entry(outcome: Outcome): Counts {
    const key = String(outcome)
    const known = counts.get(key) ?? { hits: 0, hitsOnNeighbour: 0 }
    counts.set(key, known)
    return known
  }
  for (const outcome of onD) entry(outcome).hits += 1
  for (const outcome of onNeighbour) entry(outcome).hitsOnNeighbour += 1
  return counts
}

function singles(counts: ReadonlyMap<string, Readonly<Counts>>): readonly Candidate[] {
  return [...counts].map(([key, both]) => ({
    name: `outcome ${key}`,
    ...both,
    contains: (outcome) => String(outcome) === key,
  }))
}

/** Outcomes seen less often than this say nothing about their ratio, and would only dilute a union. */
const seenMin = 10

/** The outcomes in falling order of their ratio; each prefix is a candidate (Neyman-Pearson). */
function unions(counts: ReadonlyMap<string, Readonly<Counts>>): readonly Candidate[] {
  const ratio = (both: Readonly<Counts>) => (both.hits + 0.5) / (both.hitsOnNeighbour + 0.5)
  const ordered = [...counts]
    .filter(([, both]) => both.hits + both.hitsOnNeighbour >= seenMin)
    .toSorted(([, a], [, b]) => ratio(b) - ratio(a))
  const rank = new Map(ordered.map(([key], index) => [key, index]))
  let hits = 0
  let hitsOnNeighbour = 0
  return ordered.map(([key, both], last) => {
    hits += both.hits
    hitsOnNeighbour += both.hitsOnNeighbour
    return {
      name: `the ${last + 1} outcomes of largest ratio, down to ${key}`,
      hits,
      hitsOnNeighbour,
      contains: (outcome) => (rank.get(String(outcome)) ?? Infinity) <= last,
    }
  })
}

/** How many cut points the tails try. */
const cuts = 64

/** Both tails at the quantiles of the pooled draws; none unless every outcome is a number. */
function tails({ onD, onNeighbour }: LearnFrom): readonly Candidate[] {
  const pooled = [...onD, ...onNeighbour]
  if (pooled.some((outcome) => typeof outcome === "string")) return []
  const sorted = Float64Array.from(pooled, Number).toSorted()
  const numbers = { onD: onD.map(Number), onNeighbour: onNeighbour.map(Number) }
  const points = new Set(
    Array.from({ length: cuts }, (_, cut) => sorted[Math.floor((cut * sorted.length) / cuts)] ?? 0),
  )
  const candidate = (name: string, isIn: (value: number) => boolean): Candidate => ({
    name,
    hits: numbers.onD.filter(isIn).length,
    hitsOnNeighbour: numbers.onNeighbour.filter(isIn).length,
    contains: (outcome) => isIn(Number(outcome)),
  })
  return [...points].flatMap((point) => [
    candidate(`outcomes <= ${point}`, (value) => value <= point),
    candidate(`outcomes >= ${point}`, (value) => value >= point),
  ])
}

/** Catches rare labels that exist on one side only, such as a released key of a single person. */
function neverSeen(counts: ReadonlyMap<string, Readonly<Counts>>): Candidate {
  const unseen = [...counts.values()].filter(({ hitsOnNeighbour }) => hitsOnNeighbour === 0)
  return {
    name: "outcomes never seen on the other side",
    hits: unseen.reduce((sum, { hits }) => sum + hits, 0),
    hitsOnNeighbour: 0,
    contains: (outcome) => (counts.get(String(outcome))?.hitsOnNeighbour ?? 0) === 0,
  }
}
