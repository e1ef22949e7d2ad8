// What must be alike at all sites for their vectors to be added up, number by number, as one hash: whom the
// noise protects, the groups, and what each measured number is, with the range that its values are cut to.

import { createHash } from "node:crypto"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Extract, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { inputsOf, partsOf } from "@dosimeter/proof/algebra/walk"
import { canonicalJson } from "../ledger/entries/canonical.ts"

/** A hash of what must be alike for vectors of two plans to be added up. */
export function layoutOf(plan: ReleasePlan): string {
  const { charge, unitName, neighbours, confidence, outputNames, shownFrom, raw } = plan
  const { accounting, amount, delta } = charge
  const releases = plan.releases.map((release) => ({
    bounds: boundsOf(release),
    keys: release.keys,
    readings: release.readings,
    measurements: release.measurements.map((measurement) => {
      if (measurement.kind !== "linear") return undefined
      const { extract, columns, grid, strategy } = measurement
      const from = release.extracts[extract]
      return {
        extract,
        grid,
        strategy,
        columns: columns.map(({ id, of }) => [
          from?.values.indexOf(id),
          of,
          from === undefined ? [] : rangesOf(from, id),
        ]),
      }
    }),
  }))
  const protects = { accounting, amount, delta, unitName, neighbours }
  const all = { ...protects, confidence, outputNames, shownFrom, raw, releases }
  const plain: unknown = JSON.parse(
    JSON.stringify(all, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
  )
  return createHash("sha256")
    .update(`dosimeter layout 2\n${canonicalJson(plain)}`)
    .digest("hex")
}

function boundsOf({ bounds }: Release): unknown {
  const { groupsPerUnit, rowsPerGroup, scaled, cutsValues } = bounds
  const norm = scaled === undefined ? undefined : [scaled.norm, scaled.bound]
  return { groupsPerUnit, rowsPerGroup, norm, cutsValues }
}

/** The grids and ends that the values behind a measured column are cut to; none for what is counted. */
function rangesOf({ rel }: Extract, measured: ColumnId): unknown[] {
  const definitions = new Map<ColumnId, Expr[]>()
  define(rel, definitions)
  const seen = new Set<ColumnId>()
  const found: unknown[] = []
  const follow = (id: ColumnId): void => {
    if (seen.has(id)) return
    seen.add(id)
    for (const expr of definitions.get(id) ?? []) look(expr)
  }
  const look = (expr: Expr): void => {
    if (expr.kind === "steps") found.push([expr.grid, expr.lower, expr.upper])
    else if (expr.kind === "column") follow(expr.id)
    else for (const part of partsOf(expr)) look(part)
  }
  follow(measured)
  return found
}

/** What each column below a node is made of; a union's of the columns of all its inputs. */
function define(rel: Rel, known: Map<ColumnId, Expr[]>): void {
  const add = (place: number, expr: Expr | undefined): void => {
    const id = rel.columns[place]?.id
    if (id === undefined || expr === undefined) return
    known.set(id, [...(known.get(id) ?? []), expr])
  }
  if (rel.kind === "project") rel.items.forEach((item, place) => add(place, item))
  if (rel.kind === "aggregate") {
    rel.items.forEach(({ argument }, place) => add(rel.keys.length + place, argument))
  }
  if (rel.kind === "window") {
    const before = rel.input.columns.length
    rel.items.forEach(({ args }, place) => args.forEach((arg) => add(before + place, arg)))
  }
  if (rel.kind === "union") {
    for (const { columns } of rel.inputs) {
      columns.forEach(({ id, domain }, place) => add(place, { kind: "column", id, domain }))
    }
  }
  for (const input of inputsOf(rel)) define(input, known)
}
