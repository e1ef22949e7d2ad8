// Weights as real databases compute them, held against big integers: no float is believed.

import { sampleOf } from "@dosimeter/core/testing"
import { rational } from "@dosimeter/core/exact"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { WeightExpr } from "../algebra/expr.ts"
import { stepsDomain } from "../algebra/item-domain.ts"
import type { Domain } from "../catalog/domain.ts"
import { dialects } from "../dialects/dialects.ts"
import { Dice } from "../testing/dice.ts"
import { openDatabases } from "../testing/second-way/databases.ts"
import type { RealDatabase } from "../testing/second-way/real-database.ts"
import { printWeight } from "./print-weight.ts"

const totalMax = 1n << 124n
const ofTotal: Domain = {
  type: { kind: "integer" },
  nullable: true,
  range: {
    min: { value: rational(0n), declared: false },
    max: { value: rational(totalMax), declared: false },
  },
}

const shapes = (["l1", "l2"] as const).flatMap((norm) =>
  [1n, 2n, 5n, 5792n, 1n << 20n, (1n << 40n) - 1n].flatMap((bound) =>
    [1n, 1n << 8n, 1n << 16n].map((full) => ({ norm, bound, full })),
  ),
)

describe.each(openDatabases())("%s", (_, open) => {
  let database: RealDatabase
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  // Every norm, bound and full size is in the sample.
  test.each(sampleOf(shapes, 7))("$norm, bound $bound, full $full", async ({ norm, bound, full }) => {
    const totals = [...new Set(totalsFor(bound))]
    const rows = totals.map(
      (total) => `(CAST('${total}' AS ${dialects[database.showing.dialect].types.huge}))`,
    )
    const expr: WeightExpr = {
      kind: "weight",
      norm,
      total: { kind: "column", id: 1, domain: ofTotal },
      bound,
      full,
      domain: stepsDomain(0n, full, false),
    }
    const text = printWeight(expr, "t", dialects[database.showing.dialect])
    const [found = []] = await database.read(
      `SELECT CAST(${text} AS ${dialects[database.showing.dialect].types.text}) FROM (VALUES ${[...rows, "(NULL)"].join(", ")}) AS v(t)`,
    )
    const weights = found.map((value) => BigInt(String(value)))
    expect(weights).toHaveLength(totals.length + 1)
    const reach = full * bound
    for (const [index, total] of totals.entries()) {
      const weight = weights[index] ?? -1n
      expect(weight >= 0n && weight <= full, `weight ${weight}`).toBe(true)
      const holds = (one: bigint): boolean =>
        norm === "l1" ? one * total <= reach : one * one * total <= reach * reach
      expect(holds(weight), `${weight} of a total of ${total}`).toBe(true)
      // As large as can be, so that nothing is wasted.
      expect(weight === full || !holds(weight + 1n), `${weight} is too little for ${total}`).toBe(true)
    }
    expect(weights.at(-1), "no total, no weight").toBe(0n)
  })
})

describe.each(openDatabases())("%s, totals of 64 bits", (_, open) => {
  let database: RealDatabase
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  test("weigh as others do, and whatever is there instead weighs nothing and does not fail", async () => {
    const most = 1n << 62n
    const dialect = dialects[database.showing.dialect]
    for (const bound of [1n, 5n, 5792n, (1n << 40n) - 1n]) {
      for (const full of [1n, 1n << 16n]) {
        const honest = [...new Set(totalsFor(bound))].filter((total) => total <= most)
        const totals = [...honest, -1n, -(1n << 63n), (1n << 63n) - 1n]
        const total = { kind: "column", id: 1, domain: stepsDomain(0n, most, true) } as const
        const domain = stepsDomain(0n, full, false)
        const text = printWeight({ kind: "weight", norm: "l1", total, bound, full, domain }, "t", dialect)
        expect(text).not.toContain(dialect.types.huge)
        const rows = totals.map((value) => `(CAST('${value}' AS BIGINT))`)
        const [found = []] = await database.read(
          `SELECT CAST(${text} AS ${dialect.types.text}) FROM (VALUES ${[...rows, "(NULL)"].join(", ")}) AS v(t)`,
        )
        const reach = full * bound
        const expected = totals.map((value) => (value < 0n ? 0n : value <= bound ? full : reach / value))
        expect(found.map((value) => BigInt(String(value)))).toEqual([...expected, 0n])
      }
    }
  })
})

/** Around the bound, its square, squares and their neighbours, and as large as totals get. */
function totalsFor(bound: bigint): readonly bigint[] {
  const dice = new Dice(`weights ${bound}`)
  const random = Array.from({ length: 200 }, () => {
    const bits = BigInt(1 + dice.below(123))
    return (BigInt(dice.below(2 ** 30)) * (1n << bits)) / (1n << 30n) + 1n
  })
  const squares = random.slice(0, 60).map((value) => {
    const root = BigInt(Math.floor(Math.sqrt(Number(value))))
    return root * root
  })
  const around = [0n, 1n, bound, bound * bound, ...squares, ...random, totalMax - 1n]
  return around
    .flatMap((value) => [value - 1n, value, value + 1n])
    .filter((value) => value >= 0n && value <= totalMax)
}
