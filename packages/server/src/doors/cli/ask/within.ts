// --within: what an error costs is said before it is paid, and a person may say no.

import { numberUp, type Rational } from "@dosimeter/core"
import type { WithinPlan } from "@dosimeter/engine"
import { fail } from "../../../errors.ts"
import { confirmed } from "../session/confirm.ts"
import { costNumber } from "../show/numbers.ts"
import type { Session } from "../session/session.ts"

/** Says the price of an error, and lets a person decide. */
export async function confirmPrice(within: string, plan: WithinPlan, session: Session): Promise<void> {
  session.note(`${priceOf(within, plan)}\n`)
  if (!(await confirmed(session, "ask?"))) fail("cli/not-confirmed", {})
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
