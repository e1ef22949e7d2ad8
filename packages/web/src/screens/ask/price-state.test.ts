import { expect, test } from "vitest"
import type { Priced } from "../../workers/price.ts"
import { questionBody, usual } from "../../workers/wanted.ts"
import { keyOf, priceState, type KnownPrice } from "./price-state.ts"

const used = { share: 0, loss: 0, delta: 0, first: "loss" } as const
const priced: Priced = {
  kind: "priced",
  cost: "epsilon 0.5",
  epsilon: 0.5,
  account: "dataset",
  before: used,
  after: used,
  fits: true,
  more: 3,
  unit: "person",
  confidence: 0.95,
  tables: [],
  groups: [],
  bounding: [],
  aggregates: [],
  notes: [],
  learnsNorm: false,
}
const sql = "SELECT COUNT(*) FROM person"
const body = questionBody(sql, usual, "heart")
const known: KnownPrice = { key: keyOf(body), price: priced, by: "browser" }

test("a question may be asked when its own price is shown", () => {
  expect(priceState(keyOf(body), known, undefined)).toEqual({
    price: priced,
    isStale: false,
    hasFailed: false,
    mayAsk: true,
  })
})

test.each([
  ["the text", questionBody(`${sql} WHERE TRUE`, usual, "heart")],
  ["the study", questionBody(sql, usual, "diabetes")],
  ["epsilon", questionBody(sql, { ...usual, epsilon: "0.1" }, "heart")],
  ["the error to reach", questionBody(sql, { ...usual, within: "30" }, "heart")],
  ["reuse", questionBody(sql, { ...usual, reuse: "never" }, "heart")],
  ["weights", questionBody(sql, { ...usual, weights: "n=2" }, "heart")],
  ["bounds", questionBody(sql, { ...usual, rowsPerGroup: "2" }, "heart")],
])("%s changed: the price is old, and nothing is asked at it", (_what, other) => {
  expect(priceState(keyOf(other), known, undefined)).toMatchObject({ isStale: true, mayAsk: false })
})

test("without a price nothing is asked: none yet, refused, or not to be had", () => {
  const key = keyOf(body)
  expect(priceState(key, undefined, undefined)).toMatchObject({ isStale: true, mayAsk: false })
  const refused: KnownPrice = { ...known, price: { kind: "issues", issues: [] } }
  expect(priceState(key, refused, undefined)).toMatchObject({ isStale: false, mayAsk: false })
  expect(priceState(key, known, key)).toMatchObject({ price: undefined, hasFailed: true, mayAsk: false })
  expect(priceState(undefined, known, undefined)).toMatchObject({ price: undefined, mayAsk: false })
})
