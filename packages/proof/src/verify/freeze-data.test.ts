import { expect, test } from "vitest"
import { freezeData } from "./freeze-data.ts"

const rejected = expect.objectContaining({ code: "bug/plan-rejected" })

test("nothing in a value can be changed afterwards, however deep, and shared parts neither", () => {
  const shared = { list: [1n, 2n] }
  const value = { a: [{ b: { c: "text" } }], one: shared, two: [shared] }
  freezeData(value)
  expect(() => {
    const [first] = value.a
    if (first !== undefined) first.b.c = "other"
  }).toThrow(TypeError)
  expect(() => shared.list.push(3n)).toThrow(TypeError)
  expect(() => Object.assign(value, { one: { list: [] } })).toThrow(TypeError)
  expect(() => Object.assign(value, { more: 1 })).toThrow(TypeError)
})

test.each([
  ["a map, whose entries no freezing keeps", { a: new Map([[1, 2]]) }],
  ["a list with another prototype", { a: Object.setPrototypeOf([1], { length: 0 }) }],
  ["a date", { a: new Date(0) }],
  ["a function", { a: (): number => 1 }],
  [
    "a property that is computed when it is read",
    {
      get a(): number {
        return 1
      },
    },
  ],
])("%s is rejected", (_, value) => {
  expect(() => freezeData({ deep: [value] })).toThrow(rejected)
})

test("what a rejected walk has met is walked again", () => {
  const below = { date: new Date(0) }
  const above = { below }
  expect(() => freezeData(above)).toThrow(rejected)
  expect(() => freezeData(above)).toThrow(rejected)
})
