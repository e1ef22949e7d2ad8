// The arguments of a question, the same for ask and explain: what to spend, how people are bounded, who asks.

import { exactly, parseDecimal, type Rational } from "@dosimeter/core/exact"
import { readTarget } from "@dosimeter/engine"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { Option, type Command } from "commander"
import { fail } from "../../../errors.ts"
import type { OwnerAsking } from "../../../questions/owner-asker.ts"
import type { AskedQuestion } from "../../../questions/prepare-question.ts"

/** The options as they are typed. */
export interface QuestionFlags {
  readonly policy: string
  readonly epsilon?: string
  readonly rho?: string
  readonly within?: string
  readonly groupsPerUnit?: string
  readonly rowsPerGroup?: string
  readonly bounds?: "auto" | "all" | "declared"
  readonly boundsShare?: string
  readonly norm?: "auto" | "fixed"
  readonly aim?: "below-noise" | "least-error"
  readonly keysDelta?: string
  /** False with --no-quantile-intervals. */
  readonly quantileIntervals?: boolean
  readonly raw?: true
  readonly nonNegative?: true
  readonly keys?: "more" | "counts"
  readonly weight?: readonly string[]
  readonly param?: readonly string[]
  readonly study?: string
  readonly purpose?: readonly string[]
  readonly as?: string
  readonly reuse?: "auto" | "always" | "never"
  readonly json?: true
}

/** Adds them to a command. */
export function addQuestionOptions(command: Command): Command {
  return command
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .addOption(new Option("--epsilon <e>", "what to spend, such as 0.5").conflicts(["rho", "within"]))
    .addOption(new Option("--rho <r>", "the same as rho, where the budget adds up zcdp").conflicts("within"))
    .option("--within <error>", "spend the least that gives this error, such as 50 or 5%")
    .option("--groups-per-unit <n>", "in how many groups one person counts, or auto: learn it first")
    .option("--rows-per-group <n>", "how many rows of one person count in a group")
    .addOption(
      new Option(
        "--bounds <which>",
        "learn bounds first: auto (where none are declared), all, declared (none)",
      )
        .choices(["auto", "all", "declared"])
        .conflicts("within"),
    )
    .option(
      "--bounds-share <share>",
      "the share of the loss that learns bounds; the policy's or 0.2 if left out",
    )
    .addOption(
      new Option(
        "--norm <how>",
        "what people are scaled to: auto (learnt first), fixed (the groups and rows that count)",
      ).choices(["auto", "fixed"]),
    )
    .addOption(
      new Option(
        "--aim <aim>",
        "what a learnt norm is for: least-error; below-noise (the same, but up to 1.4 times as long where more " +
          "would be left out than there is noise)",
      ).choices(["below-noise", "least-error"]),
    )
    .option("--keys-delta <number>", "delta for selecting keys; in proportion to epsilon if left out")
    .option("--no-quantile-intervals", "spend all of a quantile's loss on its value, none on an interval")
    .option("--raw", "numbers as they were measured: counts may be negative")
    .addOption(
      new Option(
        "--non-negative",
        "counts of ROLLUP, CUBE and GROUPING SETS as whole numbers from 0 that add up",
      ).conflicts("raw"),
    )
    .addOption(
      new Option(
        "--keys <what>",
        "where keys come from the data, beside COUNT(*) or persons: more (nothing is dropped), counts (less noise)",
      ).choices(["more", "counts"]),
    )
    .option("--weight <column=w>", "how much the error of a column counts, such as persons=2", collect)
    .option("--param <value>", "the value of $1, then of $2, ...", collect)
    .option("--study <name>", "charge a study as well")
    .option(
      "--purpose <code>",
      "what it is for, where people decide that: DUO:0000006; may be repeated",
      collect,
    )
    .option("--as <name>", "who asks")
    .addOption(
      new Option("--reuse <when>", "earlier releases answer, free: auto (if as good), always, never").choices(
        ["auto", "always", "never"],
      ),
    )
    .option("--json", "one JSON object")
}

/** Each time the option is given adds to its values. */
function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}

