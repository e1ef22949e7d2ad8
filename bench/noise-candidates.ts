// What the noise benchmark times. Each kind of loop is a function of its own, so that the engine compiles it
// for what it calls and for nothing else.

import { gaussian, countSensitivity, rational, type Rational } from "@dosimeter/core"
import {
  bernoulli,
  fillBernoulliBits,
  fillDiscreteLaplace,
  fillGeometric,
  fillPoisson,
  fillRoundedGaussian,
  fillSkellam,
  sampleBinomial,
  sampleDiscreteLaplace,
  sampleNoisyArgmax,
  sampleRoundedGaussian,
  sampleSoftmax,
  shuffledIndices,
  uniformBelow,
  type NoiseArray,
  type RandomBits,
} from "@dosimeter/core/noise"
import { bitSourceOf, referenceDiscreteLaplace, referenceRoundedGaussian } from "@dosimeter/core/testing"
import { laplaceOracle, roundedGaussianOracle } from "../packages/core/src/noise/cdf-oracles.ts"
import { LazyTable } from "../packages/core/src/noise/lazy-table.ts"
import { fillWith, loadKernel, lookUpInScript } from "../packages/core/src/noise/look-up.ts"
import type { Candidate, Group } from "./measure.ts"

/** The two laws that mechanisms use. */
export type Law = "laplace" | "gaussian"

/** A scale to measure at: a standard deviation for the Gaussian. */
export interface Scale {
  readonly name: string
  readonly value: Rational
}

/** The scales that are measured. */
export const scales: readonly Scale[] = [
  { name: "0.5", value: rational(1n, 2n) },
  { name: "1", value: rational(1n) },
  { name: "10", value: rational(10n) },
  { name: "1000", value: rational(1000n) },
  { name: "1e6", value: rational(1_000_000n) },
  { name: "2^40", value: rational(1n << 40n) },
]

/** The reference of every group: nanoseconds per byte of the system's generator. */
export const csprng: Candidate = {
  name: "csprng",
  draws: 65536,
  run: (times) => {
    for (let i = 0; i < times; i += 1) crypto.getRandomValues(randomBytes)
  },
}

/** Everything about one law at one scale; the names of the candidates are the columns of the table. */
export function lawGroup(law: Law, scale: Scale): Group {
  const isLaplace = law === "laplace"
  const parameter = isLaplace ? scale.value : squared(scale.value)
  const out = asNumber(scale.value) <= 2 ** 24 ? intBatch : floatBatch
  const fill = isLaplace ? fillLaplaceLoop(out, parameter) : fillGaussianLoop(out, parameter)
  const fresh = freshParameters(parameter)
  const candidates: Candidate[] = [
    csprng,
    { name: "fill", draws: out.length, run: fill },
    { name: "one-shot", draws: 1, run: isLaplace ? oneLaplaceLoop(fresh) : oneGaussianLoop(fresh) },
    { name: "bigint", draws: 1, run: isLaplace ? bigLaplaceLoop(parameter) : bigGaussianLoop(parameter) },
  ]
  if (asNumber(scale.value) > 64) {
    // Without a table there is one loop only, and `fill` is it.
    return { name: `${law} ${scale.name}`, candidates }
  }
  const table = new LazyTable(isLaplace ? laplaceOracle(parameter) : roundedGaussianOracle(parameter))
  candidates.push({ name: "script", draws: out.length, run: scriptLoop(table) })
  if (kernel !== undefined) candidates.push({ name: "wasm", draws: out.length, run: kernelLoop(table) })
  return { name: `${law} ${scale.name}`, candidates }
}

