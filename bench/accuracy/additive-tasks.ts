// Counts, sums, means, variances, several of them at once, histograms, margins, trees and running totals.

import type { Contender } from "./contest.ts"
import {
  noisy,
  part,
  referenceCount,
  referenceMean,
  referenceSum,
  referenceVariance,
  type Moments,
  type Protection,
} from "./reference-additive.ts"
import { laplaceKind, noiseKinds } from "./reference-noise.ts"
import { seriesTasks } from "./series-tasks.ts"
import { lossOf, meanOf, numberAt, ours, type Rows, type Setting, type Task } from "./task.ts"
import { treeTasks } from "./tree-tasks.ts"

/** The tasks of this file. */
export const additiveTasks: readonly Task[] = [
  wardTask(
    "count",
    "COUNT(*)",
    ({ count }) => count,
    ({ count }, _, by) => referenceCount(count, by),
  ),
  wardTask(
    "sum",
    "SUM(fee)",
    ({ sum }) => sum,
    (exact, { range }, by) => referenceSum(exact, range, by),
  ),
  wardTask("mean", "AVG(fee)", meanOfGroup, (exact, { range }, by) => referenceMean(exact, range, by)),
  { name: "mean, fitting range", error: "rms", contest: meanInRange },
  wardTask("variance", "VAR_POP(fee)", varianceOfGroup, (exact, { range }, by) =>
    referenceVariance(exact, range, by),
  ),
  { name: "several", error: "relative rms", contest: several },
  { name: "three means", error: "rms of the range", contest: threeMeans },
  { name: "histogram", error: "rms", contest: histogram },
  { name: "margins", error: "rms", contest: margins },
  ...treeTasks,
  ...seriesTasks,
]

type Source = Setting["source"]

/** One aggregate by ward. */
function wardTask(
  name: string,
  aggregate: string,
  exactOf: (moments: Moments) => number,
  reference: (moments: Moments, source: Source, protection: Protection) => number,
): Task {
  return {
    name,
    error: "rms",
    contest: async (setting) =>
      wardContest(setting, {
        aggregate,
        wards: await momentsOf(setting, "fee"),
        exactOf,
        reference: (moments, by) => reference(moments, setting.source, by),
      }),
  }
}

/** The mean of values cut to a range that most of them lie in, as an owner would declare it. */
async function meanInRange(setting: Setting): ReturnType<Task["contest"]> {
  const { fitting } = setting.source
  const { lower, upper } = fitting
  return wardContest(setting, {
    aggregate: `AVG(CLAMP(fee, ${lower}, ${upper}))`,
    wards: await momentsOf(setting, `least(greatest(fee, ${lower}), ${upper})`),
    exactOf: meanOfGroup,
    reference: (moments, by) => referenceMean(moments, fitting, by),
  })
}

async function wardContest(
  setting: Setting,
  asked: {
    readonly aggregate: string
    readonly wards: ReadonlyMap<number, Moments>
    readonly exactOf: (moments: Moments) => number
    readonly reference: (moments: Moments, protection: Protection) => number
  },
): ReturnType<Task["contest"]> {
  const { aggregate, wards, exactOf, reference } = asked
  const truth = [...wards].map(([ward, moments]) => [ward, exactOf(moments)] as const)
  const sql = `SELECT ward, ${aggregate} FROM stays_${setting.groups} GROUP BY ward`
  const contenders = await ours(sql, setting, (rows) => squaredError(rows, truth))
  if (typeof contenders === "string") return contenders
  const theirs = protectionsOf(setting).map((protection) => ({
    name: protection.kind.name,
    run: () =>
      meanOf([...wards.values()].map((moments) => (reference(moments, protection) - exactOf(moments)) ** 2)),
  }))
  return { ours: contenders, theirs, errors: "squared" }
}