/** The question that was typed. */
export function questionOf(sql: string, flags: QuestionFlags): AskedQuestion {
  const { within, rho, study, reuse, param = [] } = flags
  if (within !== undefined && flags.groupsPerUnit === "auto") {
    const wanted = "a whole number such as 3 beside --within"
    fail("cli/bad-option", { option: "--groups-per-unit", got: "auto", wanted })
  }
  return {
    sql,
    ask: askOf(flags),
    parameters: param.map(constantOf),
    study,
    rho: rho === undefined ? undefined : exactly(rho, "--rho"),
    within: within === undefined ? undefined : readTarget(within, "--within"),
    ...(reuse === undefined ? {} : { reuse }),
  }
}

/** As whom it is asked, and what for. */
export function askingOf({ as, purpose }: QuestionFlags): OwnerAsking {
  return { as, purposes: purpose }
}

function askOf(flags: QuestionFlags): Ask {
  const { epsilon } = flags
  return {
    ...groupsAsk(flags.groupsPerUnit),
    ...(flags.rowsPerGroup === undefined
      ? {}
      : { rowsPerGroup: wholeOf("--rows-per-group", flags.rowsPerGroup) }),
    ...(flags.norm === undefined ? {} : { norm: flags.norm }),
    ...(flags.aim === undefined ? {} : { aim: flags.aim }),
    ...(flags.keysDelta === undefined ? {} : { keysDelta: exactly(flags.keysDelta, "--keys-delta") }),
    ...(flags.quantileIntervals === false ? { quantileIntervals: false } : {}),
    ...(flags.bounds === undefined ? {} : { bounds: flags.bounds === "auto" ? "undeclared" : flags.bounds }),
    ...(flags.boundsShare === undefined ? {} : { boundsShare: exactly(flags.boundsShare, "--bounds-share") }),
    ...(flags.raw === true ? { nonNegative: false } : {}),
    ...(flags.nonNegative === true ? { nonNegative: true } : {}),
    ...(flags.keys === undefined ? {} : { keys: flags.keys }),
    ...(epsilon === undefined ? {} : { epsilon: exactly(epsilon, "--epsilon") }),
    ...(flags.weight === undefined ? {} : { weights: Object.fromEntries(flags.weight.map(weightOf)) }),
  }
}

/** A column's name may hold anything but a number stands after its last equals sign. */
function weightOf(text: string): [name: string, weight: Rational] {
  const place = text.lastIndexOf("=")
  if (place <= 0)
    fail("cli/bad-option", { option: "--weight", got: text, wanted: "a column and a number: persons=2" })
  return [text.slice(0, place), exactly(text.slice(place + 1), "--weight")]
}

/** A number, or to be learnt first. */
function groupsAsk(text: string | undefined): Ask {
  if (text === undefined) return {}
  return text === "auto" ? { autoGroups: true } : { groupsPerUnit: wholeOf("--groups-per-unit", text) }
}

function wholeOf(option: string, text: string): bigint {
  if (!/^\d{1,9}$/.test(text))
    fail("cli/bad-option", { option, got: text, wanted: "a whole number such as 3" })
  return BigInt(text)
}

/** NULL, truth, numbers and days are what they look like; all else is text, and so is what is quoted. */
export function constantOf(text: string): Constant {
  const quoted = /^'(.*)'$/s.exec(text)
  if (quoted !== null) return { kind: "text", value: (quoted[1] ?? "").replaceAll("''", "'") }
  if (/^null$/i.test(text)) return { kind: "null" }
  if (/^(true|false)$/i.test(text)) return { kind: "boolean", value: /^true$/i.test(text) }
  if (/^[+-]?\d{1,300}(\.\d{1,300})?(e[+-]?\d{1,3})?$/i.test(text))
    return { kind: "number", value: parseDecimal(text, "--param") }
  const day = dayOf(text)
  return day === undefined ? { kind: "text", value: text } : { kind: "date", day }
}

function dayOf(text: string): bigint | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  const isDay = Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
  return isDay ? BigInt(time / 86_400_000) : undefined
}
