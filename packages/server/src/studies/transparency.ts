// What everybody may know: which studies use the data, for what, at which dose. Numbers of people and amounts
// of loss, nothing of what was asked: a question may hold names that an analyst typed.

import { describeLoss, showParameter } from "@dosimeter/core"
import { odometerOf, openFilter, usedOf, type FilterState, type Used } from "@dosimeter/core/accounting"
import type { Account, Engine } from "@dosimeter/engine"
import { amountUp } from "../answers/account-value.ts"
import type { ChargeList, ChargeRecord } from "../answers/charge-list.ts"
import type { AirlockRules } from "./airlock.ts"
import { purposeOf } from "./purposes.ts"
import type { Studies, Study } from "./studies.ts"
import type { Voice } from "./voices.ts"

/** A study as everybody sees it. */
export interface PublicStudy {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly purposes: readonly { readonly code: string; readonly name: string }[]
  readonly starts: string
  readonly ends: string
  readonly state: "approved" | "active" | "suspended" | "closed"
  /** Whether releases wait for an approval. */
  readonly airlock: boolean
  /** How many people may ask. */
  readonly people: number
  readonly reviewedBy: number
  /** What a community advisory board says, without names. */
  readonly community: readonly PublicVoice[]
  readonly budget: Dose
  readonly spent: SpentDose
  readonly releases: number
}

/** A view of the board as everybody sees it. */
export type PublicVoice = Pick<Voice, "view" | "comment">

/** An epsilon with its delta. */
export interface Dose {
  readonly epsilon: string
  readonly delta: string
}

/** What is spent, and how much of the budget that is. */
export interface SpentDose extends Dose {
  readonly used: Used
}

/** A release as everybody sees it. */
export interface PublicRelease {
  readonly position: number
  readonly at: string
  readonly study: string | null
  /** In the measure that is added up. */
  readonly amount: string
  /**
   * Whether its answer waits for an approval. Whether there is an answer is not said: that something failed
   * would tell about the data, to everybody whom the asker has told what was asked.
   */
  readonly state: "charged" | "held"
  /** What a receipt can be held against. */
  readonly planHash: string
}

/** Everything that everybody may know. */
export interface Transparency {
  readonly dataset: string
  /** Who is protected: "person". */
  readonly unit: string
  readonly accounting: string
  /** For everything that is ever asked. */
  readonly promise: Dose & { readonly words: readonly string[] }
  readonly spent: SpentDose & { readonly words: readonly string[] }
  /** Whether people decide themselves: null where nobody is asked. */
  readonly consent: "required" | "opt-out" | null
  readonly studies: readonly PublicStudy[]
  /** The newest first. */
  readonly releases: readonly PublicRelease[]
  /** Of which only the newest are listed. */
  readonly releasesInAll: number
}

const releasesShown = 200

/** Puts it together. */
export async function transparencyOf(house: {
  readonly engine: Engine
  readonly charges: ChargeList
  readonly studies: Studies
  readonly rules: AirlockRules
}): Promise<Transparency> {
  const { engine, charges, studies, rules } = house
  const { dataset, catalog, terms } = engine.policy
  const all = await charges.all()
  const accounts = await engine.ledger.accounts()
  const own = accounts.find(({ name }) => name === "dataset")
  const { neighbours, unitName, consent } = catalog
  const { epsilon, delta, accounting } = terms.budget
  const spent = doseOf(own ?? openFilter(terms.budget))
  return {
    dataset,
    unit: unitName,
    accounting,
    promise: {
      epsilon: showParameter(epsilon),
      delta: showParameter(delta),
      words: describeLoss({ measure: "approx", epsilon, delta }, { neighbours }),
    },
    spent: { ...spent, words: own === undefined ? [] : wordsOf(own, neighbours) },
    consent: consent?.mode ?? null,
    studies: (await studies.list()).flatMap((study) => publicStudy(study, accounts, all)),
    releases: await publicReleases(all.slice(-releasesShown).toReversed(), rules),
    releasesInAll: all.length,
  }
}

async function publicReleases(
  charges: readonly ChargeRecord[],
  rules: AirlockRules,
): Promise<readonly PublicRelease[]> {
  return Promise.all(
    charges.map(async ({ position, at, study, paid, planHash }) => ({
      position: Number(position),
      at,
      study: study ?? null,
      amount: amountUp(paid.amount),
      state: (await rules.isOpen(position)) ? "charged" : "held",
      planHash,
    })),
  )
}

// Studies that are not approved are not shown.
function publicStudy(
  study: Study,
  accounts: readonly Account[],
  charges: readonly ChargeRecord[],
): readonly PublicStudy[] {
  const { id, title, summary, purposes, starts, ends, state, suspended, airlock, people, reviews } = study
  if (state !== "approved" && state !== "active" && state !== "closed") return []
  const account = accounts.find(({ name }) => name === `study:${id}`)
  return [
    {
      id,
      title,
      summary,
      purposes: purposes.map((code) => ({ code, name: purposeOf(code)?.name ?? code })),
      starts,
      ends,
      state: suspended && state !== "closed" ? "suspended" : state,
      airlock,
      people: people.length,
      reviewedBy: reviews.length,
      community: study.voices.map(({ view, comment }) => ({ view, comment })),
      budget: { epsilon: study.epsilon, delta: study.delta },
      spent: account === undefined ? noDose : doseOf(account),
      releases: charges.filter((charge) => charge.study === id).length,
    },
  ]
}

// Of a study that was never opened.
const noDose: SpentDose = {
  epsilon: "0",
  delta: "0",
  used: { share: 0, loss: 0, delta: 0, first: "loss" },
}

function doseOf(account: FilterState): SpentDose {
  const { epsilon } = odometerOf(account)
  return {
    epsilon: amountUp(epsilon),
    delta: showParameter(account.budget.delta),
    used: usedOf(account),
  }
}

function wordsOf(account: Account, neighbours: Engine["policy"]["catalog"]["neighbours"]): readonly string[] {
  const { epsilon } = odometerOf(account)
  const { delta } = account.budget
  return epsilon.numerator === 0n
    ? ["Nothing was released so far, so nothing can be learned about anybody."]
    : describeLoss({ measure: "approx", epsilon, delta }, { neighbours })
}