/** Count, sum, mean and variance of one column in one question: peers pay for each. */
async function several(setting: Setting): ReturnType<Task["contest"]> {
  const { source, groups } = setting
  const { range } = source
  const wards = await momentsOf(setting, "fee")
  const exact = new Map(
    [...wards].map(([ward, moments]) => [
      ward,
      [moments.count, moments.sum, meanOfGroup(moments), varianceOfGroup(moments)],
    ]),
  )
  const sql = `SELECT ward, COUNT(*), SUM(fee), AVG(fee), VAR_POP(fee) FROM stays_${groups} GROUP BY ward`
  const relative = (truth: readonly number[], answer: (column: number) => number): number =>
    meanOf(truth.map((value, column) => (answer(column) / value - 1) ** 2))
  const contenders = await ours(sql, setting, (rows) => {
    const byWard = new Map(rows.map((row) => [Number(row[0]), row]))
    return meanOf(
      [...exact].map(([ward, truth]) => relative(truth, (column) => numberAt(byWard.get(ward), column + 1))),
    )
  })
  if (typeof contenders === "string") return contenders
  const theirs = protectionsOf(setting).map((protection) => {
    const quarter = part(protection, 4)
    return {
      name: `${protection.kind.name}, split in 4`,
      run: () =>
        meanOf(
          [...wards].map(([ward, moments]) => {
            const answers = [
              referenceCount(moments.count, quarter),
              referenceSum(moments, range, quarter),
              referenceMean(moments, range, quarter),
              referenceVariance(moments, range, quarter),
            ]
            return relative(exact.get(ward) ?? [], (column) => answers[column] ?? 0)
          }),
        ),
    }
  })
  return { ours: contenders, theirs, errors: "squared" }
}

/** The means of three whole numbers of the same rows, whose count is shared: peers pay for each. */
async function threeMeans(setting: Setting): ReturnType<Task["contest"]> {
  const { source, groups, lab } = setting
  const most = source.bands - 1
  const values = [
    { sql: "band", plain: "band", upper: most },
    { sql: "band * band", plain: "band * band", upper: most * most },
    { sql: "LEAST(band, 2)", plain: "least(band, 2)", upper: 2 },
  ]
  const exact = await lab.truth(
    `SELECT ward, count(*), ${values.map(({ plain }) => `sum(${plain})`).join(", ")}
     FROM stays_${groups} GROUP BY ward`,
  )
  const meansIn = (row: Rows[number]): readonly number[] =>
    values.map((_, place) => numberAt(row, place + 2) / numberAt(row, 1))
  const squared = (row: Rows[number], answer: (place: number) => number): number =>
    meanOf(meansIn(row).map((mean, place) => ((answer(place) - mean) / (values[place]?.upper ?? 1)) ** 2))
  const sql = `SELECT ward, ${values.map((value) => `AVG(${value.sql})`).join(", ")}
    FROM stays_${groups} GROUP BY ward`
  const contenders = await ours(sql, setting, (rows) => {
    const byWard = new Map(rows.map((row) => [numberAt(row, 0), row]))
    return meanOf(
      exact.map((row) => squared(row, (place) => numberAt(byWard.get(numberAt(row, 0)), place + 1))),
    )
  })
  if (typeof contenders === "string") return contenders
  const theirs = protectionsOf(setting).map((protection) => {
    const third = part(protection, 3)
    const reference = (row: Rows[number], place: number): number => {
      const moments = { count: numberAt(row, 1), sum: numberAt(row, place + 2), squares: 0 }
      return referenceMean(moments, { lower: 0, upper: values[place]?.upper ?? 1 }, third)
    }
    return {
      name: `${protection.kind.name}, split in 3`,
      run: () => meanOf(exact.map((row) => squared(row, (place) => reference(row, place)))),
    }
  })
  return { ours: contenders, theirs, errors: "squared" }
}

/** Units by hundreds of public cells. */
async function histogram(setting: Setting): ReturnType<Task["contest"]> {
  const { lab, groups } = setting
  const counts = await lab.truth(`SELECT cell, count(*) FROM codes_${groups} GROUP BY cell`)
  const truth = counts.map((row) => [numberAt(row, 0), numberAt(row, 1)] as const)
  const sql = `SELECT cell, COUNT(DISTINCT person_id) FROM codes_${groups} GROUP BY cell`
  const contenders = await ours(sql, setting, (rows) => squaredError(rows, truth))
  if (typeof contenders === "string") return contenders
  const theirs = protectionsOf(setting).map((protection) => ({
    name: protection.kind.name,
    run: () => meanOf(truth.map(([, count]) => (referenceCount(count, protection) - count) ** 2)),
  }))
  return { ours: contenders, theirs, errors: "squared" }
}

