// Going on with a ledger that is refused needs two people, as more budget does: somebody asks, with reasons
// and with what counts as spent, and two of owner and committee agree. The entry has both names.

import type { DosimeterError } from "@dosimeter/core"
import { compare, exactly, multiply, one, rational, type Rational } from "@dosimeter/core/exact"
import { decisionFor, shareOfBudget, type LedgerDecision, type StatedDecision } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import type { Person } from "../people/accounts.ts"
import { textOf, type StateStore } from "../state/state-store.ts"
import { AgreedRequests, type RequestFacts, type RequestKind } from "./agreed-requests.ts"

/** What is asked for. */
export interface LedgerProposal {
  /** What counts as spent, as a share of the budget in decimals: "0.4"; all of it if left out. */
  readonly share?: string
  readonly reasons: string
}

/** The decision, and the state of the ledger that it is about. */
export interface StatedLedgerDecision {
  readonly what: LedgerDecision
  /** Empty: all of the budget. */
  readonly share: string
  /** Why the ledger was refused when the request was made. */
  readonly trouble: string
}

/** A request with what became of it. */
export type LedgerRequest = StatedLedgerDecision & RequestFacts

/** The requests to go on with a ledger that is refused. */
export type LedgerDecisions = AgreedRequests<LedgerProposal, StatedLedgerDecision>

/** The ledger, as far as it is decided about. */
export interface DecidedLedger {
  readonly policy: Policy
  trouble(): Promise<DosimeterError | undefined>
  decide(decision: StatedDecision & { readonly what: LedgerDecision }): Promise<void>
}

/** The requests about a ledger that are kept in a store. Nobody is a member: all who may decide may ask. */
export function ledgerDecisions(store: StateStore, ledger: DecidedLedger): LedgerDecisions {
  return new AgreedRequests(store, decisionKind(ledger))
}

function decisionKind(ledger: DecidedLedger): RequestKind<LedgerProposal, StatedLedgerDecision> {
  return {
    tables: { requests: "ledger_requests", agreements: "ledger_agreements" },
    names: { requested: "ledger-decision-requested", decided: "ledger-decided", one: "ledger decision" },
    stated: async ({ share = "" }) => {
      if (share !== "") readShare(share)
      return { ...(await presentTrouble(ledger)), share }
    },
    columns: ({ what, share, trouble }) => ({ what, share, trouble }),
    read: (row) => ({
      what: textOf(row, "what") === "rebind" ? "rebind" : "acknowledge",
      share: textOf(row, "share"),
      trouble: textOf(row, "trouble"),
    }),
    about: () => "ledger",
    facts: ({ what, share }) => ({ what, share }),
    members: async () => [],
    refusals: {
      unknown: (id) => fail("decision/unknown", { id }),
      notAllowed: (name) => fail("decision/not-allowed", { name }),
      agreedAlready: (name) => fail("decision/agreed-already", { name }),
    },
    carryOut: (_access, request, by) => enter(request, by, ledger),
  }
}

/** Refused if the ledger is in other trouble by now: people have agreed about what they saw. */
async function enter(request: LedgerRequest, by: readonly string[], ledger: DecidedLedger): Promise<void> {
  const { what, share, reasons } = request
  const { trouble } = await presentTrouble(ledger)
  if (trouble !== request.trouble) fail("decision/other", { what: trouble })
  const { budget } = ledger.policy.terms
  const spent = share === "" ? {} : { spent: shareOfBudget(budget, readShare(share)) }
  await ledger.decide({ what, by, why: reasons, ...spent })
}

async function presentTrouble(
  ledger: DecidedLedger,
): Promise<Pick<StatedLedgerDecision, "what" | "trouble">> {
  const trouble = await ledger.trouble()
  const what = trouble === undefined ? undefined : decisionFor(trouble)
  if (trouble === undefined || what === undefined) return fail("decision/nothing", {})
  return { what, trouble: trouble.message }
}

/** Whether two accounts can decide: otherwise what people state at the command line is enough. */
export function hasCommittee(people: readonly Pick<Person, "role" | "disabledAt">[]): boolean {
  const able = people.filter(({ disabledAt }) => disabledAt === undefined)
  const deciding = able.filter(({ role }) => role === "owner" || role === "committee")
  return deciding.length >= 2 && deciding.some(({ role }) => role === "committee")
}

/** A share of the budget, from 0 to 1: "0.4" or "40%". */
export function readShare(text: string): Rational {
  const bad = (): never => fail("decision/bad-share", { got: text.slice(0, 40) })
  const [, digits, percent] = /^(\d{1,3}(?:\.\d{1,20})?)(%?)$/.exec(text.trim()) ?? []
  if (digits === undefined) return bad()
  const value = exactly(digits, "a share")
  const share = percent === "%" ? multiply(value, rational(1n, 100n)) : value
  return compare(share, one) > 0 ? bad() : share
}
