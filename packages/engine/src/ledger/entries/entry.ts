// What a ledger consists of. An entry is stored as canonical text, in which fractions stand as "1/10"; the
// text is what the chain of hashes covers.

import type { Accounting, Budget } from "@dosimeter/core"
import { rational, showRational, type Rational } from "@dosimeter/core/exact"
import { isAccountName, isName, type AccountName } from "./account.ts"
import {
  canonicalJson,
  countField,
  fieldOf,
  listField,
  optionalText,
  parseJson,
  readText,
  textField,
  Unreadable,
  wordField,
} from "./canonical.ts"
import { isHash } from "./chain.ts"
import {
  failureCauses,
  readFailure,
  readReopening,
  readTakeOver,
  type FailureCause,
  type FailureEntry,
  type ReopeningEntry,
  type TakeOverEntry,
} from "./failure-entries.ts"

interface Dated {
  /** When, in UTC; never before the entry before. */
  readonly at: string
}

/** The first entry, and only the first. */
export interface OpeningEntry extends Dated {
  readonly kind: "opening"
  /** Random: no two ledgers have a hash in common. */
  readonly ledger: string
  readonly dataset: string
}

/**
 * What every loss in a ledger means: neighbours, unit, accounting, where the data is, and whose the rows of
 * each table are. Texts by name.
 */
export type LossTerms = Readonly<Record<string, string>>

/** An account is opened, or its budget changed. */
export interface BudgetEntry extends Dated {
  readonly kind: "budget"
  readonly account: AccountName
  readonly budget: Budget
  /** Where the dataset's account is opened: what its losses mean. */
  readonly terms?: LossTerms
  /** Who decided, one or more. */
  readonly by: readonly string[]
  readonly why: string
}

/** The meaning of losses: entered where a ledger began without one, tables are added, or people change it. */
export interface TermsEntry extends Dated {
  readonly kind: "terms"
  readonly terms: LossTerms
  /** What counts as spent from here on; absent: what was spent, since old and new losses add up. */
  readonly spent?: Stated
  readonly by: readonly string[]
  readonly why: string
}

/** What counts as spent: all budget, or what two people state. */
export type Stated = "all" | Amounts

/** A loss is charged, before any data is read. */
export interface ChargeEntry extends Dated {
  readonly kind: "charge"
  /** The dataset first, then accounts inside it. */
  readonly accounts: readonly AccountName[]
  readonly accounting: Accounting
  readonly amount: Rational
  readonly delta: Rational
  readonly planHash: string
  readonly dataVersion: string
  readonly requestId: string
  readonly principal: string
  readonly study?: string
  /** Of a series: how many steps it may take, all of them paid for by this charge. */
  readonly steps?: bigint
  /** The random id of the opening of the ledger that answers it. Absent in entries of older versions. */
  readonly holder?: string
  /** Whether its answer waits for an approval: then nobody who asks is told whether there is one. */
  readonly held?: true
}

/** A series goes on: what one charge has paid for is released step by step. */
export interface ContinuationEntry extends Dated {
  readonly kind: "continuation"
  /** The position of the charge. */
  readonly charge: bigint
  /** The last step that is released with it; always more than before. */
  readonly through: bigint
  /** The hash of what was released. */
  readonly release: string
}

/** What became of a charge. The charge stands in either case. */
export interface SettlementEntry extends Dated {
  readonly kind: "settlement"
  /** The position of the charge. */
  readonly charge: bigint
  readonly outcome: "released" | "failed"
  /** The hash of what was released. */
  readonly release?: string
  /** Of a failure; absent in entries of older versions. */
  readonly cause?: FailureCause
}

/** Entries were lost, and people go on without them: all counts as spent, or what two of them state. */
export interface AcknowledgementEntry extends Dated {
  readonly kind: "acknowledgement"
  /** The anchor that this ledger did not contain; absent if there was none. */
  readonly anchor?: AnchoredHead
  /** What two people state to have been spent in all; everything if absent. */
  readonly spent?: Amounts
  readonly by: readonly string[]
  readonly why: string
}

