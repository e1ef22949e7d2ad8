// Ways to let one unit make a database do more than it may.

import type { Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Filter, Rel } from "@dosimeter/proof/algebra/rel"
import { upperBounds } from "@dosimeter/proof/algebra/walk"
import { mapRel, withNodes } from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

/** Joins, unions and texts without their bounds. */
export const workCorruptions: readonly Corruption[] = [
  { name: "a join without a limit on rows", of: "joined", change: (plan) => onSides(plan, isPlace, dropped) },
  {
    name: "a join of too many rows of a person",
    of: "joined",
    change: (plan) =>
      onSides(plan, isPlace, ({ input, columns }) => ({
        kind: "filter",
        input,
        columns,
        condition: callExpr("less-or-equal", [placeIn(input), integerLiteral(100_000n)]),
      })),
  },
  {
    name: "rows numbered within less than a unit",
    of: "joined",
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "join"
          ? { ...rel, left: mapRel(rel.left, narrower), right: mapRel(rel.right, narrower) }
          : rel,
      ),
  },
  {
    name: "a join of rows by their rank",
    of: "joined",
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "join"
          ? { ...rel, left: mapRel(rel.left, ranked), right: mapRel(rel.right, ranked) }
          : rel,
      ),
  },
  {
    name: "a join of rows with long texts",
    of: "joined",
    change: (plan) => onSides(plan, (filter) => !isPlace(filter), dropped),
  },
  {
    name: "a hundred constant rows for each",
    of: "values",
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "values" ? { ...rel, rows: Array.from({ length: 50 }, () => rel.rows).flat() } : rel,
      ),
  },
  {
    name: "texts that were joined twenty times",
    of: "byCode",
    change: (plan) => withNodes(plan, (rel) => (rel.kind === "filter" ? withLongText(rel) : rel)),
  },
]

function onSides(
  plan: Parameters<Corruption["change"]>[0],
  which: (filter: Filter) => boolean,
  change: (filter: Filter) => Rel,
): ReturnType<Corruption["change"]> {
  const spoil = (rel: Rel): Rel => (rel.kind === "filter" && which(rel) ? change(rel) : rel)
  return withNodes(plan, (rel) =>
    rel.kind === "join" ? { ...rel, left: mapRel(rel.left, spoil), right: mapRel(rel.right, spoil) } : rel,
  )
}

function withLongText(filter: Filter): Rel {
  const column = filter.input.columns.find(({ domain }) => domain.type.kind === "text")
  if (column === undefined) return filter
  const text: Expr = { kind: "column", id: column.id, domain: column.domain }
  const long = callExpr(
    "concat",
    Array.from({ length: 20 }, () => text),
  )
  return { ...filter, condition: callExpr("and", [filter.condition, callExpr("greater", [long, text])]) }
}

const isPlace = ({ condition }: Filter): boolean => upperBounds(condition).length > 0
const dropped = ({ input }: Filter): Rel => input

function placeIn({ columns }: Rel): Expr {
  const column = columns.at(-1)
  if (column === undefined) throw new Error("there is a column")
  return { kind: "column", id: column.id, domain: column.domain }
}

function narrower(rel: Rel): Rel {
  if (rel.kind !== "window") return rel
  const more = rel.input.columns.map(({ id, domain }): Expr => ({ kind: "column", id, domain }))
  return {
    ...rel,
    items: rel.items.map((item) => ({ ...item, partitionBy: [...item.partitionBy, ...more] })),
  }
}

function ranked(rel: Rel): Rel {
  if (rel.kind !== "window") return rel
  return { ...rel, items: rel.items.map((item) => ({ ...item, function: "dense-rank" as const })) }
}
