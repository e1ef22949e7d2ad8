// What a participant sees of the use of their data: the releases that could read it, and the dose. Everything
// that was charged counts, inside of a study or outside; so does what is spent and belongs to no charge.

import { add, showParameter, subtract, zero } from "@dosimeter/core/exact"
import { odometerOf, usedOf, type FilterState, type Used } from "@dosimeter/core/accounting"
import type { Engine } from "@dosimeter/engine"
import { amountUp } from "../answers/account-value.ts"
import { withReceipt, type ChargeRecord } from "../answers/charge-list.ts"
import { isIncluded, latestOf } from "./consent-rules.ts"
import type { KeptDecision } from "./consents.ts"
import type { Studies } from "../studies/studies.ts"

/** What could be learned about somebody from some releases, at most. */
export interface OwnDose {
  /** How many releases could have used one's data, and how many could not. */
  readonly releasesWith: number
  readonly releasesWithout: number
  readonly epsilon: string
  readonly delta: string
}

/** A study that has released something. */
export interface UsedBy extends OwnDose {
  readonly study: string
  readonly title: string
}

/** Everything that has used somebody's data. */
export interface Participation {
  readonly items: readonly UsedBy[]
  /** What was asked outside of studies; undefined where nothing was. */
  readonly outside: OwnDose | undefined
  /** All of it together, and how much of the dataset's budget that is. */
  readonly total: OwnDose & { readonly used: Used }
}

interface House {
  readonly engine: Engine
  readonly studies: Studies
  readonly charges: readonly ChargeRecord[]
}

/** What has used somebody's data; their decisions say which releases could. */
export async function participationOf(
  decisions: readonly KeptDecision[],
  { engine, studies, charges }: House,
): Promise<Participation> {
  const { budget } = engine.policy.terms
  const counted = await Promise.all(
    charges.map(async (record) => ({ record, isIn: await couldUse(record, decisions, engine) })),
  )
  const titles = new Map((await studies.list()).map(({ id, title }) => [id, title]))
  const ids = [...new Set(charges.flatMap(({ study }) => study ?? []))]
  const without = counted.filter(({ record }) => record.study === undefined)
  const items = ids.map((study) => {
    const own = counted.filter(({ record }) => record.study === study)
    return { study, title: titles.get(study) ?? study, ...doseOf(own, stateOf(own, budget)) }
  })
  const known = stateOf(counted, budget)
  const state = withUnknown(known, { charges, account: await engine.account() })
  return {
    items,
    outside: without.length === 0 ? undefined : doseOf(without, stateOf(without, budget)),
    total: { ...doseOf(counted, state), used: usedOf(state) },
  }
}

interface Counted {
  readonly record: ChargeRecord
  readonly isIn: boolean
}

function stateOf(counted: readonly Counted[], budget: FilterState["budget"]): FilterState {
  const own = counted.filter(({ isIn }) => isIn).map(({ record }) => record.paid)
  return {
    budget,
    spent: own.reduce((sum, { amount }) => add(sum, amount), zero),
    deltaSpent: own.reduce((sum, { delta }) => add(sum, delta), zero),
  }
}

// What an account has spent beyond its charges, such as what an owner acknowledged, could be about anybody.
function withUnknown(
  known: FilterState,
  { charges, account }: { readonly charges: readonly ChargeRecord[]; readonly account: FilterState },
): FilterState {
  const rest = (spent: FilterState["spent"], name: "amount" | "delta") => {
    const left = charges.reduce((sum, { paid }) => subtract(sum, paid[name]), spent)
    return left.numerator > 0n ? left : zero
  }
  return {
    budget: account.budget,
    spent: add(known.spent, rest(account.spent, "amount")),
    deltaSpent: add(known.deltaSpent, rest(account.deltaSpent, "delta")),
  }
}

// A release whose receipt does not say whose rows were read counts as one that could.
async function couldUse(
  record: ChargeRecord,
  decisions: readonly KeptDecision[],
  engine: Engine,
): Promise<boolean> {
  const { consent } = engine.policy.catalog
  if (consent === undefined) return true
  const { receipt } = await withReceipt(record, engine)
  const stated = receipt?.format === undefined ? undefined : receipt.consent
  if (stated === undefined) return true
  const { mode, version, purposes } = stated
  const number = Number(version.split("-", 1)[0])
  const held = latestOf(decisions.filter((decision) => decision.version <= number))
  return isIncluded(mode, purposes, held)
}

function doseOf(counted: readonly Counted[], state: FilterState): OwnDose {
  const releasesWith = counted.filter(({ isIn }) => isIn).length
  return {
    releasesWith,
    releasesWithout: counted.length - releasesWith,
    epsilon: amountUp(odometerOf(state).epsilon),
    delta: showParameter(state.budget.delta),
  }
}
