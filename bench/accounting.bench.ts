// Accounting: what a total costs in time, by accountant and number of releases, in units of one transform of
// 2^20 points measured in the same run; and how far its two bounds are apart.

import { rational } from "@dosimeter/core"
import { accountByPld, calibrateSampledGaussian, totalBy, type LossEvent } from "@dosimeter/core/accounting"
import { transform } from "../packages/core/src/accounting/distributions/fft.ts"
import { median } from "./measure.ts"
import { formatTable, short } from "./table.ts"

const delta = rational(1n, 1_000_000n)
const events: readonly { readonly name: string; readonly event: LossEvent }[] = [
  { name: "Laplace, epsilon 0.1", event: { kind: "laplace", amount: 10n, scale: rational(100n) } },
  { name: "randomized response", event: { kind: "response", truth: rational(3n, 4n), categories: 4 } },
  {
    name: "sampled Gaussian",
    event: {
      kind: "sampled-gaussian",
      rate: rational(1n, 100n),
      sigma: rational(1n),
      neighbours: "add-or-remove",
    },
  },
]

/** Runs the suite and returns the medians for the history. */
export function benchAccounting(options: { readonly quick: boolean }): Readonly<Record<string, number>> {
  const rounds = options.quick ? 1 : 3
  const unit = median(Array.from({ length: 5 }, () => secondsOf(oneTransform)))
  console.log(
    `One transform of 2^20 points takes ${short(unit * 1000)} ms; times are medians of ${rounds}.\n`,
  )
  const medians: Record<string, number> = { "transform ms": unit * 1000 }
  const rows = [
    ["releases of", "times", "epsilon at most", "at least", "seconds", "transforms", "Rényi epsilon"],
  ]
  for (const { name, event } of events) {
    for (const count of [1, 100, 10_000]) {
      const planned = [{ event, count }]
      let bounds = { lower: 0, upper: 0 }
      const seconds = median(
        Array.from({ length: rounds }, () =>
          secondsOf(() => {
            bounds = accountByPld(planned).epsilonAt(1e-6)
          }),
        ),
      )
      const renyi = totalBy("renyi", planned, delta).epsilon
      medians[`${name} x ${count} transforms`] = seconds / unit
      rows.push([
        name,
        `${count}`,
        bounds.upper.toFixed(4),
        bounds.lower.toFixed(4),
        short(seconds),
        short(seconds / unit),
        renyi.toFixed(4),
      ])
    }
  }
  console.log(`${formatTable(rows)}\n`)
  const target = {
    epsilon: 3,
    delta: "1e-5",
    releases: 10_000,
    rate: "0.01",
    neighbours: "add-or-remove",
  } as const
  const calibration = secondsOf(() => calibrateSampledGaussian(target))
  console.log(`Noise for 10,000 steps of private learning, found and certified in ${short(calibration)} s.`)
  const slowest = Math.max(
    ...Object.entries(medians).flatMap(([name, value]) => (name.endsWith("transforms") ? [value] : [])),
  )
  console.log(
    `at most: 10,000-fold composition: 10 s ${slowest * unit <= 10 ? "met" : "missed"} (${short(slowest * unit)} s)`,
  )
  return { ...medians, "calibration s": calibration }
}

function oneTransform(): void {
  const re = new Float64Array(2 ** 20).fill(2 ** -20)
  transform({ re, im: new Float64Array(2 ** 20) })
}

function secondsOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
