// --within: what an error costs is said before it is paid, and a person may say no.

import { numberUp, type Rational } from "@dosimeter/core"
import {
  askWithin,
  planWithin,
  readTarget,
  type Engine,
  type QuestionOptions,
  type WithinAnswer,
  type WithinPlan,
} from "@dosimeter/engine"
import { fail } from "../../../errors.ts"
import { confirmed } from "../session/confirm.ts"
import { costNumber } from "../show/numbers.ts"
import type { Session } from "../session/session.ts"

/** A question with --within. */
export interface AskedWithin {
  readonly sql: string
  readonly within: string
  readonly engine: Engine
  readonly options: QuestionOptions
}

/** The price of an error, free: that of a look where the answer's size must be known. */
export async function priceWithin({ within, ...asked }: AskedWithin): Promise<WithinPlan> {
  return planWithin({ ...asked, target: readTarget(within, "--within") })
}

/** Asks: says the price, lets a person decide, looks where that is needed. */
export async function payWithin(asked: AskedWithin, session: Session, yes: boolean): Promise<WithinAnswer> {
  const { within, ...rest } = asked
  const onPlan = async (plan: WithinPlan): Promise<void> => {
    if (yes) return
    session.note(`${priceOf(within, plan)}\n`)
    if (!(await confirmed(session, "ask?"))) fail("cli/not-confirmed", {})
  }
  return askWithin({ ...rest, target: readTarget(within, "--within"), onPlan })
}

function priceOf(within: string, plan: WithinPlan): string {
  if (plan.kind === "known") return `within ${within} costs epsilon ${shown(plan.epsilon)}`
  const more = plan.more.map(shown).join(" and ")
  return (
    `within ${within} takes a first look for epsilon ${shown(plan.epsilon)} ` +
    `(and others for ${more} if that tells too little), then at most epsilon ${shown(plan.most)}`
  )
}

function shown(epsilon: Rational): string {
  return costNumber(numberUp(epsilon))
}
