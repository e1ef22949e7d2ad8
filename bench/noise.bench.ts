// Noise: how near the samplers come to the speed of the random generator, how far ahead of the plain BigInt
// samplers of the tests they are, what a single draw costs, and whether its time tells its size.

import { rational } from "@dosimeter/core"
import {
  sampleDiscreteLaplace,
  sampleRoundedGaussian,
  systemBits,
  type RandomBits,
} from "@dosimeter/core/noise"
import { bitSourceOf, referenceDiscreteLaplace, referenceRoundedGaussian } from "@dosimeter/core/testing"
import { correlateTime } from "./correlation.ts"
import { countBytes, measureGroups, median, medianRatio, type Group, type Times } from "./measure.ts"
import { csprng, lawGroup, otherGroup, scales, type Law } from "./noise-candidates.ts"
import { noiseVerdicts, type Figures, type NoiseFigures, type TimingLeak } from "./noise-goals.ts"
import { formatTable, percent, short } from "./table.ts"

const laws: readonly Law[] = ["laplace", "gaussian"]

/** Runs the suite, prints its tables and verdicts, and returns the medians for the history. */
export function benchNoise(options: { readonly quick: boolean }): Readonly<Record<string, number>> {
  const rng = systemBits()
  const groups = [...laws.flatMap((law) => scales.map((scale) => lawGroup(law, scale))), otherGroup()]
  const rounds = options.quick ? 3 : 11
  console.log(`CPU time, medians of ${rounds} rounds of about 10 ms. Random bytes are included.`)
  const times = measureGroups(groups, rounds, rng)
  const leaks = timingLeaks(options.quick ? 50_000 : 200_000, rng)
  // Last, because the counting source is a second kind of RandomBits: code that has seen two is slower.
  const figures = figuresOf(groups, times, rng)
  const perByte = median([...times.values()].flatMap((group) => group.get(csprng.name) ?? []))
  console.log(`Random bytes: ${short(1 / perByte)} GB/s from getRandomValues in pieces of 64 KiB.\n`)
  for (const law of laws) console.log(`${formatTable(lawRows(law, figures))}\n`)
  console.log(`${formatTable(otherRows(figures))}\n`)
  console.log(`${formatTable(leakRows(leaks))}\n`)
  for (const line of noiseVerdicts(figures, leaks)) console.log(line)
  return { ...medians(figures), ...leakMedians(leaks), "csprng ns/byte": perByte }
}

function figuresOf(
  groups: readonly Group[],
  measured: ReadonlyMap<string, Times>,
  rng: RandomBits,
): NoiseFigures {
  const ofGroup = ({ name, candidates }: Group): ReadonlyMap<string, Figures> => {
    const times = measured.get(name)
    const own = (candidate: string): readonly number[] => times?.get(candidate) ?? []
    return new Map(
      candidates
        .filter((candidate) => candidate !== csprng)
        .map((candidate) => {
          const bytes = countBytes(candidate, rng)
          return [
            candidate.name,
            {
              nanoseconds: median(own(candidate.name)),
              bytes,
              ofLimit: bytes * medianRatio(own(csprng.name), own(candidate.name)),
              timesBigint: medianRatio(own("bigint"), own(candidate.name)),
            },
          ]
        }),
    )
  }
  return new Map(groups.map((group) => [group.name, ofGroup(group)]))
}

/** How single draws' times go with their sizes. */
function timingLeaks(calls: number, rng: RandomBits): readonly TimingLeak[] {
  const bits = bitSourceOf(rng)
  const laplace = (scale: bigint): TimingLeak => ({
    name: `Laplace ${scale}`,
    sampler: correlateTime(() => sampleDiscreteLaplace(rational(scale), rng), calls),
    bigint: correlateTime(() => referenceDiscreteLaplace(rational(scale), bits), calls / 4),
  })
  const gaussian = (sigma: bigint): TimingLeak => ({
    name: `Gaussian ${sigma}`,
    sampler: correlateTime(() => sampleRoundedGaussian(rational(sigma * sigma), rng), calls),
    bigint: correlateTime(() => referenceRoundedGaussian(rational(sigma * sigma), bits), calls / 4),
  })
  return [laplace(1n), laplace(1000n), gaussian(10n), gaussian(1000n)]
}

function lawRows(law: Law, figures: NoiseFigures): readonly (readonly string[])[] {
  const title = law === "laplace" ? "discrete Laplace" : "rounded Gaussian"
  return [
    [title, "bytes", "JavaScript", "", "", "WebAssembly", "", "fill", "", "one-shot", "BigInt"],
    ["scale", "a draw", "ns", "of limit", "x BigInt", "ns", "of limit", "ns", "of limit", "ns", "ns"],
    ...scales.map(({ name }) => {
      const group = figures.get(`${law} ${name}`)
      const fill = group?.get("fill")
      const script = group?.get("script") ?? fill
      const wasm = group?.get("wasm")
      return [
        name,
        short(script?.bytes),
        short(script?.nanoseconds),
        percent(script?.ofLimit),
        short(script?.timesBigint),
        short(wasm?.nanoseconds),
        percent(wasm?.ofLimit),
        short(fill?.nanoseconds),
        percent(fill?.ofLimit),
        short(group?.get("one-shot")?.nanoseconds),
        short(group?.get("bigint")?.nanoseconds),
      ]
    }),
  ]
}

function otherRows(figures: NoiseFigures): readonly (readonly string[])[] {
  const rows = [...(figures.get("others") ?? [])]
  return [
    ["other draws", "bytes", "ns", "of limit"],
    ...rows.map(([name, { nanoseconds, bytes, ofLimit }]) => [
      name,
      short(bytes),
      short(nanoseconds),
      percent(ofLimit),
    ]),
  ]
}

function leakRows(leaks: readonly TimingLeak[]): readonly (readonly string[])[] {
  const signed = (value: number): string => value.toFixed(3)
  return [
    ["time of one draw against |draw|", "Pearson", "Spearman", "BigInt: Pearson", "Spearman"],
    ...leaks.map(({ name, sampler, bigint }) => [
      name,
      signed(sampler.pearson),
      signed(sampler.spearman),
      signed(bigint.pearson),
      signed(bigint.spearman),
    ]),
  ]
}

function medians(figures: NoiseFigures): Record<string, number> {
  const entries = [...figures].flatMap(([group, candidates]) =>
    [...candidates].flatMap(([name, { nanoseconds, bytes, ofLimit, timesBigint }]) => [
      [`${group}, ${name}, ns`, nanoseconds] as const,
      [`${group}, ${name}, bytes`, bytes] as const,
      [`${group}, ${name}, of limit`, ofLimit] as const,
      ...(Number.isNaN(timesBigint) ? [] : [[`${group}, ${name}, x BigInt`, timesBigint] as const]),
    ]),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, Number(value.toPrecision(4))]))
}

function leakMedians(leaks: readonly TimingLeak[]): Record<string, number> {
  return Object.fromEntries(
    leaks.flatMap(({ name, sampler }) => [
      [`leak ${name}, Pearson`, Number(sampler.pearson.toFixed(4))],
      [`leak ${name}, Spearman`, Number(sampler.spearman.toFixed(4))],
    ]),
  )
}
