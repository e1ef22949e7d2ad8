import { expect, test } from "vitest"
import { classSizes, labPerson, publish } from "../chapters/coarse-tables.ts"
import {
  labAnswers,
  labBelief,
  labEpsilonFor,
  labEpsilons,
  labHalfWidth,
  labMechanism,
  labPlaceOf,
  labRelative,
  labRight,
  labTotal,
} from "./lab-model.ts"

test.each([2, 3, 4, 5, 6])("both tables are %d-anonymous, and together they tell the diagnosis", (k) => {
  const { tables, common } = publish(k)
  expect(tables).toHaveLength(2)
  for (const { rows, own } of tables) {
    expect(classSizes(rows)[0]).toBeGreaterThanOrEqual(k)
    expect(own.length).toBeGreaterThanOrEqual(k)
    expect(new Set(own.map(({ diagnosis }) => diagnosis)).size).toBeGreaterThan(1)
  }
  expect(common).toEqual([labPerson.diagnosis])
})

test("the epsilon for a wanted accuracy gives that accuracy, and a hundredth less does not", () => {
  const epsilon = labEpsilonFor("400", "5") ?? ""
  expect(labRelative(labMechanism(epsilon), 400)).toBeLessThanOrEqual(5)
  expect(labRelative(labMechanism(`${Number(epsilon) * 0.99}`), 400)).toBeGreaterThan(5)
})

test.each([
  ["", "5"],
  ["0", "5"],
  ["12.5", "5"],
  ["400", "0"],
  ["400", "101"],
  ["400", "x"],
])("a group of %j within %j percent is no question", (size, percent) => {
  expect(labEpsilonFor(size, percent)).toBeUndefined()
})

test("odds, accuracy of an attacker and totals come from the core", () => {
  expect(labBelief("0.5", "0.1").upper).toBeCloseTo(0.154828, 6)
  expect(labBelief("0.5", "0.1").oddsFactor).toBeCloseTo(Math.exp(0.5), 9)
  expect(labRight("0.5")).toBeCloseTo(0.62246, 5)
  expect(labTotal("0.5", 10)).toMatchObject({ questions: 10, plain: 5 })
  // Many small losses: rho adds up more slowly than epsilon.
  const many = labTotal("0.1", 500)
  expect(many.byRho).toBeLessThan(many.plain)
})

test("answers have the interval of their mechanism; the slider finds the nearest epsilon", () => {
  const spec = labMechanism("0.5")
  const half = labHalfWidth(spec)
  for (const { value, low, high, exact, isHit } of labAnswers(spec)) {
    expect([low, high]).toEqual([value - half, value + half])
    expect(isHit).toBe(exact >= low && exact <= high)
  }
  expect(labEpsilons[labPlaceOf("0.5382")]).toBe("0.5")
})
