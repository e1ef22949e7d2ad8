import { expect, test } from "vitest"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { releaseKey } from "./key/release-key.ts"
import { Secret } from "./secret/secret.ts"
import { countSeries } from "./release-series.ts"
import type { CountedPeriods } from "./release-series.ts"

const period = (day: number): Constant => ({ kind: "date", day: BigInt(day) })
const periods = Array.from({ length: 6 }, (_, index) => period(7 * index))

/** Rows by unit: in which periods it has rows. Only the first `most` of a unit come from the database. */
type Version = Readonly<Record<string, readonly number[]>>

function tableOf(version: Version, most: number): Secret<{ rows: { keys: Constant[]; values: bigint[] }[] }> {
  const rows = Object.entries(version).flatMap(([unit, places]) =>
    places
      .toSorted((a, b) => a - b)
      .slice(0, most)
      .map((place) => ({ keys: [{ kind: "text" as const, value: unit }, period(7 * place)], values: [1n] })),
  )
  return new Secret({ rows })
}

/** What one update after the other counts by period. */
function run(versions: readonly Version[], most: number): readonly (readonly bigint[])[] {
  let before: CountedPeriods = new Map()
  return versions.map((version, step) => {
    const counting = { rows: tableOf(version, most), periods, groupsPerUnit: most, amountMax: 1n }
    const { table, counted } = countSeries(counting, { before, key: "key", through: step + 1 })
    before = counted
    const sums = new Map(
      table.open(releaseKey).rows.map(({ keys, values }) => [JSON.stringify(keys, show), values[0] ?? 0n]),
    )
    return periods.map((one) => sums.get(JSON.stringify([one], show)) ?? 0n)
  })
}

const show = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value)

test("[M3] a date that is corrected every week counts once, not every week", () => {
  const others = { a: [0], b: [1], c: [2], d: [3] }
  const tables = run(
    [
      { ...others, x: [0] },
      { ...others, x: [1] },
      { ...others, x: [2] },
    ],
    1,
  )
  const without = run([others, others, others], 1)
  expect(tables[0]).toEqual([2n, 1n, 1n, 1n, 0n, 0n])
  // From the correction on, the person counts no more.
  expect(tables.slice(1)).toEqual(without.slice(1))
})

test("[M3] a correction back does not bring anybody back", () => {
  const tables = run([{ x: [0] }, { x: [1] }, { x: [0] }, { x: [0] }], 1)
  expect(tables.map(([first]) => first)).toEqual([1n, 0n, 0n, 0n])
})

test("[M3] rows that come late may take the place of later ones, and who only adds rows goes on", () => {
  const tables = run([{ x: [2], y: [1] }, { x: [2], y: [1] }, { x: [2, 1], y: [1, 2] }, { x: [2, 1, 3] }], 1)
  // Of x the second period counts in place of the third; y is gone in the last version.
  expect(tables[2]).toEqual([0n, 2n, 0n, 0n, 0n, 0n])
  expect(tables[3]).toEqual([0n, 1n, 0n, 0n, 0n, 0n])
})

// All courses of one person over four versions and four periods: what fading sums and trees of it may change.
test("[M3] whatever becomes of a person's rows, it counts in so many periods as were paid for", () => {
  const subsets = Array.from({ length: 8 }, (_, bits) =>
    [0, 1, 2].filter((place) => ((bits >> place) & 1) === 1),
  )
  for (const most of [1, 2]) {
    for (let course = 0; course < subsets.length ** 3; course += 1) {
      const versions = [0, 1, 2].map((step) => ({
        x: subsets[Math.floor(course / subsets.length ** step) % subsets.length] ?? [],
      }))
      const tables = run(versions, most)
      // Slots: periods that begin to count, each paid for once. A period that counts in place of another that
      // still would must be earlier.
      let begun = 0
      let counting: number[] = []
      tables.forEach((table, step) => {
        const now = table.slice(0, step + 1).flatMap((sum, place) => (sum > 0n ? [place] : []))
        expect(now.length).toBeLessThanOrEqual(most)
        const fresh = now.filter((place) => !counting.includes(place))
        const gone = counting.filter((place) => !now.includes(place))
        // Gone for good, or displaced by earlier ones.
        const displaced = gone.filter((place) => fresh.some((one) => one < place)).length
        begun += fresh.length - (now.length === 0 ? 0 : Math.min(displaced, fresh.length))
        counting = now
        expect(begun).toBeLessThanOrEqual(most)
      })
    }
  }
})

test("[M3] amounts are clamped here, too", () => {
  const rows = new Secret({
    rows: [
      { keys: [{ kind: "text" as const, value: "x" }, period(0)], values: [1000n] },
      { keys: [{ kind: "text" as const, value: "y" }, period(0)], values: [-1000n] },
      { keys: [{ kind: "text" as const, value: "z" }, period(0)], values: [3n] },
    ],
  })
  const counting = { rows, periods, groupsPerUnit: 1, amountMax: 5n }
  const { table } = countSeries(counting, { before: new Map(), key: "key", through: 1 })
  expect(table.open(releaseKey).rows).toEqual([{ keys: [period(0)], values: [3n] }])
})
