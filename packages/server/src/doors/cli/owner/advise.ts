// `dosimeter advise`: from a question and what is tolerable to an epsilon, a delta and a split. Nothing is
// read and nothing is charged.

import type { PrivacyRequirement, Requirement } from "@dosimeter/core"
import { adviseEpsilon, boardParagraph, type AdvisedUnit, type AdviceQuestion } from "@dosimeter/core/meaning"
import { Option, type Command } from "commander"
import { fail } from "../../../errors.ts"
import type { Session } from "../session/session.ts"
import { adviceValue, showAdvice } from "../show/show-advice.ts"

interface AdviseFlags {
  readonly people: string
  readonly count: string
  readonly groups: string
  readonly in: string
  readonly times: string
  readonly unit: AdvisedUnit
  readonly delta: string
  readonly deviation?: string
  readonly within?: string
  readonly meanError?: string
  readonly odds?: string
  readonly belief?: string
  readonly advantage?: string
  readonly maxEpsilon?: string
  readonly errorPrice?: string
  readonly privacyPrice?: string
  readonly json?: true
}

/** Adds the command. */
export function addAdvise(program: Command, session: Session): void {
  program
    .command("advise")
    .description("find an epsilon for a question and what is tolerable; free, and reads no data")
    .requiredOption("--people <n>", "how many people could be in the data")
    .requiredOption("--count <n>", "about how many a release counts")
    .option("--groups <n>", "how many numbers a release has", "1")
    .requiredOption("--in <n>", "in how many of these numbers one person can be")
    .option("--times <n>", "how often it is released", "1")
    .addOption(
      new Option("--unit <unit>", "what is hidden: a person in all releases, or in each by itself")
        .choices(["person", "person-release"])
        .makeOptionMandatory(),
    )
    .requiredOption("--delta <d>", "the delta that Gaussian noise may have, below one over the people")
    .option("--deviation <s>", "a standard deviation of at most s")
    .option("--within <r:share>", "within r in this share of cases: 100:0.99")
    .option("--mean-error <m>", "an error of at most m on average")
    .option("--odds <f>", "the odds of any guess change by a factor of f at most")
    .option("--belief <from:to>", "a belief may rise so far at most: 0.1:0.2")
    .option("--advantage <a>", "an attacker's advantage of at most a")
    .option("--max-epsilon <e>", "an epsilon of at most e")
    .option("--error-price <p>", "what an error of 1 in one number costs")
    .option("--privacy-price <p>", "what an epsilon of 1 costs, in the same money")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter advise --people 50000 --count 1200 --in 1 --unit person --delta 1e-7 --within 20:0.95 --odds 2
  dosimeter advise --people 50000 --count 1200 --groups 20 --in 1 --times 52 --unit person-release \\
    --delta 1e-7 --deviation 10 --within 100:0.99 --odds 2 --advantage 0.05`,
    )
    .action((flags: AdviseFlags) => advise(flags, session))
}

function advise(flags: AdviseFlags, session: Session): void {
  const question = questionOf(flags)
  const advice = adviseEpsilon(question)
  const paragraph = boardParagraph(advice, question).join(" ")
  if (flags.json === true) {
    session.out(`${JSON.stringify({ ...adviceValue(advice), paragraph }, null, 2)}\n`)
    return
  }
  session.out(showAdvice(advice, question, paragraph))
}

function questionOf(flags: AdviseFlags): AdviceQuestion {
  const { errorPrice, privacyPrice } = flags
  const requirements = [...accuracyOf(flags), ...privacyOf(flags)]
  if (requirements.length === 0) {
    const what =
      "say what is tolerable, of error (--deviation 10, --within 100:0.99, --mean-error 5) or of risk " +
      "(--odds 2, --belief 0.1:0.2, --advantage 0.05, --max-epsilon 1), or of both"
    fail("cli/usage", { what })
  }
  if ((errorPrice === undefined) !== (privacyPrice === undefined))
    fail("cli/usage", { what: "give both prices, or none: --error-price P --privacy-price P" })
  return {
    population: flags.people,
    count: flags.count,
    groups: flags.groups,
    groupsPerPerson: flags.in,
    releases: flags.times,
    unit: flags.unit,
    delta: flags.delta,
    requirements,
    ...(errorPrice === undefined || privacyPrice === undefined
      ? {}
      : { prices: { error: errorPrice, privacy: { kind: "linear", price: privacyPrice } } }),
  }
}

function accuracyOf({ deviation, within, meanError }: AdviseFlags): readonly Requirement[] {
  const [radius, confidence] = within === undefined ? [] : pairOf(within, "--within", "100:0.99")
  return [
    ...(deviation === undefined ? [] : [{ kind: "deviation-at-most", deviation } as const]),
    ...(radius === undefined || confidence === undefined
      ? []
      : [{ kind: "within", within: radius, confidence } as const]),
    ...(meanError === undefined ? [] : [{ kind: "mean-error-at-most", error: meanError } as const]),
  ]
}

function privacyOf({ odds, belief, advantage, maxEpsilon }: AdviseFlags): readonly PrivacyRequirement[] {
  const [prior, posterior] = belief === undefined ? [] : pairOf(belief, "--belief", "0.1:0.2")
  return [
    ...(odds === undefined ? [] : [{ kind: "odds-at-most", factor: odds } as const]),
    ...(prior === undefined || posterior === undefined
      ? []
      : [{ kind: "posterior-at-most", prior, posterior } as const]),
    ...(advantage === undefined ? [] : [{ kind: "advantage-at-most", advantage } as const]),
    ...(maxEpsilon === undefined ? [] : [{ kind: "epsilon-at-most", epsilon: maxEpsilon } as const]),
  ]
}

function pairOf(text: string, option: string, example: string): readonly [string, string] {
  const [first = "", second = "", ...rest] = text.split(":")
  if (first === "" || second === "" || rest.length > 0)
    fail("cli/bad-option", { option, got: text, wanted: `two numbers, such as ${example}` })
  return [first, second]
}
