// The first parts of the demo: noisy counts with their intervals, and a look at the noise itself.

import { numberUp } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { fillDiscreteLaplace, fillRoundedGaussian, type RandomBits } from "@dosimeter/core/noise"
import {
  countSensitivity,
  errorOf,
  gaussianOfRho,
  laplace,
  laplaceWithin,
  lossOf,
  releaseLaplace,
  type LaplaceSpec,
} from "@dosimeter/core/mechanisms"
import { countBy, wards } from "./hospital.ts"
import { bar, beside, columns, percent, roundedUp } from "./plot.ts"
import { showSpent, spentBy, type Patients, type Section } from "./section.ts"

/** Each patient lies in one ward. */
const onePerPatient = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })

/** The Laplace mechanism behind the table of wards. */
export const wardSpec: LaplaceSpec = laplace({ sensitivity: onePerPatient, epsilon: "0.5" })

/** Patients by ward, with intervals. */
export function wardCounts(patients: Patients, rng: RandomBits): Section {
  const exact = countBy(patients, wards.length, ({ ward }) => ward)
  const noisy = releaseLaplace(wardSpec, exact, rng)
  const error = errorOf(wardSpec, "0.95")
  assert(error.kind === "additive", "Laplace noise is added")
  const rows = wards.map((ward, i) => {
    const value = noisy[i] ?? 0n
    const low = value - error.halfWidth
    const high = value + error.halfWidth
    const truth = exact[i] ?? 0n
    return [ward, `${truth}`, `${value}`, `${low} to ${high}`, low <= truth && truth <= high ? "yes" : "no"]
  })
  return {
    title: "Patients by ward, with Laplace noise",
    lines: [
      ...columns("<>>>>", [["ward", "truth", "released", "95 % interval", "covers the truth"], ...rows]),
      `Known before the data is read: 95 % of answers are within ${error.halfWidth} of the truth` +
        ` (standard deviation ${error.standardDeviation.toFixed(2)}).`,
      `${showSpent(spentBy(wardSpec))} Each patient is in one ward only, so five counts cost no more than one.`,
    ],
    spent: spentBy(wardSpec),
  }
}

/** 100,000 draws of the noise beside its exact law; and of Gaussian noise with the same loss. */
export function noiseHistograms(rng: RandomBits): readonly string[] {
  const { rho } = lossOf(wardSpec).zcdp
  const gaussianSpec = gaussianOfRho({ sensitivity: onePerPatient, rho })
  const sigma = Math.sqrt(numberUp(gaussianSpec.variance))
  const draws = new Int32Array(100_000)
  const started = performance.now()
  fillDiscreteLaplace(draws, wardSpec.scale, rng)
  const left = histogram("discrete Laplace, scale 2", draws, laplaceLaw)
  fillRoundedGaussian(draws, gaussianSpec.variance, rng)
  const right = histogram(`rounded Gaussian, sigma ${sigma.toFixed(3)}`, draws, (k) => gaussianLaw(k, sigma))
  const took = performance.now() - started
  return [
    ...beside(left, right),
    `Both lose the same in zCDP, rho ${roundedUp(numberUp(rho))}. Every draw is exact, so the columns differ only by`,
    `chance. 200,000 draws, with everything that is built on first use, took ${took.toFixed(0)} ms.`,
  ]
}

const reach = 7

function histogram(title: string, draws: Int32Array, law: (k: number) => number): readonly string[] {
  const places = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach)
  const counts = new Map<number, number>()
  for (const draw of draws) counts.set(draw, (counts.get(draw) ?? 0) + 1)
  const rows = places.map((k) => {
    const share = (counts.get(k) ?? 0) / draws.length
    return `${`${k}`.padStart(3)} ${bar(share / 0.26, 22)} ${percent(share).padStart(8)} ${percent(law(k)).padStart(8)}`
  })
  return [title, `${"".padEnd(26)} ${"drawn".padStart(8)} ${"exact".padStart(8)}`, ...rows]
}

/** P(k) of the discrete Laplace law, from the library's own P(|X| <= r). */
function laplaceLaw(k: number): number {
  const size = BigInt(Math.abs(k))
  const within = laplaceWithin(wardSpec, size)
  return size === 0n ? within : (within - laplaceWithin(wardSpec, size - 1n)) / 2
}

/** P(k) of the rounded Gaussian: the normal density over [k - 1/2, k + 1/2], by Simpson's rule. */
function gaussianLaw(k: number, sigma: number): number {
  const pieces = 64
  let sum = 0
  for (let i = 0; i <= pieces; i += 1) {
    const x = (k - 0.5 + i / pieces) / sigma
    const weight = i === 0 || i === pieces ? 1 : i % 2 === 1 ? 4 : 2
    sum += weight * Math.exp((-x * x) / 2)
  }
  return sum / (3 * pieces * sigma * Math.sqrt(2 * Math.PI))
}
