// `dosimeter local simulate`: made-up people answer through a protocol, and what the collector learns is set
// beside the truth and beside the error that was predicted.

import { systemBits, type RandomBits } from "@dosimeter/core"
import {
  chooseProtocol,
  countersFor,
  describeChoice,
  estimateFrequencies,
  robustnessOf,
  unitVariance,
  type FrequencyEstimates,
  type ProtocolChoice,
} from "@dosimeter/core/collect"
import { releaseReport, type FrequencyProtocol } from "@dosimeter/core/local"
import { Option, type Command } from "commander"
import { bar, pad } from "../show/layout.ts"
import type { Session } from "../session/session.ts"

interface SimulateFlags {
  readonly values: string
  readonly epsilon: string
  readonly people: string
  readonly within: string
  readonly law: "even" | "falling"
  readonly runs: string
  readonly json?: true
}

/** Adds the commands. */
export function addLocal(program: Command, session: Session): void {
  const local = program.command("local").description("the local model: devices add the noise themselves")
  local
    .command("simulate")
    .description("let made-up people answer, and see how close the estimates come")
    .option("--values <k>", "how many answers there are", "8")
    .option("--epsilon <e>", "what each person loses", "1")
    .option("--people <n>", "how many answer", "20000")
    .option("--within <share>", "refuse a study that is further off than this", "1")
    .addOption(
      new Option("--law <name>", "how answers are spread").choices(["falling", "even"]).default("falling"),
    )
    .option("--runs <r>", "how often the small studies are repeated", "10")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
The protocol with the smallest error is chosen, as for a campaign of the server. Nothing is read and nothing
is charged: the people are made up.

Examples:
  dosimeter local simulate
  dosimeter local simulate --values 100 --epsilon 2 --people 50000
  dosimeter local simulate --values 128 --epsilon 0.5 --people 500 --within 0.05   refused: it cannot answer`,
    )
    .action((flags: SimulateFlags) => simulate(flags, session))
}

function simulate(flags: SimulateFlags, session: Session): void {
  const choice = chooseProtocol({
    domain: { kind: "values", values: flags.values },
    epsilon: flags.epsilon,
    people: flags.people,
    trust: { kind: "nobody" },
    halfWidthMax: flags.within,
  })
  const { protocol, prediction } = choice
  if (protocol.kind === "mean" || protocol.kind === "key-value" || protocol.kind === "one-of") {
    throw new Error("values are asked for by a protocol that counts them")
  }
  const rng = systemBits()
  const truth = sharesOf(Number(flags.values), flags.law)
  const study = runStudy(protocol, { truth, people: prediction.people, rng })
  const sizes = [prediction.people / 100, prediction.people / 10, prediction.people].map(Math.round)
  const steps = sizes
    .filter((people) => people >= 10)
    .map((people) => {
      const runs = people === prediction.people ? 1 : Number(flags.runs)
      return stepOf(protocol, { truth, people, runs, rng, last: runs === 1 ? study : undefined })
    })
  if (flags.json === true) {
    session.out(`${JSON.stringify({ protocol, prediction, truth, estimates: study, steps }, null, 2)}\n`)
    return
  }
  session.out(`${describeChoice(choice)}\n\n${picture(study, truth, session)}\n\n${stepsText(steps)}\n`)
  session.out(`\n${fakesText(choice)}\n`)
}

interface Made {
  readonly truth: readonly number[]
  readonly people: number
  readonly rng: RandomBits
}

/** So many people, spread as near to the shares as whole people can be. */
function runStudy(protocol: FrequencyProtocol, { truth, people, rng }: Made): FrequencyEstimates {
  const counters =
    protocol.kind === "hashing"
      ? countersFor(protocol, { candidates: [[...truth.keys()]] })
      : countersFor(protocol)
  let [before, cumulative] = [0, 0]
  for (const [value, share] of truth.entries()) {
    cumulative += share
    const until = value === truth.length - 1 ? people : Math.round(cumulative * people)
    for (; before < until; before += 1) counters.add(releaseReport(protocol, value, rng))
  }
  const [tally] = counters.tallies()
  if (tally === undefined) throw new Error("a question has its counters")
  return estimateFrequencies(protocol, tally, { confidence: 0.95 })
}

interface Step {
  readonly people: number
  readonly runs: number
  readonly predicted: number
  readonly measured: number
  readonly covered: number
}

/** The error of studies of one size, over all values and runs, beside the one that was predicted. */
function stepOf(
  protocol: FrequencyProtocol,
  made: Made & { readonly runs: number; readonly last: FrequencyEstimates | undefined },
): Step {
  const { truth, people, runs, last } = made
  let [squares, covered] = [0, 0]
  for (let run = 0; run < runs; run += 1) {
    const { raw } = last ?? runStudy(protocol, made)
    for (const [value, { share, lower, upper }] of raw.entries()) {
      const own = truth[value] ?? 0
      squares += (share - own) ** 2
      if (lower <= own && own <= upper) covered += 1
    }
  }
  const cells = runs * truth.length
  const variance = truth.reduce((sum, share) => sum + unitVariance(protocol, share), 0) / truth.length
  return {
    people,
    runs,
    predicted: Math.sqrt(variance / people),
    measured: Math.sqrt(squares / cells),
    covered: covered / cells,
  }
}

/** Evenly, or the second half as often as the first, the third a third as often, and so on. */
function sharesOf(values: number, law: SimulateFlags["law"]): readonly number[] {
  const weights = Array.from({ length: values }, (_, value) => (law === "even" ? 1 : 1 / (value + 1)))
  const sum = weights.reduce((a, b) => a + b)
  return weights.map((weight) => weight / sum)
}

const shownMax = 24

function picture({ raw }: FrequencyEstimates, truth: readonly number[], session: Session): string {
  const plain = session.terminal?.plain !== false
  const scale = Math.max(...truth, ...raw.map(({ share }) => share))
  const rows = raw.slice(0, shownMax).flatMap(({ share, lower, upper }, value) => {
    const own = truth[value] ?? 0
    const isInside = lower <= own && own <= upper
    return [
      `${pad(`${value + 1}`, 5, "right")}  truth     ${bar(own / scale, 30, plain)}  ${percent(own)}`,
      `       estimate  ${bar(share / scale, 30, plain)}  ${percent(share)}` +
        `  ${percent(lower)} to ${percent(upper)}${isInside ? "" : "  misses"}`,
    ]
  })
  const more = raw.length - shownMax
  return [...rows, ...(more > 0 ? [`       and ${more} more`] : [])].join("\n")
}

function stepsText(steps: readonly Step[]): string {
  const rows = [
    ["people", "predicted error", "measured", "intervals that hold"],
    ...steps.map(({ people, predicted, measured, covered }) => [
      `${people}`,
      percent(predicted),
      percent(measured),
      percent(covered),
    ]),
  ]
  return rows
    .map((row) => row.map((cell, column) => pad(cell, [8, 17, 10, 21][column] ?? 0, "right")).join(""))
    .join("\n")
}

function fakesText({ protocol, prediction }: ProtocolChoice): string {
  const { people } = prediction
  const fakes = Math.max(1, Math.round(people / 100))
  const { up, down } = robustnessOf(protocol, { fakes, people })
  return `${fakes} fake devices could make a share ${percent(up)} higher, or ${percent(down)} lower`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}