/** The head of a ledger as an anchor remembers it. */
export interface AnchoredHead {
  readonly entries: bigint
  readonly hash: string
  /** 1, and one more for each acknowledged loss. */
  readonly epoch: bigint
  /** Of the dataset's account. */
  readonly spent: Amounts
  readonly limit: Amounts
}

/** A pair of exact amounts. */
export interface Amounts {
  readonly amount: Rational
  readonly delta: Rational
}

/** One entry. */
export type Entry =
  | OpeningEntry
  | BudgetEntry
  | ChargeEntry
  | SettlementEntry
  | ContinuationEntry
  | AcknowledgementEntry
  | TermsEntry
  | FailureEntry
  | ReopeningEntry
  | TakeOverEntry

/** The text of an entry. */
export function entryBody(entry: Entry): string {
  return canonicalJson(writeFractions(entry))
}

/** Reads an entry; throws Unreadable. */
export function readEntry(body: string): Entry {
  const value = parseJson(body)
  const at = textField(value, "at")
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)) throw new Unreadable("has no time")
  const kind = wordField(value, "kind", kinds)
  switch (kind) {
    case "opening":
      return { kind, at, ledger: nameField(value, "ledger"), dataset: nameField(value, "dataset") }
    case "budget":
      return {
        kind,
        at,
        account: readAccount(fieldOf(value, "account")),
        budget: readBudget(fieldOf(value, "budget")),
        ...(fieldOf(value, "terms") === undefined ? {} : { terms: readTerms(fieldOf(value, "terms")) }),
        ...readDecision(value),
      }
    case "charge":
      return { kind, at, ...readCharge(value) }
    case "settlement":
      return { kind, at, charge: countField(value, "charge"), ...readOutcome(value) }
    case "continuation": {
      const release = textField(value, "release")
      if (!isHash(release)) throw new Unreadable("has no hash of its release")
      return { kind, at, charge: countField(value, "charge"), through: countField(value, "through"), release }
    }
    case "acknowledgement": {
      const anchor = fieldOf(value, "anchor")
      return {
        kind,
        at,
        ...(anchor === undefined ? {} : { anchor: readHead(anchor) }),
        ...(fieldOf(value, "spent") === undefined ? {} : { spent: readAmounts(fieldOf(value, "spent")) }),
        ...readDecision(value),
      }
    }
    case "terms": {
      const spent = fieldOf(value, "spent")
      const stated: Stated | undefined =
        spent === undefined ? undefined : spent === "all" ? "all" : readAmounts(spent)
      return {
        kind,
        at,
        terms: readTerms(fieldOf(value, "terms")),
        ...(stated === undefined ? {} : { spent: stated }),
        ...readDecision(value),
      }
    }
    case "failure":
      return { kind, at, ...readFailure(value) }
    case "reopening":
      return { kind, at, ...readReopening(value) }
    case "takeover":
      return { kind, at, ...readTakeOver(value) }
    default:
      return kind satisfies never
  }
}

const kinds = [
  "opening",
  "budget",
  "charge",
  "settlement",
  "continuation",
  "acknowledgement",
  "terms",
  "failure",
  "reopening",
  "takeover",
] as const

/** Fractions become text, all else stays. */
export function writeFractions(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => writeFractions(item))
  if (isFraction(value)) return showRational(value)
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, writeFractions(field)]))
}

/** Reads the head in an anchor or an acknowledgement; throws Unreadable. */
export function readHead(value: unknown): AnchoredHead {
  const hash = textField(value, "hash")
  if (!isHash(hash)) throw new Unreadable("has no hash")
  return {
    entries: countField(value, "entries"),
    hash,
    epoch: countField(value, "epoch"),
    spent: readAmounts(fieldOf(value, "spent")),
    limit: readAmounts(fieldOf(value, "limit")),
  }
}

