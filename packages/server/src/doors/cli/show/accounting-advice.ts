// Which accounting suits what an owner plans, for people and for programs: noise under each, by the planner's
// own choices, if the whole budget is shared out equally.

import { showParameter, type Accounting } from "@dosimeter/core"
import { shareForCharges, usualShareForCharges } from "@dosimeter/core/accounting"
import { exactly, zero } from "@dosimeter/core/exact"
import {
  countsBestPure,
  plannedKinds,
  suitAccounting,
  type AccountingAdvice,
  type AdviceFacts,
  type PlannedQuestions,
} from "@dosimeter/planner/explain/suit-accounting"
import { hasPrivateGroups } from "@dosimeter/policy/build/private-groups"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../../../errors.ts"
import { pad } from "./layout.ts"
import { shortNumber } from "./numbers.ts"

/** What is shown where nobody says what is planned. */
const usualPlans: readonly (readonly PlannedQuestions[])[] = [1, 10, 100].map((questions) => [
  { questions, kind: "count" },
])

/** Help on the option with which owners say what is planned. */
export const plannedHelp = `what is planned, such as "20 count, 5 by-group, 3 keys": counts, counts by public groups, and by groups that come from the data`

/** Advice on the accounting of a policy. */
export interface PolicyAdvice {
  readonly accounting: Accounting
  readonly epsilon: string
  readonly delta: string
  readonly plans: readonly AccountingAdvice[]
  /** Up to so many counts pure accounting has the least noise. */
  readonly pureUpTo: number
}

/** The advice for what is planned: "20 count, 5 by-group"; for 1, 10 and 100 counts where nobody says it. */
export function adviceFor(policy: Policy, planned: string | undefined): PolicyAdvice {
  const { accounting, epsilon, delta } = policy.terms.budget
  const facts = factsOf(policy)
  const plans = planned === undefined ? usualPlans : [readPlanned(planned)]
  return {
    accounting,
    epsilon: showParameter(epsilon),
    delta: delta.numerator === 0n ? "0" : showParameter(delta),
    plans: plans.map((plan) => suitAccounting(plan, facts)),
    pureUpTo: countsBestPure(facts),
  }
}

function factsOf({ terms, catalog }: Policy): AdviceFacts {
  const { budget } = terms
  const usual = hasPrivateGroups(catalog.tables) ? exactly(usualShareForCharges, "keys_share") : zero
  const keysShare = budget.accounting === "pure" ? usual : shareForCharges(budget)
  return { terms, neighbours: catalog.neighbours, keysShare }
}

function readPlanned(text: string): readonly PlannedQuestions[] {
  return text.split(",").map((part): PlannedQuestions => {
    const [, number = "", word = ""] = /^\s*([1-9]\d{0,5})\s+([a-z-]+)\s*$/.exec(part) ?? []
    const kind = plannedKinds.find((one) => one === word || `${one}s` === word)
    if (kind !== undefined) return { questions: Number(number), kind }
    const wanted = `a number and one of ${plannedKinds.join(", ")}, such as "20 count, 5 by-group"`
    return fail("cli/bad-option", { option: "--planned", got: part.trim(), wanted })
  })
}

/** The advice in words. */
export function adviceText(advice: PolicyAdvice, unitName: string): string {
  const { accounting, epsilon, delta, plans, pureUpTo } = advice
  const rows = plans.flatMap(({ planned, best }) =>
    planned.map(({ questions, kind, noise }, index) => [
      `${questions} ${kindWords(kind, questions, unitName)}`,
      ...(["pure", "zcdp", "gdp"] as const).map((one) => figure(noise[one])),
      index === planned.length - 1 ? `least noise: ${best}` : "",
    ]),
  )
  const table = [["", "pure", "zcdp", "gdp", ""], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column === 0 || column === 4 ? "left" : "right"))
      .join("  ")
      .trimEnd(),
  )
  const promise = `epsilon ${epsilon}${delta === "0" ? "" : `, delta ${delta}`}`
  return `which accounting suits what is planned: noise of each number (one standard deviation), if ${promise}
is shared out equally among all that is ever asked
${lines.map((line) => `  ${line}`).join("\n")}
${[...crossing(pureUpTo), `this policy has ${accounting}`].join("; ")}
(quantiles and choices of the largest groups are not looked at)
`
}

function crossing(pureUpTo: number): readonly string[] {
  if (pureUpTo === 0) return []
  const most = pureUpTo.toLocaleString("en-US")
  return [`for counts, pure has the least noise up to ${most} question${pureUpTo === 1 ? "" : "s"}`]
}

function kindWords(kind: PlannedQuestions["kind"], questions: number, unitName: string): string {
  const counts = questions === 1 ? "count" : "counts"
  switch (kind) {
    case "count":
      return `${counts} (of each ${unitName} once)`
    case "by-group":
      return `${counts} by public groups`
    case "keys":
      return `${counts} by groups from the data`
    default:
      return kind satisfies never
  }
}

function figure(noise: AccountingAdvice["planned"][number]["noise"][Accounting]): string {
  if (noise === undefined) return "needs delta"
  const { deviation, shownFrom } = noise
  const shown = shownFrom === undefined ? "" : ` (shown from ${shownFrom})`
  return `${shortNumber(Number(deviation.toPrecision(3)))}${shown}`
}