/** Other laws and uses, briefly. */
export function otherGroup(): Group {
  const p = rational(3n, 10n)
  const calibrated = gaussian({
    sensitivity: countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" }),
    epsilon: "0.7",
    delta: "1e-9",
  }).variance
  const scores = Array.from({ length: 1000 }, (_, i) => BigInt((i * 7919) % 1000))
  const rate = rational(1n, 20n)
  return {
    name: "others",
    candidates: [
      csprng,
      loop("geometric 10, batch", batchSize, (rng) => fillGeometric(intBatch, rational(10n), rng)),
      loop("Poisson 10, batch", batchSize, (rng) => fillPoisson(intBatch, rational(10n), rng)),
      loop("Poisson 1000, batch", batchSize, (rng) => fillPoisson(intBatch, rational(1000n), rng)),
      loop("Skellam 10, batch", batchSize, (rng) => fillSkellam(intBatch, rational(10n), rng)),
      loop("binomial 100, 0.3", 1, (rng) => sampleBinomial(100n, p, rng)),
      loop("binomial 1023, 0.3", 1, (rng) => sampleBinomial(1023n, p, rng)),
      loop("Bernoulli 0.3, one", 1, (rng) => bernoulli(p, rng)),
      loop("Bernoulli 0.3, each of many bits", 32 * bits.length, (rng) => fillBernoulliBits(bits, p, rng)),
      loop("uniform below 1000", 1, (rng) => uniformBelow(1000, rng)),
      loop("uniform below 3e9", 1, (rng) => uniformBelow(3_000_000_000, rng)),
      loop("shuffle 100,000, each", 100_000, (rng) => shuffledIndices(100_000, rng)),
      loop("softmax of 1000, each", 1000, (rng) => sampleSoftmax({ scores }, rate, rng)),
      loop("permute-and-flip of 1000, each", 1000, (rng) =>
        sampleNoisyArgmax(scores, rate, "exponential", rng),
      ),
      loop("Laplace 1 into doubles, batch", batchSize, (rng) =>
        fillDiscreteLaplace(floatBatch, rational(1n), rng),
      ),
      loop("Laplace 1, batches of 8", 8, (rng) => fillDiscreteLaplace(smallBatch, rational(1n), rng)),
      loop("Gaussian 0.7, 1e-9, one-shot", 1, (rng) => sampleRoundedGaussian(calibrated, rng)),
    ],
  }
}

const batchSize = 65536
const intBatch = new Int32Array(batchSize)
const floatBatch = new Float64Array(batchSize)
const smallBatch = new Float64Array(8)
const bits = new Uint32Array(16384)
const randomBytes = new Uint32Array(16384)
const kernel = loadKernel()
/** Where results go, so that no engine may leave out the work. */
export const sink: { last: unknown } = { last: undefined }

/** A loop around anything; for the other laws, where one more call does not matter. */
function loop(name: string, draws: number, work: (rng: RandomBits) => unknown): Candidate {
  return {
    name,
    draws,
    run: (times, rng) => {
      for (let i = 0; i < times; i += 1) sink.last = work(rng)
    },
  }
}

type Loop = Candidate["run"]

function scriptLoop(table: LazyTable): Loop {
  return (times, rng) => {
    for (let i = 0; i < times; i += 1) sink.last = fillWith(lookUpInScript, { out: intBatch, table, rng })
  }
}

function kernelLoop(table: LazyTable): Loop {
  return (times, rng) => {
    if (kernel === undefined) return
    for (let i = 0; i < times; i += 1) sink.last = fillWith(kernel, { out: intBatch, table, rng })
  }
}

function fillLaplaceLoop(out: NoiseArray, scale: Rational): Loop {
  return (times, rng) => {
    for (let i = 0; i < times; i += 1) sink.last = fillDiscreteLaplace(out, scale, rng)
  }
}

function fillGaussianLoop(out: NoiseArray, variance: Rational): Loop {
  return (times, rng) => {
    for (let i = 0; i < times; i += 1) sink.last = fillRoundedGaussian(out, variance, rng)
  }
}

function oneLaplaceLoop(fresh: readonly Rational[]): Loop {
  return (times, rng) => {
    for (let i = 0; i < times; i += 1) sink.last = sampleDiscreteLaplace(fresh[i % fresh.length] ?? one, rng)
  }
}

function oneGaussianLoop(fresh: readonly Rational[]): Loop {
  return (times, rng) => {
    for (let i = 0; i < times; i += 1) sink.last = sampleRoundedGaussian(fresh[i % fresh.length] ?? one, rng)
  }
}

function bigLaplaceLoop(scale: Rational): Loop {
  return (times, rng) => {
    const source = bitSourceOf(rng)
    for (let i = 0; i < times; i += 1) sink.last = referenceDiscreteLaplace(scale, source)
  }
}

function bigGaussianLoop(variance: Rational): Loop {
  return (times, rng) => {
    const source = bitSourceOf(rng)
    for (let i = 0; i < times; i += 1) sink.last = referenceRoundedGaussian(variance, source)
  }
}

const one = rational(1n)

/** 4096 different parameters, up to 4 % above the one given. */
function freshParameters({ numerator, denominator }: Rational): readonly Rational[] {
  return Array.from({ length: 4096 }, (_, i) =>
    rational(numerator * (100_000n + BigInt(i)), denominator * 100_000n),
  )
}

function squared(value: Rational): Rational {
  return rational(value.numerator ** 2n, value.denominator ** 2n)
}

function asNumber(value: Rational): number {
  return Number(value.numerator) / Number(value.denominator)
}
