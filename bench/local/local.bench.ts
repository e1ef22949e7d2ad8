// The local model: reports encoded in a second, counted in a second, decoded for up to a million values, and
// the squared error of every protocol beside its formula and beside the best one at the same epsilon.

import { seededBits } from "@dosimeter/core/testing"
import { countersFor, estimateFrequencies, frequencyVariance } from "@dosimeter/core/collect"
import {
  hadamardProtocol,
  hashingProtocol,
  karyProtocol,
  projectiveProtocol,
  releaseReport,
  subsetProtocol,
  systemBits,
  unaryProtocol,
  type FrequencyProtocol,
} from "@dosimeter/core/local"
import { formatTable, short } from "../table.ts"
import { encodeInBrowser, type EncoderName } from "./encode-in-browser.ts"

type Medians = Readonly<Record<string, number>>

/** Runs the suite. */
export async function benchLocal({ quick }: { readonly quick: boolean }): Promise<Medians> {
  const inNode = speeds(quick)
  return { ...inNode, ...(await browserSpeeds(inNode, quick)), ...decoding(quick), ...errors(quick) }
}

const inBrowser: readonly (readonly [string, EncoderName])[] = [
  ["k-ary", "karyProtocol"],
  ["subset", "subsetProtocol"],
  ["unary", "unaryProtocol"],
  ["Hadamard", "hadamardProtocol"],
]

async function browserSpeeds(inNode: Medians, quick: boolean): Promise<Medians> {
  const names = inBrowser.map(([, maker]) => maker)
  const rates = await encodeInBrowser(names, { values, ms: quick ? 100 : 500 })
  if (rates === undefined) {
    console.log("\nNo Chromium: reports encoded in a browser are not measured")
    return {}
  }
  const rows = inBrowser.map(([name, maker]) => ({ name, rate: rates.get(maker) ?? 0 }))
  console.log("\nThe same in Chromium, by the clock\n")
  const cells = rows.map(({ name, rate }) => [
    name,
    short(rate),
    short(rate / (inNode[`${name} encoded/s`] ?? 1)),
  ])
  console.log(formatTable([["protocol", "encoded/s", "to Node"], ...cells]))
  return Object.fromEntries(rows.map(({ name, rate }) => [`${name} encoded/s in Chromium`, rate]))
}

const makers: readonly (readonly [string, (values: number, epsilon: number) => FrequencyProtocol])[] = [
  ["k-ary", (values, epsilon) => karyProtocol({ values, epsilon })],
  ["subset", (values, epsilon) => subsetProtocol({ values, epsilon })],
  ["unary", (values, epsilon) => unaryProtocol({ values, epsilon })],
  ["Hadamard", (values, epsilon) => hadamardProtocol({ values, epsilon })],
  ["projective", (values, epsilon) => projectiveProtocol({ values, epsilon })],
  ["hashing", (values, epsilon) => hashingProtocol({ bits: Math.ceil(Math.log2(values)), epsilon })],
]

const values = 128

/** Candidates for hashing: every value. */
function countersOf(protocol: FrequencyProtocol, count: number): ReturnType<typeof countersFor> {
  if (protocol.kind !== "hashing") return countersFor(protocol)
  return countersFor(protocol, { candidates: [Array.from({ length: count }, (_, value) => value)] })
}

function speeds(quick: boolean): Medians {
  const ms = quick ? 100 : 500
  const rng = systemBits()
  const rows = makers.map(([name, make]) => {
    const protocol = make(values, 1)
    const payloads = Array.from({ length: 200 }, (_, i) => releaseReport(protocol, i % values, rng))
    const counters = countersOf(protocol, values)
    const encode = perSecond(ms, (i) => releaseReport(protocol, i % values, rng))
    const count = perSecond(ms, (i) => counters.add(payloads[i % 200] ?? new Uint8Array(0)))
    return { name, encode, count, bytes: payloads[0]?.length ?? 0 }
  })
  console.log(`\nReports of ${values} values at epsilon 1, one core\n`)
  const cells = rows.map(({ name, encode, count, bytes }) => [name, short(encode), short(count), `${bytes}`])
  console.log(formatTable([["protocol", "encoded/s", "counted/s", "bytes"], ...cells]))
  return Object.fromEntries(
    rows.flatMap(({ name, encode, count }) => [
      [`${name} encoded/s`, encode],
      [`${name} counted/s`, count],
    ]),
  )
}

