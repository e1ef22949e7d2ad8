import { expect, test } from "vitest"
import { rational } from "../exact/rational.ts"
import { showLoss, type Loss } from "./loss.ts"

const zero = rational(0n)
const billionth = rational(1n, 1_000_000_000n)

test.each<[string, Loss]>([
  ["epsilon 0.5", { measure: "pure", epsilon: rational(1n, 2n) }],
  ["epsilon 1, delta 1e-9", { measure: "approx", epsilon: rational(1n), delta: billionth }],
  ["epsilon 1", { measure: "approx", epsilon: rational(1n), delta: zero }],
  ["rho 0.125", { measure: "zcdp", rho: rational(1n, 8n), delta: zero }],
  ["rho 0.125, delta 1e-9", { measure: "zcdp", rho: rational(1n, 8n), delta: billionth }],
  ["mu squared 0.25", { measure: "gdp", muSquared: rational(1n, 4n), delta: zero }],
  ["mu squared 0.25, delta 1e-9", { measure: "gdp", muSquared: rational(1n, 4n), delta: billionth }],
  ["rho 0.333334", { measure: "zcdp", rho: rational(1n, 3n), delta: zero }],
  ["epsilon 0.666667", { measure: "pure", epsilon: rational(2n, 3n) }],
])("shows a loss as %s", (text, loss) => {
  expect(showLoss(loss)).toBe(text)
})
