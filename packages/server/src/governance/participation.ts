// What a participant sees: which studies have used their data, as far as they had agreed, and at which dose.

import { add, odometerOf, showParameter, zero, type Rational } from "@dosimeter/core"
import type { Engine } from "@dosimeter/engine"
import { amountUp } from "../answers/account-value.ts"
import { withReceipt, type ChargeRecord } from "../answers/charge-list.ts"
import { fieldOf } from "../answers/fields.ts"
import type { KeptDecision } from "./consents.ts"
import { withWider } from "./purposes.ts"
import type { Studies } from "./studies.ts"

/** A study that has released something. */
export interface UsedBy {
  readonly study: string
  readonly title: string
  /** How many releases could have used one's data, and how many could not. */
  readonly releasesWith: number
  readonly releasesWithout: number
  /** What all those together can tell about one, at most. */
  readonly epsilon: string
  readonly delta: string
}

/** The studies that have used somebody's data; their decisions say which releases could. */
export async function participationOf(
  decisions: readonly KeptDecision[],
  house: { readonly engine: Engine; readonly studies: Studies; readonly charges: readonly ChargeRecord[] },
): Promise<readonly UsedBy[]> {
  const { engine, studies, charges } = house
  const { consent } = engine.policy.catalog
  const known = await studies.list()
  const used: UsedBy[] = []
  for (const { id, title } of known) {
    const own = charges.filter(({ study }) => study === id)
    if (own.length === 0) continue
    let [amount, delta, count] = [zero, zero, 0]
    for (const record of own) {
      const isIn =
        consent === undefined || (await couldUse(record, decisions, { engine, mode: consent.mode }))
      if (!isIn) continue
      amount = add(amount, record.paid.amount)
      delta = add(delta, record.paid.delta)
      count += 1
    }
    used.push({
      study: id,
      title,
      releasesWith: count,
      releasesWithout: own.length - count,
      ...doseOf(amount, delta, engine),
    })
  }
  return used
}

// A release whose receipt cannot be read counts as one that could.
async function couldUse(
  record: ChargeRecord,
  decisions: readonly KeptDecision[],
  { engine, mode }: { readonly engine: Engine; readonly mode: "required" | "opt-out" },
): Promise<boolean> {
  const { receipt } = await withReceipt(record, engine)
  const consent = fieldOf(receipt, "consent")
  const [version, purposes] = [fieldOf(consent, "version"), fieldOf(consent, "purposes")]
  if (typeof version !== "string" || !Array.isArray(purposes)) return true
  const number = Number(version.split("-", 1)[0])
  const held = decisions.filter((decision) => decision.version <= number)
  const decided = purposes.map((purpose) =>
    withWider(String(purpose))
      .map((code) => held.find((decision) => decision.purpose === code)?.decision)
      .find((decision) => decision !== undefined),
  )
  return mode === "required"
    ? decided.every((decision) => decision === "given")
    : !decided.includes("withdrawn")
}

function doseOf(amount: Rational, delta: Rational, { policy }: Engine): Pick<UsedBy, "epsilon" | "delta"> {
  const { budget } = policy.terms
  const { epsilon } = odometerOf({ budget, spent: amount, deltaSpent: delta })
  return { epsilon: amountUp(epsilon), delta: showParameter(budget.delta) }
}
