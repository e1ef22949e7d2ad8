import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { Boundary, RelColumn } from "@dosimeter/proof/algebra/rel"
import { keyLists } from "./key-lists.ts"

/** A boundary whose keys are whole numbers from 1, up to the numbers that are given. */
function boundaryOf(tops: readonly number[], seen: () => void = () => {}): Boundary {
  const columns = tops.map((top, index): RelColumn => {
    const domain: Domain = {
      type: { kind: "integer" },
      nullable: false,
      get range() {
        seen()
        return {
          min: { value: rational(1n), declared: true },
          max: { value: rational(BigInt(top)), declared: true },
        }
      },
    }
    return { id: index, name: `k${index}`, domain }
  })
  return {
    input: { kind: "values", columns, rows: [] },
    keys: columns.map(({ id }) => id),
  } as unknown as Boundary
}

test("keys are listed up to a number of combinations", () => {
  expect(keyLists(boundaryOf([100, 100]))?.count).toBe(10_000)
  expect(keyLists(boundaryOf([100, 101]))).toBeUndefined()
  expect(keyLists(boundaryOf([10_000, 1, 1]))?.count).toBe(10_000)
  expect(keyLists(boundaryOf([]))?.count).toBe(1)
})

test("where there are too many already, no further key is looked at", () => {
  let looks = 0
  const many = Array.from({ length: 1_000 }, () => 10_000)
  expect(keyLists(boundaryOf(many, () => (looks += 1)))).toBeUndefined()
  expect(looks).toBe(2)
})
