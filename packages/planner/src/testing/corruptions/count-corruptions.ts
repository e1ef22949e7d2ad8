// Ways to spoil the histograms of a plan, and the numbers and lists of its columns.

import { rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateDomain } from "@dosimeter/proof/algebra/item-domain"
import { integerLiteral, stepsExpr } from "@dosimeter/proof/algebra/make"
import type { AggregateItem, Rel } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import { withExprs, withExtract, withMeasurements, withNodes } from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

type Change = Corruption["change"]

/** What a histogram adds up, and where its count is read. */
export const histogramCorruptions: readonly Corruption[] = [
  ...each(["mode", "median"], "the count is a wide sum", counting(wideSum(0n, 1_000_000n))),
  ...each(["mode", "median"], "the count is a sum below 0", counting(wideSum(-1n, 1n))),
  ...each(["mode", "median"], "the count is a sum of nothing", counting(wideSum(0n, 0n))),
  ...each(["mode", "median"], "a wide sum between cell and count", (plan) =>
    withExtract(plan, wideBetween, histogramOf(plan)),
  ),
  ...each(["mode", "median"], "a wide sum after the count", (plan) =>
    withExtract(plan, wideAfter, histogramOf(plan)),
  ),
  ...each(["mode", "median"], "cell and count in one column", (plan) =>
    withMeasurements(plan, (one) => (one.kind === "choice" ? { ...one, cell: one.count } : one)),
  ),
]

/** Column numbers that are none. */
export const columnCorruptions: readonly Corruption[] = [-1, -2, -0, 0.5, NaN, Infinity, 2 ** 53].flatMap(
  (id) => [
    ...each(
      ["count", "byWard", "median"],
      `a column of a table with the number ${id}`,
      renumbered(id, "scan"),
    ),
    ...each(["byWard"], `a column of a group with the number ${id}`, renumbered(id, "aggregate")),
  ],
)

/** Nodes that list other columns than they have. */
export const widthCorruptions: readonly Corruption[] = [
  ...widths(["byCode", "median", "window"], "window"),
  ...widths(["count", "byWard", "joined", "path"], "scan"),
  ...widths(["joined", "publicJoin"], "join"),
  ...widths(["byWard", "grouped", "distinct"], "aggregate"),
  ...widths(["byWard", "median"], "project"),
  ...widths(["exists"], "mark"),
  ...widths(["union"], "union"),
  ...widths(["values"], "values"),
]

function each(questions: readonly ClinicQuestion[], name: string, change: Change): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change }))
}

function wideSum(lower: bigint, upper: bigint): AggregateItem {
  const argument: Expr = stepsExpr(integerLiteral(upper), rational(1n), { lower, upper })
  return { function: "sum", argument }
}

// The count of every histogram adds up something else.
function counting(item: AggregateItem): Change {
  return (plan) =>
    withExtract(
      plan,
      (extract) => {
        const { rel } = extract
        if (rel.kind !== "aggregate") return extract
        const last = rel.columns.length - 1
        const columns = rel.columns.map((column, index) =>
          index === last ? { ...column, domain: aggregateDomain(item) } : column,
        )
        return { ...extract, rel: { ...rel, items: [...rel.items.slice(0, -1), item], columns } }
      },
      histogramOf(plan),
    )
}

function histogramOf(plan: Parameters<Change>[0]): number {
  const choice = plan.releases[0]?.measurements.find(({ kind }) => kind === "choice")
  return choice?.extract ?? 0
}

const wide: ColumnId = 654_321

function wideBetween(extract: Extract): Extract {
  return withWide(extract, (list, one) => [...list.slice(0, -1), one, ...list.slice(-1)])
}

function wideAfter(extract: Extract): Extract {
  return withWide(extract, (list, one) => [...list, one])
}

function withWide(extract: Extract, place: <T>(list: readonly T[], one: T) => readonly T[]): Extract {
  const { rel } = extract
  if (rel.kind !== "aggregate") return extract
  const item = wideSum(0n, 1_000_000n)
  const column = { id: wide, name: "wide", domain: aggregateDomain(item) }
  return {
    ...extract,
    rel: { ...rel, items: place(rel.items, item), columns: place(rel.columns, column) },
    values: place(extract.values, wide),
  }
}

// One column of the first extract gets another number, wherever it is used.
function renumbered(id: number, kind: Rel["kind"]): Change {
  return (plan) => {
    const [extract] = plan.releases[0]?.extracts ?? []
    const old = extract === undefined ? undefined : lastColumn(extract.rel, kind)
    if (old === undefined) return plan
    const change = (one: ColumnId): ColumnId => (one === old ? id : one)
    const nodes = withNodes(plan, (rel) => withNumbers(rel, change))
    const exprs = withExprs(nodes, (expr) =>
      expr.kind === "column" ? { ...expr, id: change(expr.id) } : expr,
    )
    const listed = withExtract(exprs, ({ rel, keys, values }) => ({
      rel,
      keys: keys.map(change),
      values: values.map(change),
    }))
    return withMeasurements(listed, (one) =>
      one.kind === "linear"
        ? { ...one, columns: one.columns.map((column) => ({ ...column, id: change(column.id) })) }
        : one,
    )
  }
}

function withNumbers(rel: Rel, change: (id: ColumnId) => ColumnId): Rel {
  const columns = rel.columns.map((column) => ({ ...column, id: change(column.id) }))
  return rel.kind === "aggregate" ? { ...rel, columns, keys: rel.keys.map(change) } : { ...rel, columns }
}

function lastColumn(rel: Rel, kind: Rel["kind"]): ColumnId | undefined {
  if (rel.kind === kind) return rel.columns.at(-1)?.id
  const [input] = inputsOf(rel)
  return input === undefined ? undefined : lastColumn(input, kind)
}

// A column too few, and one too many, in every node of a kind.
function widths(questions: readonly ClinicQuestion[], kind: Rel["kind"]): readonly Corruption[] {
  const onKind =
    (change: (columns: Rel["columns"]) => Rel["columns"]): Change =>
    (plan) =>
      withNodes(plan, (rel) => (rel.kind === kind ? { ...rel, columns: change(rel.columns) } : rel))
  return [
    ...each(
      questions,
      `a ${kind} that does not list its last column`,
      onKind((columns) => columns.slice(0, -1)),
    ),
    ...each(
      questions,
      `a ${kind} that lists a column more`,
      onKind((columns) => [...columns, ...columns.slice(-1).map((column) => ({ ...column, id: wide }))]),
    ),
  ]
}
