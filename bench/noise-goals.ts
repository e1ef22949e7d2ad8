// What the noise benchmark finds, the goals for it, and whether a run met them.

import type { Correlation } from "./correlation.ts"
import { percent, short } from "./table.ts"

/** What was found of one candidate: medians over the rounds. */
export interface Figures {
  readonly nanoseconds: number
  readonly bytes: number
  /** The share of its time that its random bytes alone would take. */
  readonly ofLimit: number
  /** How many times faster than the BigInt sampler of its group, where there is one. */
  readonly timesBigint: number
}

/** Figures by group ("laplace 10") and candidate ("script"). */
export type NoiseFigures = ReadonlyMap<string, ReadonlyMap<string, Figures>>

/** One timing experiment: the sampler and, beside it, the BigInt sampler. */
export interface TimingLeak {
  readonly name: string
  readonly sampler: Correlation
  readonly bigint: Correlation
}

const smallScales = ["0.5", "1", "10"]
const largeScales = ["1000", "1e6", "2^40"]
const oneShotScales = ["0.5", "1", "10", "1000", "1e6"]

/** One line for each goal: met, or by how much it was missed and where. */
export function noiseVerdicts(figures: NoiseFigures, leaks: readonly TimingLeak[]): readonly string[] {
  const script = (group: ReadonlyMap<string, Figures>): Figures | undefined =>
    group.get("script") ?? group.get("fill")
  const at = (names: readonly string[], pick: typeof script): readonly Place[] =>
    ["laplace", "gaussian"].flatMap((law) =>
      names.map((name) => {
        const place = `${law} ${name}`
        const group = figures.get(place)
        return { place, figures: group === undefined ? undefined : pick(group) }
      }),
    )
  const small = at(smallScales, script)
  const large = at(largeScales, script)
  const wasm = at(smallScales, (group) => group.get("wasm"))
  const oneShot = at(oneShotScales, (group) => group.get("one-shot"))
  const correlations = leaks.flatMap(({ name, sampler }) => [
    { place: `${name}, Pearson`, value: Math.abs(sampler.pearson) },
    { place: `${name}, Spearman`, value: Math.abs(sampler.spearman) },
  ])
  const factor = (value: number): string => `${short(value)} x`
  return [
    atLeast("scale up to 10, JavaScript: 13 % of the limit", 0.13, limits(small), percent),
    atLeast("scale up to 10, JavaScript: 300 x BigInt", 300, factors(small), factor),
    atLeast("scale 1000 and up, JavaScript: 9 % of the limit", 0.09, limits(large), percent),
    atLeast("scale 1000 and up, JavaScript: 100 x BigInt", 100, factors(large), factor),
    atLeast("scale up to 10, WebAssembly: 25 % of the limit", 0.25, limits(wasm), percent),
    atMost("one draw with a fresh scale: 250 ns", 250, costs(oneShot), (value) => `${short(value)} ns`),
    atMost("time against |draw|: correlation of 0.05", 0.05, correlations, (value) => value.toFixed(3)),
  ]
}

interface Place {
  readonly place: string
  readonly figures: Figures | undefined
}

interface Value {
  readonly place: string
  readonly value: number
}

const limits = (places: readonly Place[]): readonly Value[] =>
  places.map(({ place, figures }) => ({ place, value: figures?.ofLimit ?? Number.NaN }))
const factors = (places: readonly Place[]): readonly Value[] =>
  places.map(({ place, figures }) => ({ place, value: figures?.timesBigint ?? Number.NaN }))
const costs = (places: readonly Place[]): readonly Value[] =>
  places.map(({ place, figures }) => ({ place, value: figures?.nanoseconds ?? Number.NaN }))

type Show = (value: number) => string

function atLeast(goal: string, bound: number, values: readonly Value[], show: Show): string {
  const [worst] = values.toSorted((a, b) => a.value - b.value)
  return verdict(
    `at least: ${goal}`,
    values.every(({ value }) => value >= bound),
    worst,
    show,
  )
}

function atMost(goal: string, bound: number, values: readonly Value[], show: Show): string {
  const [worst] = values.toSorted((a, b) => b.value - a.value)
  return verdict(
    `at most: ${goal}`,
    values.every(({ value }) => value <= bound),
    worst,
    show,
  )
}

function verdict(goal: string, met: boolean, worst: Value | undefined, show: Show): string {
  const where = worst === undefined ? "not measured" : `${show(worst.value)}, ${worst.place}`
  return `${goal.padEnd(60)}  ${met ? `met (worst ${where})` : `missed (${where})`}`
}