const marginKeys = ["sex", "band", "ward"] as const

/** All margins of three keys. Peers protect each by itself, or all as one long vector. */
async function margins(setting: Setting): ReturnType<Task["contest"]> {
  const { lab, groups, source } = setting
  const keys = marginKeys.join(", ")
  const sql = `SELECT ${keys}, COUNT(*) FROM stays_${groups} GROUP BY CUBE (${keys})`
  const sizes: Readonly<Record<string, number>> = { sex: 2, band: source.bands, ward: source.wards }
  const truth = new Map(
    (await lab.truth(sql)).map((row) => [JSON.stringify(row.slice(0, 3)), numberAt(row, 3)]),
  )
  // Of each margin all cells count, the empty ones too.
  const subsets = Array.from({ length: 8 }, (_, bits) =>
    marginKeys.filter((_key, place) => bits & (1 << place)),
  )
  const cells = subsets.reduce(
    (sum, subset) => sum + subset.reduce((size, key) => size * (sizes[key] ?? 1), 1),
    0,
  )
  const contenders = await ours(sql, setting, (rows) => {
    if (rows.length !== cells) throw new Error(`${rows.length} rows in place of ${cells}`)
    return meanOf(
      rows.map((row) => (numberAt(row, 3) - (truth.get(JSON.stringify(row.slice(0, 3))) ?? 0)) ** 2),
    )
  })
  if (typeof contenders === "string") return contenders
  const parts = subsets.length
  const independent = (name: string, protection: Protection): Contender => ({
    name,
    run: () => meanOf(Array.from({ length: cells }, () => noisy(0, 1, protection) ** 2)),
  })
  const theirs = protectionsOf(setting).flatMap((protection) => {
    const { name } = protection.kind
    // All margins as one vector, in which a unit has more entries: for Laplace noise that is the same.
    const together = { ...protection, groups: groups * parts }
    return [
      independent(`${name}, split in ${parts}`, part(protection, parts)),
      ...(name === "Laplace" ? [] : [independent(`${name}, one vector`, together)]),
    ]
  })
  return { ours: contenders, theirs, errors: "squared" }
}

/** Peers choose the noise; the best of all kinds is shown. */
function protectionsOf(setting: Setting): readonly Protection[] {
  const { noise, groups } = setting
  // The textbook's scale is proven up to epsilon 1.
  const kinds = noiseKinds.filter(({ name }) => name !== "classical Gaussian" || Number(setting.epsilon) <= 1)
  return (kinds.length === 0 ? [laplaceKind] : kinds).map((kind) => ({
    kind,
    noise,
    loss: lossOf(setting),
    groups,
  }))
}

async function momentsOf({ lab, groups }: Setting, value: string): Promise<ReadonlyMap<number, Moments>> {
  const rows = await lab.truth(
    `SELECT ward, count(*), sum(v), sum(v * v) FROM (SELECT ward, ${value} AS v FROM stays_${groups})
     GROUP BY ward ORDER BY ward`,
  )
  return new Map(
    rows.map((row) => [
      numberAt(row, 0),
      { count: numberAt(row, 1), sum: numberAt(row, 2), squares: numberAt(row, 3) },
    ]),
  )
}

function meanOfGroup({ count, sum }: Moments): number {
  return sum / count
}

function varianceOfGroup({ count, sum, squares }: Moments): number {
  return squares / count - (sum / count) ** 2
}

/** The mean squared error of the second column, by the first. */
function squaredError(rows: Rows, truth: readonly (readonly [key: number, value: number])[]): number {
  const byKey = new Map(rows.map((row) => [Number(row[0]), numberAt(row, 1)]))
  return meanOf(truth.map(([key, value]) => ((byKey.get(key) ?? 0) - value) ** 2))
}
