// Answers from earlier releases on the same data: post-processing, so it costs nothing. Which are used
// depends on laws of noise and on released values alone.

import { createHash } from "node:crypto"
import { assert } from "@dosimeter/core/errors"
import { compare, numberNear, rational } from "@dosimeter/core/exact"
import {
  chooseSources,
  equalSources,
  paidErrors,
  sourcesFor,
  type Candidate,
  type Chosen,
} from "@dosimeter/answers/reuse/choose-sources"
import { deriveRows } from "@dosimeter/answers/reuse/derived-table"
import { groupingErrors } from "@dosimeter/answers/reuse/joint-table"
import { mayDerive, wantedOf, type WantedTable } from "@dosimeter/answers/reuse/derive"
import { paidMeans } from "@dosimeter/answers/reuse/mean-errors"
import { areWhole, hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Meaning } from "@dosimeter/answers/reuse/meaning"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Released } from "@dosimeter/proof/algebra/rel"
import type { Row, Table } from "@dosimeter/answers/cells/table"
import type { DataVersion } from "../dataset/data-version.ts"
import type { KeptRelease, Ledger } from "../ledger/ledger.ts"
import { readKept } from "./kept-table.ts"
import type { DrawNumbers } from "../answer/noisy-table.ts"

/** A question, with what its releases measure. */
export interface QuestionPlan {
  readonly plan: VerifiedPlan
  readonly meanings: readonly (Meaning | undefined)[]
}

/** Whether earlier releases answer: if they are as good, whenever they can, or not at all. */
export type ReuseMode = "auto" | "always" | "never"

/** What the record has for a release of a question. */
export interface FoundRelease {
  readonly wanted: WantedTable
  readonly candidates: readonly Candidate[]
  /** The best way to answer without paying, if there is one. */
  readonly chosen: Chosen | undefined
}

/** What the record has for a question: one for each release, undefined where nothing fits. */
export type Found = readonly (FoundRelease | undefined)[]

/** Where earlier releases are found, and which of them may be worked with. */
export interface KeptSource {
  readonly ledger: Pick<Ledger, "kept">
  readonly version: DataVersion
  /** Required, so that no caller forgets it: releases that wait for an approval must not be used. */
  readonly mayUse: (charge: bigint) => Promise<boolean>
}

/** Looks for released tables that a question can be worked out from. */
export async function findReleases(
  { plan, meanings }: QuestionPlan,
  { ledger, version, mayUse }: KeptSource,
  draws: DrawNumbers,
): Promise<Found> {
  const found: (FoundRelease | undefined)[] = []
  const numbers = new Map<string, number>()
  const numberOf = (place: string): number => {
    const number = numbers.get(place) ?? draws.next()
    numbers.set(place, number)
    return number
  }
  for (const [index, release] of plan.releases.entries()) {
    const meaning = meanings[index]
    if (meaning === undefined || release.extracts.length === 0 || showsWhole(release)) {
      found.push(undefined)
      continue
    }
    const subject = subjectOf(version.name, meaning)
    const wanted = wantedOf(release, meaning, plan.confidence)
    const recorded = await usable(await ledger.kept(subject, newestMax), mayUse)
    const candidates = recorded.flatMap(({ charge, text }, place): Candidate[] => {
      const table = readKept(text, (facts) => mayDerive(wanted.facts, facts))
      const drawOf = (column: number, row: number): number =>
        numberOf([subject, place, column, row].join(" "))
      return table === undefined ? [] : [{ table, charge, drawOf }]
    })
    const chosen =
      candidates.length === 0
        ? undefined
        : chooseSources(wanted, candidates, chooseOptions({ release, meaning }, plan))
    found.push({ wanted, candidates, chosen })
  }
  return found
}

// Whole numbers from 0 are made of a table that is released as a whole.
function showsWhole({ keys, measurements }: Release): boolean {
  if (!hasGroupings(keys)) return false
  return measurements.some((one) => one.kind === "linear" && areWhole(one, keys.groupings))
}

