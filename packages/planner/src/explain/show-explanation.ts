// An explanation as text, for terminals and for psql's EXPLAIN.

import { odometerOf, showLoss, type FilterState } from "@dosimeter/core"
import { showParameter } from "@dosimeter/core/exact"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import { type Explanation, type ReleaseExplanation } from "./explain.ts"
import { afterCharge } from "./price.ts"

/** What is shown besides the plan itself. */
export interface ShowOptions {
  /** The account that would be charged. */
  readonly account?: FilterState
  /** What earlier releases can do for the question. */
  readonly record?: readonly string[]
  /** The SQL of each extract, as it would be sent. */
  readonly sql?: readonly string[]
}

/** The lines of an explanation. */
export function showExplanation(explanation: Explanation, options: ShowOptions = {}): string {
  const { account, sql = [], record = [] } = options
  const { unitName, neighbours, charge } = explanation
  const change = neighbours === "replace" ? "replaced by another" : "added or removed"
  return [
    `dataset     ${explanation.dataset}`,
    `protects    each ${unitName}: what is shown hardly depends on one being ${change}`,
    `reads       ${explanation.tables.join(", ") || "nothing"}`,
    ...(explanation.consent === undefined ? [] : [`consent     ${explanation.consent}`]),
    ...explanation.releases.flatMap((release, index) =>
      showRelease(release, index, explanation.releases.length),
    ),
    `cost        ${showCharge(charge)}`,
    ...record.map((line) => `record      ${line}`),
    ...(account === undefined ? [] : [`budget      ${showBudget(account, charge)}`]),
    ...explanation.notes.map((note) => `note        ${note}`),
    ...sql.flatMap((text, index) => [
      "",
      sql.length === 1 ? "-- SQL" : `-- SQL ${index + 1} of ${sql.length}`,
      text,
    ]),
  ].join("\n")
}

function showRelease(release: ReleaseExplanation, index: number, count: number): readonly string[] {
  const width = Math.max(...release.aggregates.map(({ label }) => label.length), 0)
  return [
    ...(count === 1 ? [] : [`release     ${index + 1} of ${count}`]),
    `groups      ${release.groups}`,
    `bounding    ${release.bounding}`,
    `form        ${release.form}`,
    ...release.aggregates.map(({ label, mechanism, error }) =>
      `aggregate   ${label.padEnd(width)}  ${mechanism}${error === "" ? "" : `; ${error}`}`.trimEnd(),
    ),
  ]
}

/** A charge in words: in the account's own measure, and as epsilon of this question alone. */
export function showCharge({ accounting, amount, delta, shown }: Charge): string {
  if (amount.numerator === 0n) return "nothing: the answer depends on nobody"
  if (accounting === "pure") return showLoss(shown)
  const own =
    accounting === "zcdp"
      ? showLoss({ measure: "zcdp", rho: amount, delta })
      : showLoss({ measure: "gdp", muSquared: amount, delta })
  return `${own} (by itself: ${showLoss(shown)})`
}

function showBudget(account: FilterState, charge: Charge): string {
  const { budget } = account
  const promise = `epsilon ${showParameter(budget.epsilon)}, delta ${showParameter(budget.delta)} for everything`
  if (charge.amount.numerator === 0n) return promise
  const after = afterCharge(account, charge)
  if (after === undefined) return `${promise}: this question no longer fits`
  const { more, state } = after
  const spent = odometerOf(state)
  return `${promise}; epsilon ${showLoss({ measure: "pure", epsilon: spent.epsilon }).replace("epsilon ", "")} spent after this, ${more} more like it fit`
}