function perSecond(ms: number, work: (i: number) => unknown): number {
  const started = cpuMs()
  let done = 0
  while (cpuMs() - started < ms) {
    for (let i = 0; i < 50; i += 1) work(done + i)
    done += 50
  }
  return (1000 * done) / (cpuMs() - started)
}

/** Time of the processor, which other programs do not add to. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function decoding(quick: boolean): Medians {
  const sizes = quick ? [100, 10_000] : [100, 1000, 10_000, 100_000, 1_000_000]
  const rng = seededBits("decode")
  const medians: Record<string, number> = {}
  const rows = sizes.map((size) => {
    const times = [
      hadamardProtocol({ values: size, epsilon: 1 }),
      projectiveProtocol({ values: size, epsilon: 1 }),
    ].map((protocol) => {
      const counters = countersFor(protocol)
      for (let i = 0; i < 1000; i += 1) counters.add(releaseReport(protocol, i % size, rng))
      const [tally] = counters.tallies()
      const started = cpuMs()
      if (tally !== undefined) estimateFrequencies(protocol, tally, { confidence: 0.95 })
      const ms = cpuMs() - started
      medians[`${protocol.kind} decode ms at ${size}`] = ms
      return ms
    })
    return [size.toLocaleString("en-US"), ...times.map((ms) => `${short(ms)} ms`)]
  })
  console.log("\nDecoding all values, with intervals and Norm-Sub, epsilon 1\n")
  console.log(formatTable([["values", "Hadamard", "projective"], ...rows]))
  return medians
}

/** Squared error times people, averaged over values and runs: measured, by formula, and beside the best. */
function errors(quick: boolean): Medians {
  const [people, runs] = quick ? [2000, 5] : [5000, 20]
  const medians: Record<string, number> = {}
  for (const epsilon of [0.5, 1, 2, 4]) {
    const rng = seededBits(`errors ${epsilon}`)
    const rows = makers.map(([name, make]) => {
      const protocol = make(32, epsilon)
      const measured = measuredError(protocol, { people, runs, rng })
      const formula = frequencyVariance(protocol, 1 / 32)
      medians[`${name} error/formula at ${epsilon}`] = measured / formula
      return { name, measured, formula }
    })
    const best = Math.min(...rows.map(({ formula }) => formula))
    console.log(`\nSquared error times people, 32 values, epsilon ${epsilon}\n`)
    const cells = rows.map(({ name, measured, formula }) => [
      name,
      formula.toPrecision(4),
      measured.toPrecision(4),
      (measured / formula).toFixed(3),
      (formula / best).toFixed(3),
    ])
    console.log(formatTable([["protocol", "formula", "measured", "ratio", "to the best"], ...cells]))
  }
  return medians
}

function measuredError(
  protocol: FrequencyProtocol,
  of: { readonly people: number; readonly runs: number; readonly rng: ReturnType<typeof seededBits> },
): number {
  let squares = 0
  for (let run = 0; run < of.runs; run += 1) {
    const counters = countersOf(protocol, 32)
    for (let i = 0; i < of.people; i += 1) counters.add(releaseReport(protocol, i % 32, of.rng))
    const [tally] = counters.tallies()
    if (tally === undefined) continue
    // People are not a multiple of 32: the shares are those of whole people.
    for (const [value, { share }] of estimateFrequencies(protocol, tally, {
      confidence: 0.95,
    }).raw.entries()) {
      const own = (Math.floor(of.people / 32) + (value < of.people % 32 ? 1 : 0)) / of.people
      squares += (share - own) ** 2
    }
  }
  return (squares / of.runs / 32) * of.people
}