async function usable(
  recorded: readonly KeptRelease[],
  mayUse: KeptSource["mayUse"],
): Promise<readonly KeptRelease[]> {
  const open: KeptRelease[] = []
  for (const release of recorded) if (await mayUse(release.charge)) open.push(release)
  return open
}

/** Older releases of the same rows are not looked at. */
const newestMax = 200

/** What tables of equal rows are kept under: the version of the data and what the rows are. */
export function subjectOf(version: string, { rows }: Meaning): string {
  return createHash("sha256").update(`dosimeter table 1\n${version}\n${rows}`).digest("hex")
}

/** Whether a question is answered from the record. */
export function isEnough({ plan }: QuestionPlan, found: Found, mode: ReuseMode): boolean {
  if (mode === "never" || plan.releases.every(({ extracts }) => extracts.length === 0)) return false
  return plan.releases.every(({ extracts }, index) => {
    if (extracts.length === 0) return true
    const chosen = found[index]?.chosen
    if (chosen === undefined) return false
    return mode === "always" || (chosen.differences.length === 0 && chosen.ratio <= 1)
  })
}

/** The table of a release, worked out from the chosen ones. */
export function reusedTable(
  leaf: Released,
  { sources }: Chosen,
  plan: VerifiedPlan,
  wanted: WantedTable,
): Table {
  return { columns: leaf.columns, rows: derivedRows(leaf, sources, plan, wanted) }
}

/** A paid table, merged with what the record has of the same measurement. */
export function mergedTable(
  paid: Table,
  { wanted, candidates }: FoundRelease,
  { fresh, plan }: { readonly fresh: Candidate; readonly plan: VerifiedPlan },
): Table {
  if (wanted.groups === undefined || candidates.length === 0) return paid
  const sources = equalSources(sourcesFor(wanted, [fresh, ...candidates], { shownFrom: plan.shownFrom }))
  if (sources.length < 2 || sources[0]?.charge !== fresh.charge) return paid
  const rows = derivedRows(paid, sources, plan, wanted)
  const keyCount = keyCountOf(wanted)
  assert(rows.length === paid.rows.length, "what is merged has the same groups")
  return {
    columns: paid.columns,
    rows: paid.rows.map((row, index) =>
      row.map((cell, place) => {
        const kind = fresh.table.columns[place - keyCount]?.kind
        return (kind === "noisy" || kind === "joint" ? rows[index]?.[place] : undefined) ?? cell
      }),
    ),
  }
}

function derivedRows(
  { columns }: Pick<Table, "columns">,
  sources: Chosen["sources"],
  { shownFrom }: VerifiedPlan,
  wanted: WantedTable,
): readonly Row[] {
  const { facts, sums } = wanted
  const least = shownFrom === undefined ? undefined : rational(shownFrom)
  return deriveRows(sources, {
    types: columns.slice(keyCountOf(wanted)).map(({ domain }) => domain.type),
    addsUp: sums !== undefined,
    hides: (column, value) =>
      least !== undefined && facts.columns[column]?.isCount === true && compare(value, least) < 0,
  })
}

// After the keys of several groupings stands the number of the grouping.
function keyCountOf({ facts, sums }: WantedTable): number {
  return facts.keys.length + (sums === undefined ? 0 : 1)
}

function chooseOptions(
  of: { readonly release: Release; readonly meaning: Meaning },
  { confidence, shownFrom }: VerifiedPlan,
): Parameters<typeof chooseSources>[2] {
  const miss = 1 - numberNear(confidence)
  return {
    paid: paidErrors(of.release, confidence, miss),
    paidByGrouping: of.meaning.isFamily ? groupingErrors(of, { confidence, miss }) : [],
    means: of.meaning.isFamily ? [] : paidMeans(of.release, miss),
    miss,
    shownFrom,
  }
}