function readCharge(value: unknown): Omit<ChargeEntry, "kind" | "at"> {
  const study = optionalText(value, "study")
  return {
    accounts: listField(value, "accounts", readAccount),
    accounting: wordField(value, "accounting", accountings),
    ...readAmounts(value),
    planHash: nameField(value, "planHash"),
    dataVersion: nameField(value, "dataVersion"),
    requestId: nameField(value, "requestId"),
    principal: nameField(value, "principal"),
    ...(study === undefined ? {} : { study }),
    ...(optionalText(value, "steps") === undefined ? {} : { steps: countField(value, "steps") }),
    ...(optionalText(value, "holder") === undefined ? {} : { holder: nameField(value, "holder") }),
    ...(readHeld(value) ? { held: true } : {}),
  }
}

function readHeld(value: unknown): boolean {
  const held = fieldOf(value, "held")
  if (held !== undefined && held !== true) throw new Unreadable("is held back in an unknown way")
  return held === true
}

function readOutcome(value: unknown): Pick<SettlementEntry, "outcome" | "release" | "cause"> {
  const outcome = wordField(value, "outcome", ["released", "failed"])
  const release = optionalText(value, "release")
  if ((outcome === "released") !== (release !== undefined)) throw new Unreadable("has no fitting release")
  if (release !== undefined && !isHash(release)) throw new Unreadable("has no hash of its release")
  if (optionalText(value, "cause") === undefined)
    return { outcome, ...(release === undefined ? {} : { release }) }
  if (outcome !== "failed") throw new Unreadable("has a cause of failure, and a release")
  return { outcome, cause: wordField(value, "cause", failureCauses) }
}

function readDecision(value: unknown): { readonly by: readonly string[]; readonly why: string } {
  const by = listField(value, "by", readText)
  if (by.length === 0) throw new Unreadable("was decided by nobody")
  return { by, why: textField(value, "why") }
}

function readTerms(value: unknown): LossTerms {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Unreadable("has no terms of its losses")
  }
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value)
  return Object.fromEntries(fields.map(([name, text]) => [name, readText(text)] as const))
}

function readBudget(value: unknown): Budget {
  const accounting = wordField(value, "accounting", accountings)
  const epsilon = fractionField(value, "epsilon")
  const delta = fractionField(value, "delta")
  const limit = fieldOf(value, "limit")
  if (textField(limit, "measure") !== accounting) throw new Unreadable("has a limit in another measure")
  switch (accounting) {
    case "pure":
      return {
        accounting,
        epsilon,
        delta,
        limit: { measure: "pure", epsilon: fractionField(limit, "epsilon") },
      }
    case "zcdp": {
      const rho = fractionField(limit, "rho")
      return {
        accounting,
        epsilon,
        delta,
        limit: { measure: "zcdp", rho, delta: fractionField(limit, "delta") },
      }
    }
    case "gdp": {
      const muSquared = fractionField(limit, "muSquared")
      const forCharges = fractionField(limit, "delta")
      return { accounting, epsilon, delta, limit: { measure: "gdp", muSquared, delta: forCharges } }
    }
    default:
      return accounting satisfies never
  }
}

const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]

function readAmounts(value: unknown): Amounts {
  return { amount: fractionField(value, "amount"), delta: fractionField(value, "delta") }
}

function readAccount(item: unknown): AccountName {
  const name = readText(item)
  if (!isAccountName(name)) throw new Unreadable("names no account")
  return name
}

function nameField(value: unknown, key: string): string {
  const text = textField(value, key)
  if (!isName(text)) throw new Unreadable(`has no proper ${key}`)
  return text
}

/** A fraction of 0 or more in lowest terms: one text for one amount. */
function fractionField(value: unknown, key: string): Rational {
  const text = textField(value, key)
  const [, above, below = "1"] = /^(\d{1,2500})(?:\/(\d{1,2500}))?$/.exec(text) ?? []
  if (above === undefined || /^0+$/.test(below)) throw new Unreadable(`has no amount for ${key}`)
  const amount = rational(BigInt(above), BigInt(below))
  if (showRational(amount) !== text)
    throw new Unreadable(`has an amount for ${key} that is not in lowest terms`)
  return amount
}

function isFraction(value: object): value is Rational {
  return "numerator" in value && "denominator" in value
}
