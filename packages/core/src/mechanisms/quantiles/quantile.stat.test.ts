import { describe, test } from "vitest"
import type { RandomBits } from "../../random/random-bits.ts"
import { rational } from "../../exact/rational.ts"
import { attack } from "../../testing/attack.ts"
import { quantileTree } from "./quantile-tree.ts"
import { quantiles, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"
import {
  releaseRunningTotal,
  runningTotal,
  runningTotalOfRho,
  type RunningTotalSpec,
} from "../additive/running-total.ts"
import { treeForm } from "../additive/total-forms.ts"

const neighbours = "add-or-remove"

describe("quantiles and totals keep their loss", () => {
  const on = (histogram: readonly bigint[]) => (spec: QuantilesSpec, rng: RandomBits) =>
    releaseQuantiles(spec, histogram, rng).join()

  test("one quantile, and four times the rate is caught", () => {
    const spec = quantiles({ quantiles: ["1/2"], cells: 4, rowsPerUnit: 2, neighbours, epsilon: 2 })
    const pair = [on([3n, 0n, 0n, 3n]), on([3n, 0n, 0n, 5n])] as const
    attack("median", {
      spec,
      measure: "pure",
      on: pair,
      broken: { ...spec, tree: { which: 0, epsilon: rational(8n) } },
    })
  })

  test("three quantiles, and six times the rate is caught", () => {
    const options = {
      quantiles: ["1/4", "1/2", "3/4"],
      cells: 3,
      rowsPerUnit: 1,
      neighbours,
      epsilon: 2,
    } as const
    const spec: QuantilesSpec = { ...quantiles(options), slots: 2n }
    const pair = [on([0n, 0n, 0n]), on([0n, 0n, 1n])] as const
    attack("quartiles", {
      spec,
      measure: "pure",
      on: pair,
      broken: { ...spec, tree: quantileTree(spec.quantiles, { kind: "sum", amount: rational(12n) }) },
    })
  })

  const totals = (first: bigint) => (spec: RunningTotalSpec, rng: RandomBits) => {
    const run = releaseRunningTotal(spec, rng)
    return [run.next(first), run.next(0n)].join()
  }
  const steps = { horizon: 2, stepsPerUnit: 1, amountPerStep: 1, neighbours } as const

  test("a running total by a tree with Laplace noise, and noise for a single level is caught", () => {
    const spec = runningTotal({ ...steps, form: treeForm, epsilon: 2 })
    const broken: RunningTotalSpec = { ...spec, noise: { law: "laplace", scale: rational(1n, 2n) } }
    attack("total", { spec, measure: "pure", on: [totals(1n), totals(0n)], broken })
  })

  test("a running total by fading sums, and noise for the weight of one step is caught", () => {
    const form = { kind: "fading", sixteenths: 16n } as const
    const spec = runningTotalOfRho({ ...steps, form, rho: "1/2" })
    const broken: RunningTotalSpec = { ...spec, noise: { law: "gaussian", variance: rational(1n << 31n) } }
    attack("total", { spec, measure: "gdp", on: [totals(1n), totals(0n)], broken })
  })

  test("a running total by a tree with Gaussian noise, and less than that for a single level is caught", () => {
    const spec = runningTotalOfRho({ ...steps, form: treeForm, rho: "1/2" })
    const broken: RunningTotalSpec = { ...spec, noise: { law: "gaussian", variance: rational(1n, 2n) } }
    attack("total", { spec, measure: "gdp", on: [totals(1n), totals(0n)], broken })
  })
})
