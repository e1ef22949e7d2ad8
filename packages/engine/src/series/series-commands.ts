// Series by name: made, continued and shown.

import type { TotalForm } from "@dosimeter/core/mechanisms"
import { planSeries, type SeriesPlan } from "@dosimeter/planner/series/plan-series"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { fail } from "../errors.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { RecordedRelease } from "../ledger/ledger.ts"
import type { Asker, Walk } from "../ask/run-query.ts"
import {
  findSeries,
  seriesNameIn,
  type KnownSeries,
  type SeriesDefinition,
  type SeriesView,
} from "./series-record.ts"
import type { SeriesMemories } from "./series-memory.ts"
import { createSeries, updateSeries, viewOf } from "./series.ts"
import { inSlots } from "../ask/slots.ts"
import { seriesErrors, seriesTable } from "./show-series.ts"

/** What can be done with series. */
export interface SeriesCommands {
  /** What a series would be and cost. */
  plan(definition: SeriesDefinition): SeriesPlan
  /** How far off each of its totals may be: half the widths of their intervals. */
  errors(plan: SeriesPlan): readonly number[]
  /** Charges for the whole horizon. */
  create(definition: SeriesDefinition, asker: Asker): Promise<SeriesPlan>
  /** Releases all periods that are over by a day; how many were new. */
  update(name: string, through: bigint, signal?: AbortSignal): Promise<number>
  /** What was released so far. */
  show(name: string): Promise<ShownSeries>
  /** The series that a release of the ledger defines; undefined if it defines none. */
  ofRelease(release: RecordedRelease): Promise<ShownSeries | undefined>
}

/** A series, and what was released of it. */
export interface ShownSeries {
  readonly definition: SeriesDefinition
  /** The position of the charge that pays for all of it. */
  readonly charge: bigint
  readonly view: SeriesView
  readonly table: AnswerTable
}

/** The commands over one dataset. */
export function seriesCommands({
  walk,
  grammar,
  memories,
}: {
  readonly walk: Walk
  readonly grammar: Grammar
  readonly memories: SeriesMemories
}): SeriesCommands {
  const plan = (definition: SeriesDefinition, form?: TotalForm): SeriesPlan => {
    const { sql, from, periods } = definition
    const ask = askOf(definition)
    const began = form === undefined ? {} : { form }
    return planSeries(sql, { ...walk.policy, grammar, ask, from, periods, ...began })
  }
  const find = async (name: string): Promise<KnownSeries> =>
    (await findSeries(walk.ledger, name)) ?? fail("series/unknown", { name })
  return {
    plan: (definition) => plan(definition),
    errors: (series) => seriesErrors(viewOf(series), series.days.length - 1),
    create: async (definition, asker) => {
      const series = plan(definition)
      await createSeries(definition, series, { walk, asker })
      return series
    },
    update: (name, through, signal) =>
      memories.alone(name, async () => {
        const known = await find(name)
        const options = { walk, memories, through, ...(signal === undefined ? {} : { signal }) }
        const series = plan(known.definition, known.view.form)
        return inSlots(walk.policy.terms.slotMs, () => updateSeries(known, series, options))
      }),
    show: async (name) => shownSeries(await find(name)),
    ofRelease: async ({ answer, charge }) => {
      const name = seriesNameIn(answer)
      const known = name === undefined ? undefined : await findSeries(walk.ledger, name)
      return known?.charge === charge ? shownSeries(known) : undefined
    },
  }
}

function shownSeries(known: KnownSeries): ShownSeries {
  const { definition, charge, view } = known
  return { definition, charge, view, table: seriesTable(known) }
}

function askOf({ epsilon, groupsPerUnit, rowsPerGroup }: SeriesDefinition): Ask {
  return {
    epsilon,
    ...(groupsPerUnit === undefined ? {} : { groupsPerUnit }),
    ...(rowsPerGroup === undefined ? {} : { rowsPerGroup }),
  }
}
