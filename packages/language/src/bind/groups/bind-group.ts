// GROUP BY and aggregates. Over rows of people a group is either one unit's own (then it is an Aggregate,
// still private), or of many people: that is the boundary, and what comes after it is released.

import type { Span } from "@dosimeter/core"
import type { Call, Expression, GroupItem } from "../../parse/ast.ts"
import { AutoValues } from "../aggregates/auto-values.ts"
import { refuseUnitSets, unitedSets } from "./bind-grouping-sets.ts"
import { InputColumns, questionOf, type Question, type Reading } from "../aggregates/collector.ts"
import { gather, gatherAll } from "../scope/context.ts"
import { noAggregates, noWindows, type Env, type QueryScope, type Rows } from "../scope/env.ts"
import { bindKey, groupingSets, refuseFreeText, type Key } from "./group-keys.ts"
import { aggregated, boundary, distinctColumns, noteUnit } from "./group-rows.ts"
import { BoundaryAggregates } from "../aggregates/boundary-aggregates.ts"
import { grouped, type Grouped } from "./over-groups.ts"
import { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import { unitAmong } from "../scope/relation.ts"
import type { SelectOutput } from "../scope/select-outputs.ts"

/** Rows that are to be grouped, and how. */
export interface Grouping {
  readonly rows: Rows
  readonly groupBy: readonly GroupItem[]
  readonly outputs: readonly SelectOutput[]
  readonly aggregates: readonly Call[]
  readonly at: Span
}

/** Groups rows. */
export function bindGroups(scope: QueryScope, { rows, groupBy, outputs, aggregates, at }: Grouping): Grouped {
  const env = inputEnv(scope, rows)
  const sets = groupingSets(groupBy)
  const hasSets = sets.length > 1
  const written = [...new Set(sets.flat())]
  let keys: readonly Key[] = []
  let questions: readonly Question[] = []
  gatherAll(
    () => {
      keys = gather(written, (item) => bindKey(env, item, outputs))
    },
    () => {
      questions = gather(aggregates, (call) => questionOf(env, call))
    },
  )
  const input = new InputColumns(scope.context)
  const keyColumns = keys.map(({ value, name }) => input.of(value, name))
  const { zone } = rows.block.relation
  const plain = new Set(keys.flatMap(({ value }) => (value.kind === "column" ? [value.id] : [])))
  const own = zone.kind === "private" ? unitAmong(zone, plain) : undefined
  if (hasSets && own !== undefined) refuseUnitSets(scope, groupBy.find(isSet)?.at ?? at)
  const isBoundary = zone.kind === "private" && own === undefined
  if (own === "telling") noteUnit(scope, rows.block.relation)
  const measured = isBoundary ? new BoundaryAggregates(scope.context, zone, input) : undefined
  const items = new PlainAggregates(scope.context, zone.kind === "private" ? "private" : "other", input)
  const auto = new AutoValues(scope.context, input)
  const readings = new Map<Call, Reading>()
  if (isBoundary) refuseFreeText(keys)
  gather(questions, (question, index) => {
    const call = aggregates[index]
    if (call === undefined) return
    readings.set(call, measured === undefined ? items.add(question) : measured.add(auto.bounded(question)))
  })
  const projection = input.project(rows.block.relation)
  for (const value of auto.found) scope.context.autoValues.push({ value, input: projection.rel })
  if (hasSets) {
    const columnOf = new Map(written.map((item, index) => [item, keyColumns[index]]))
    const united = unitedSets(scope, {
      input: projection,
      sets: sets.map((set) => set.flatMap((item: Expression) => columnOf.get(item) ?? [])),
      keys: distinctColumns(keyColumns),
      aggregates: measured,
      items,
      at,
    })
    return grouped(scope, { rows, relation: united.relation, keys, keyColumns, readings, united })
  }
  const relation =
    measured === undefined
      ? aggregated(projection, { keys: distinctColumns(keyColumns), items, at })
      : boundary(scope, projection, { keys: distinctColumns(keyColumns), aggregates: measured, at })
  return grouped(scope, { rows, relation, keys, keyColumns, readings })
}

function isSet({ kind }: GroupItem): boolean {
  return kind === "grouping-set"
}

function inputEnv(scope: QueryScope, { names, block }: Rows): Env {
  return {
    ...scope,
    names,
    block,
    outerUse: "refused",
    aggregate: noAggregates("inside an aggregate or in GROUP BY", "aggregate in a subquery first"),
    window: noWindows("inside an aggregate or in GROUP BY"),
    finish: (value) => value,
  }
}
