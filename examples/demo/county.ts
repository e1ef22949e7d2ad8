// A county's table that contradicts itself after noise, made consistent for free; and what a hundred
// questions cost under each accountant.

import { numberUp, rational, whatIf, type RandomBits } from "@dosimeter/core"
import {
  countSensitivity,
  gaussianOfRho,
  joinSensitivities,
  lossIn,
  releaseGaussian,
  showLoss,
} from "@dosimeter/core/mechanisms"
import { gaussianEstimate, intervalOf, reconcileMargins, type ReleasedMargin } from "@dosimeter/core/post"
import { bar, columns, wrap } from "./plot.ts"

const ages = ["0-17", "18-39", "40-64", "65 and over"]
const sexes = ["female", "male"]
/** People with the condition, by age and sex: made up. */
const truth = [
  [31, 44],
  [212, 187],
  [305, 391],
  [488, 402],
]
const sizes = { age: ages.length, sex: sexes.length }

/** The table with all its margins, before and after they are made to agree. */
export function countyTable(rng: RandomBits): readonly string[] {
  // Each person is in one cell of the table, one age, one sex and the total: four counts, one vector.
  const one = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
  const spec = gaussianOfRho({ sensitivity: joinSensitivities([one, one, one, one]), rho: "0.02" })
  const exact = marginsOf(truth)
  const noisy = releaseGaussian(spec, exact.flatMap(({ values }) => values).map(BigInt), rng).map(Number)
  const variance = numberUp(spec.variance)
  let next = 0
  const measured = exact.map(({ attributes, values }): ReleasedMargin => {
    const own = noisy.slice(next, next + values.length)
    next += values.length
    return { attributes, values: own, variance, law: "gaussian" }
  })
  const agreed = reconcileMargins({ sizes, measured })
  return [
    "As released:                                      Made consistent, at no cost:",
    ...sideBySide(render(measured), render(agreed)),
    ...wrap(`On the left rows and columns do not add up to their margins. On the right every sum agrees (to
      the rounding shown), and because each count is now known in several ways, the intervals are narrower.
      Cost: ${showLoss(lossIn(spec, "zcdp"))} for the left; the right is post-processing.`),
  ]
}

/** A hundred counts at epsilon 0.1: the total under each accountant. */
export function hundredQuestions(): readonly string[] {
  const event = { kind: "laplace", amount: 1n, scale: rational(10n) } as const
  const totals = whatIf([{ event, count: 100 }], "1e-6")
  const most = Math.max(...totals.map(({ epsilon }) => epsilon))
  return [
    ...columns(
      "<<><",
      totals.map(({ accountant, epsilon, adaptive }) => [
        accountant,
        bar(epsilon / most, 40),
        epsilon.toFixed(2),
        adaptive ? "also when questions depend on answers" : "decided beforehand",
      ]),
    ),
    ...wrap(`The epsilon at delta 1e-6 of 100 counts with Laplace noise, epsilon 0.1 each. All are right; the
      least may be used. For an open-ended stream of questions the budget is kept by a filter that adds up as
      in the rows marked so.`),
  ]
}

function marginsOf(
  table: readonly (readonly number[])[],
): { attributes: readonly string[]; values: number[] }[] {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  const bySex = sexes.map((_, i) => sum(table.map((row) => row[i] ?? 0)))
  return [
    { attributes: ["age", "sex"], values: table.flat() },
    { attributes: ["age"], values: table.map(sum) },
    { attributes: ["sex"], values: bySex },
    { attributes: [], values: [sum(bySex)] },
  ]
}

function render(margins: readonly ReleasedMargin[]): readonly string[] {
  const [cells, byAge, bySex, all] = margins
  const show = (margin: ReleasedMargin | undefined, i: number): string => (margin?.values[i] ?? 0).toFixed(0)
  const width = (margin: ReleasedMargin | undefined): string => {
    const { upper } = intervalOf(gaussianEstimate({ value: 0, sigmaSquared: margin?.variance ?? 1 }), 0.95)
    return `±${upper.toFixed(0)}`
  }
  return columns("<>>>", [
    ["", ...sexes, "all"],
    ...ages.map((age, i) => [age, show(cells, 2 * i), show(cells, 2 * i + 1), show(byAge, i)]),
    ["all", show(bySex, 0), show(bySex, 1), show(all, 0)],
    ["95 % interval", width(cells), width(bySex), width(all)],
  ])
}

function sideBySide(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.map((line, i) => `${line.padEnd(50)}${right[i] ?? ""}`)
}
