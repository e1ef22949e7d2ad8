// --within: what an error costs is said before it is paid, and a person may say no.

import { divide, exactly, numberUp, rational, showParameter, type Rational } from "@dosimeter/core"
import {
  lookFirst,
  planWithin,
  type Engine,
  type QuestionOptions,
  type Recorded,
  type WithinTarget,
} from "@dosimeter/engine"
import { fail } from "../errors.ts"
import { confirmed } from "./confirm.ts"
import { costNumber } from "./numbers.ts"
import type { Session } from "./session.ts"

/** A question with --within. */
export interface AskedWithin {
  readonly sql: string
  readonly within: string
  readonly engine: Engine
  readonly options: QuestionOptions
}

/** What it takes to answer within an error. */
export interface PricedWithin {
  readonly epsilon: Rational
  /** The first look that was paid, or that would have to be. */
  readonly first?: { readonly epsilon: Rational; readonly most: Rational; readonly recorded?: Recorded }
}

/** 5% is a share of the answer, 50 is in its units. */
export function targetOf(within: string): WithinTarget {
  const percent = /^(.*)%$/.exec(within.trim())?.[1]
  if (percent === undefined) return { kind: "size", amount: exactly(within, "--within") }
  return { kind: "share", amount: divide(exactly(percent.trim(), "--within"), rational(100n)) }
}

/** The price of an error, free: that of the first look where the answer's size must be known. */
export async function priceWithin({ within, ...asked }: AskedWithin): Promise<PricedWithin> {
  const plan = await planWithin({ ...asked, target: targetOf(within) })
  if (plan.kind === "known") return { epsilon: plan.epsilon }
  return { epsilon: plan.epsilon, first: { epsilon: plan.epsilon, most: plan.most } }
}

/** The same for a question that is to be asked: says the price, lets a person decide, and looks first. */
export async function payWithin(asked: AskedWithin, session: Session, yes: boolean): Promise<PricedWithin> {
  const { within, ...rest } = asked
  const { epsilon, first } = await priceWithin(asked)
  const price =
    first === undefined
      ? `within ${within} costs epsilon ${shown(epsilon)}`
      : `within ${within} takes a first look for epsilon ${shown(first.epsilon)}, then at most epsilon ${shown(first.most)}`
  if (!yes) session.note(`${price}\n`)
  if (!yes && !(await confirmed(session, "ask?"))) fail("cli/not-confirmed", {})
  if (first === undefined) return { epsilon }
  const looked = await lookFirst({ ...rest, target: targetOf(within) }, first.epsilon)
  return { epsilon: looked.epsilon, first: { ...first, recorded: looked.first } }
}

/** What a first look and its question would cost, for EXPLAIN. */
export function firstLookLine(within: string, { first }: PricedWithin): string | undefined {
  if (first === undefined) return undefined
  const most = showParameter(first.most)
  return `within      ${within}: this first look tells how large the answer is; then the least that gives it, at most epsilon ${most}`
}

function shown(epsilon: Rational): string {
  return costNumber(numberUp(epsilon))
}
