// The classes of people who share all quasi-identifiers: their sizes (k-anonymity) and how much the people
// within one differ in what is sensitive (l-diversity, distinct, by entropy and recursive; t-closeness).

import type { Cells } from "./cells.ts"
import type { CrowdSizes, Homogeneity, SizeBand } from "./risk-report.ts"

const bands: readonly { readonly from: number; readonly to?: number }[] = [
  { from: 1, to: 1 },
  { from: 2, to: 2 },
  { from: 3, to: 4 },
  { from: 5, to: 10 },
  { from: 11, to: 20 },
  { from: 21, to: 100 },
  { from: 101 },
]

/** How large the crowds are. */
export async function crowdSizes({ rows }: Cells): Promise<CrowdSizes> {
  const counts = bands.flatMap(({ from, to }) => {
    const inside = `FILTER (n >= ${from}${to === undefined ? "" : ` AND n <= ${to}`})`
    return [`count(*) ${inside}`, `coalesce(sum(n) ${inside}, 0)`]
  })
  const [[k, classes, median, ...found] = []] = await rows.ask(
    `SELECT min(n), count(*), quantile_disc(n, 0.5), ${counts.join(", ")} FROM classes`,
  )
  const sizes = bands.map((band, index): SizeBand => ({
    ...band,
    classes: Number(found[2 * index] ?? 0),
    people: Number(found[2 * index + 1] ?? 0),
  }))
  return { k: Number(k), classes: Number(classes), median: Number(median), sizes }
}

/** How much each sensitive column varies within the crowds. */
export async function homogeneityOf(cells: Cells): Promise<readonly Homogeneity[]> {
  const found: Homogeneity[] = []
  for (const [index, name] of cells.sensitive.entries()) {
    const column = cells.columns.sensitive[index]?.name ?? ""
    found.push({ column, ...(await homogeneityIn(cells, name)) })
  }
  return found
}

const recursiveLevels = [2, 3, 4] as const

/**
 * Of a class with shares p(v) beside the table's P(v): exp of the entropy is size / exp(sum n ln n / size),
 * and the total variation is the sum of the positive parts of p(v) - P(v), to which only values in the class
 * add. What is left of a class without its l - 1 most common values is its size less their counts.
 */
async function homogeneityIn({ rows, people }: Cells, name: string): Promise<Omit<Homogeneity, "column">> {
  const recursive = recursiveLevels.flatMap((level) => [
    `max(top[1] / (size - list_sum(top[:${level - 1}]))) FILTER (l >= ${level})`,
    `coalesce(sum(size) FILTER (l < ${level}), 0)`,
  ])
  const [found = []] = await rows.ask(`
    WITH parts AS (SELECT class, ${name} AS value, sum(n) AS n FROM cells GROUP BY class, ${name}),
    overall AS (SELECT value, sum(n) / ${people} AS share FROM parts GROUP BY value),
    judged AS (
      SELECT any_value(classes.n) AS size, count(*) AS l,
        max(parts.n, ${Math.max(...recursiveLevels) - 1}) AS top,
        any_value(classes.n) / exp(sum(parts.n * ln(parts.n)) / any_value(classes.n)) AS entropy_l,
        sum(greatest(0, parts.n / classes.n - overall.share)) AS t
      FROM parts JOIN classes USING (class) JOIN overall USING (value) GROUP BY class)
    SELECT (SELECT count(*) FROM overall), min(l), min(entropy_l), max(t),
      coalesce(sum(size) FILTER (l = 1), 0), coalesce(sum(size) FILTER (l = 1 AND size = 1), 0),
      coalesce(sum(size) FILTER (l = 1 AND size >= 11), 0), ${recursive.join(", ")} FROM judged`)
  const [values = 0, l = 0, entropyL = 0, t = 0, certain = 0, certainAlone = 0, certainInCrowd = 0] =
    found.map(Number)
  return {
    values,
    l,
    entropyL,
    recursive: recursiveLevels
      .filter((level) => level <= values)
      .map((level, index) => {
        const [c = null, without] = found.slice(7 + 2 * index)
        return { l: level, c: c === null ? undefined : Number(c), without: Number(without) }
      }),
    t,
    certain,
    certainAlone,
    certainInCrowd,
  }
}
