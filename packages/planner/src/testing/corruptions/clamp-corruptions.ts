// Plans whose sums and cells are not clamped where they are added up, though every claim about values holds.

import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, columnIdsAfter } from "@dosimeter/proof/algebra/make"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import { withNodes } from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

/** Clamps that are left out. */
export const clampCorruptions: readonly Corruption[] = [
  ...each(
    [
      "byWard",
      "bySex",
      "byCode",
      "path",
      "publicJoin",
      "meanHeight",
      "spreadHeight",
      "spreadOfRows",
      "rollup",
    ],
    "no clamp where it is added up",
    withoutLastClamp,
  ),
  ...each(["median", "mode"], "cells that are not clamped", withoutCellClamp),
]

function each(
  questions: readonly ClinicQuestion[],
  name: string,
  change: (rel: Rel) => Rel,
): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change: (plan) => withNodes(plan, change) }))
}

// The sum of what was clamped before, in a column of its own: its domain is the same, and nothing is printed.
function withoutLastClamp(rel: Rel): Rel {
  if (rel.kind !== "aggregate") return rel
  const ids = columnIdsAfter(rel)
  const bare = rel.items.map((item) => {
    const { argument } = item
    if (item.function !== "sum" || argument === undefined || argument.kind === "column") return { item }
    const column = { id: ids.next(), name: "bare", domain: argument.domain }
    return { item: { ...item, argument: columnExpr(column) }, added: { column, value: argument } }
  })
  const added = bare.flatMap((one) => one.added ?? [])
  const carried = rel.input.columns
  const input: Rel = {
    kind: "project",
    input: rel.input,
    items: [...carried.map(columnExpr), ...added.map(({ value }) => value)],
    columns: [...carried, ...added.map(({ column }) => column)],
  }
  return { ...rel, input, items: bare.map(({ item }) => item) }
}

// A cell that is what a column says, with the domain that it had.
function withoutCellClamp(rel: Rel): Rel {
  if (rel.kind !== "project") return rel
  const [other] = rel.input.columns.filter(({ domain }) => domain.type.kind === "integer")
  if (other === undefined) return rel
  const isCell = (item: Expr): boolean => item.kind === "steps" || item.kind === "case"
  return {
    ...rel,
    items: rel.items.map((item) => (isCell(item) ? columnExpr({ ...other, domain: item.domain }) : item)),
  }
}
