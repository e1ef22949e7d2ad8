// Series: running totals that grow with the data. One charge when a series is made pays for its whole
// horizon; each later release is a step that the ledger records before it is shown, and records once.

import { randomBytes } from "node:crypto"
import { showRational } from "@dosimeter/core/exact"
import type { SeriesPlan } from "@dosimeter/planner/series/plan-series"
import { fail } from "../errors.ts"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { noReceiptText, receiptText, type ReceiptFacts } from "../receipts/receipt.ts"
import { isOfSeries, paySeries, permitSteps, type SeriesAt } from "../release/permit.ts"
import { printed } from "../release/printed-plan.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { releaseNextSteps, type CountingMemory } from "../release/release-series.ts"
import { payerOf, type Asker, type Walk } from "../ask/run-query.ts"
import type { SeriesMemories } from "./series-memory.ts"
import {
  findSeries,
  seriesSubject,
  writeDefinition,
  writeSteps,
  type KnownSeries,
  type SeriesDefinition,
  type SeriesView,
} from "./series-record.ts"
import { causeOf } from "../release/under-charge.ts"

/** Makes a series: charges its whole horizon. Nothing is read. */
export async function createSeries(
  definition: SeriesDefinition,
  series: SeriesPlan,
  { walk, asker }: { readonly walk: Walk; readonly asker: Asker },
): Promise<void> {
  const { ledger } = walk
  const { name } = definition
  await walk.version.check()
  if ((await findSeries(ledger, name)) !== undefined) fail("series/known", { name })
  // What cannot be written is refused before its charge.
  printed(series.proven.plan, walk.backend)
  const reservation = await paySeries(seriesAt(walk), series.proven, payerOf(asker))
  asker.onCharged?.(reservation.position)
  const text = writeDefinition(definition, { view: viewOf(series), planHash: reservation.planHash })
  const receipt = receiptText(seriesFacts(definition, series), reservation)
  const release = { answer: text, receipt, kept: [{ subject: seriesSubject(name), text }] }
  await ledger.settle(reservation, { outcome: "released", release })
}

function seriesAt({ ledger, policy }: Walk): SeriesAt {
  return { ledger, catalog: policy.catalog }
}

/** What an update works with. */
export interface UpdateOptions {
  readonly walk: Walk
  readonly memories: SeriesMemories
  readonly through: bigint
  readonly signal?: AbortSignal
}

/**
 * Releases the periods that are over by a day, if there are new ones; returns how many.
 *
 * Guarantee: all that is ever shown of a series loses no more than its charge.
 * Needs: the plan is that of the series' definition, and so are noise and form (compared here). That rows are
 *   only added is not needed where units are people: a person whose rows change counts no more
 *   (countSeries). Where a unit is a row, a changed row is another row.
 * Proof: measurements are drawn for steps after the last recorded one, recorded in one entry that is refused
 *   if another process has recorded a step meanwhile, and shown from the record only. So none is shown with
 *   two draws, and none after the horizon. All have the noise and the form that were charged for.
 * Numerics: integers.
 * Source: core's running totals.
 */
export async function updateSeries(
  known: KnownSeries,
  series: SeriesPlan,
  { walk, memories, through, signal }: UpdateOptions,
): Promise<number> {
  const { charge, definition } = known
  await walk.version.check()
  if (!isSameSeries(known, series)) fail("series/changed", { name: definition.name })
  const over = series.days.slice(1).filter((end) => end <= through).length
  const after = known.measured.length
  if (over <= after) return 0
  const permit = await permitSteps(seriesAt(walk), series.proven, charge)
  try {
    const mark = randomBytes(16).toString("hex")
    const steps = { after: BigInt(after), through: BigInt(over) }
    const memory = memoryOf(known, { memories, mark, key: walk.version.lasting })
    const text = writeSteps(await releaseNextSteps(permit, walk, { steps, memory, signal }), mark)
    const kept = [{ subject: seriesSubject(definition.name), text }]
    await walk.ledger.extend({ charge, ...steps }, { answer: text, receipt: noReceiptText, kept })
  } catch (error) {
    const cause = causeOf(error)
    if (cause !== undefined && cause !== "cancelled") await walk.ledger.failStep(charge, cause)
    throw error
  }
  return over - after
}

// The memory of the last update, by its mark; what this update counts is saved under a mark of its own.
function memoryOf(
  known: KnownSeries,
  { memories, mark, key }: { readonly memories: SeriesMemories; readonly mark: string; readonly key: string },
): CountingMemory {
  const { name } = known.definition
  return {
    key,
    load: () => (memories.load(name, known.mark, key) ?? fail("series/memory-missing", { name })).counted,
    save: ({ before, counted }) => {
      const now = { mark: known.mark, counted: before }
      memories.save(name, { now, next: { mark, counted } }, key)
    },
  }
}

/** Whether a plan is the one that a series was charged for: what is read, what is measured, and its noise. */
export function isSameSeries({ planHash: hash, view }: KnownSeries, series: SeriesPlan): boolean {
  const show = ({ form, noise }: SeriesView): string =>
    canonicalJson({ ...form, law: noise.law, amount: showRational(noise.amount) })
  return isOfSeries(hash, series.proven) && show(viewOf(series)) === show(view)
}

/** How a series is shown. */
export function viewOf({ proven, label, grid, days, rises }: SeriesPlan): SeriesView {
  const { spec, plan } = proven
  const { noise } = spec
  const { confidence } = plan
  const amount = noise.law === "laplace" ? noise.scale : noise.variance
  return { label, form: spec.form, noise: { law: noise.law, amount, grid }, days, rises, confidence }
}

function seriesFacts({ name }: SeriesDefinition, { proven: { plan } }: SeriesPlan): ReceiptFacts {
  const facts = receiptFacts(plan)
  const words = `the series ${name}: who has counted in a period that its rows no longer have counts no more`
  return { ...facts, notes: [words, ...facts.notes] }
}
