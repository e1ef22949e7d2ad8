// Ways to spoil the relations of a plan: filters, windows, joins, clamps, claims about values.

import { rational } from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral } from "@dosimeter/proof/algebra/make"
import type { Filter, Rel, WindowItem, WindowRel } from "@dosimeter/proof/algebra/rel"
import { upperBounds } from "@dosimeter/proof/algebra/walk"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import { recharged, withExprs, withExtract, withStrategies, withNodes } from "./corrupt-plan.ts"

/** A question, and how its plan is spoilt. */
export interface Corruption {
  readonly name: string
  readonly of: ClinicQuestion
  readonly change: (plan: ReleasePlan) => ReleasePlan
}

type Change = Corruption["change"]

/** Bounding: places, partitions, limits. */
export const boundingCorruptions: readonly Corruption[] = [
  ...each(["byCode", "distinct", "median", "byWard", "joined"], "no limit on groups or rows", dropPlaces()),
  ...each(["byCode", "distinct", "median", "byWard"], "a higher limit", onPlaces(limit((most) => most + 1n))),
  ...each(["byCode", "median"], "a limit of 10^18", onPlaces(limit(() => 10n ** 18n))),
  ...each(["byCode", "median"], "a limit of 0", onPlaces(limit(() => 0n))),
  ...each(
    ["byCode", "distinct", "median"],
    "at least in place of at most",
    onPlaces(compared("greater-or-equal")),
  ),
  ...each(["byCode", "median"], "a limit or anything", onPlaces(orTrue)),
  ...each(["byCode", "distinct", "median"], "a place among everyone", onWindows({ partitionBy: () => [] })),
  ...each(["distinct", "median"], "rank in place of dense rank", renamed("dense-rank", "rank")),
  ...each(["byCode"], "rank in place of a number", renamed("row-number", "rank")),
  ...each(["distinct", "median"], "groups ranked by their hash alone", byHashAlone("dense-rank")),
  ...each(["byCode"], "a dense rank of nothing", renamed("row-number", "dense-rank", { orderBy: [] })),
  ...each(["byCode", "median"], "a place in another partition", (plan) => withNodes(plan, otherPartition)),
  ...each(["byCode", "distinct"], "a place among the rows of one group", (plan) =>
    withNodes(plan, morePartition),
  ),
]

/** Values: clamps and claims. */
export const valueCorruptions: readonly Corruption[] = [
  ...each(
    ["count", "byWard", "byCode", "bySex", "path", "publicJoin"],
    "a wider clamp, not claimed",
    widerSteps(false),
  ),
  ...each(
    ["count", "byWard", "byCode", "bySex", "path", "publicJoin"],
    "a wider clamp, claimed",
    widerSteps(true),
  ),
  ...each(["count", "byWard", "bySex", "path"], "no clamp", (plan) => withExprs(plan, withoutSteps)),
  ...each(["median"], "no number for NULL", (plan) => withExprs(plan, withoutCoalesce)),
  ...each(["byWard", "path", "median"], "a finer grid of cells, beyond the claim", (plan) =>
    withNodes(plan, wideScan),
  ),
  ...each(["byWard", "bySex", "values"], "columns claimed to be 0 or 1", (plan) =>
    withNodes(plan, narrowColumns),
  ),
  ...each(["values"], "VALUES that are not what is claimed", (plan) => withNodes(plan, otherValues)),
  ...each(["byCode", "byWard"], "a literal that is not what is claimed", (plan) =>
    withExprs(plan, otherLiteral),
  ),
  ...each(["byWard"], "a CASE that is not what is claimed", (plan) => withExprs(plan, wrapInCase)),
  ...each(["heights"], "columns claimed to be NULL for ever", (plan) => recharged(alwaysNull(plan))),
  ...each(["byWard", "bySex", "byCode"], "largest in place of sum", aggregated("sum", "max")),
  ...each(["byCode", "byWard"], "sum in place of rows", aggregated("rows", "sum")),
]

/** Units: joins, groups, windows and tables that lose track of them. */
export const unitCorruptions: readonly Corruption[] = [
  ...each(["joined", "exists"], "people joined on anything", (plan) => withNodes(plan, withoutCondition)),
  ...each(["joined", "exists"], "people joined by inequality", (plan) => withExprs(plan, unequal)),
  ...each(["joined"], "people joined on another column", (plan) => withNodes(plan, otherEquality)),
  ...each(["publicJoin"], "unmatched public rows kept", (plan) => withNodes(plan, joinType("right"))),
  ...each(["publicJoin"], "unmatched rows of both sides kept", (plan) => withNodes(plan, joinType("full"))),
  ...each(["path"], "rows whose path leads nowhere kept", (plan) => withNodes(plan, joinType("left"))),
  ...each(["path"], "a path on anything", (plan) => withNodes(plan, withoutCondition)),
  ...each(["byWard", "byCode", "grouped", "count"], "people added up inside", (plan) =>
    withNodes(plan, withoutUnitKey),
  ),
  ...each(["window"], "a window over everyone", onWindows({ partitionBy: () => [] })),
  ...each(["count", "byWard", "union"], "rows cut by LIMIT", (plan) => withNodes(plan, cutScan)),
  ...each(["union"], "a union with other columns", (plan) => withNodes(plan, turnedUnion)),
  ...each(["count", "byCode"], "a table that is not the catalog's", (plan) => withNodes(plan, publicTable)),
  ...each(["count", "joined"], "a unit from another column", (plan) => withNodes(plan, otherUnit)),
  ...each(["byWard", "bySex"], "a denied column", (plan) => withNodes(plan, deniedColumn)),
  ...each(["byWard"], "a column that no table has", (plan) => withNodes(plan, unknownColumn)),
  ...each(["byCode", "joined"], "a column number twice", (plan) => withNodes(plan, sameNumber)),
  ...each(["byWard", "byCode"], "a column from elsewhere", (plan) => withExprs(plan, strayColumn)),
  ...each(["byWard", "byCode"], "keys dropped", (plan) => withExtract(plan, (one) => ({ ...one, keys: [] }))),
  ...each(["count", "byCode"], "rows in place of sums", (plan) =>
    withExtract(plan, (one) => (one.rel.kind === "aggregate" ? { ...one, rel: one.rel.input } : one)),
  ),
]

function each(questions: readonly ClinicQuestion[], name: string, change: Change): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change }))
}

function isPlace(rel: Rel): rel is Filter {
  return rel.kind === "filter" && upperBounds(rel.condition).length > 0
}

function dropPlaces(): Change {
  return (plan) => withNodes(plan, (rel) => (isPlace(rel) ? { ...rel, condition: always } : rel))
}

const always: Expr = callExpr("equal", [integerLiteral(1n), integerLiteral(1n)])

function onPlaces(change: (condition: Expr) => Expr): Change {
  return (plan) =>
    withNodes(plan, (rel) => (isPlace(rel) ? { ...rel, condition: change(rel.condition) } : rel))
}

function limit(change: (most: bigint) => bigint): (condition: Expr) => Expr {
  return (condition) => {
    const [bound] = upperBounds(condition)
    if (bound === undefined || condition.kind !== "call") return condition
    const [place] = condition.args
    return place === undefined
      ? condition
      : { ...condition, args: [place, integerLiteral(change(bound.most))] }
  }
}

function compared(name: "greater-or-equal"): (condition: Expr) => Expr {
  return (condition) => (condition.kind === "call" ? { ...condition, name } : condition)
}

function orTrue(condition: Expr): Expr {
  return callExpr("or", [condition, always])
}

function mapWindows(rel: Rel, change: (item: WindowItem, of: WindowRel) => WindowItem): Rel {
  return rel.kind === "window" ? { ...rel, items: rel.items.map((item) => change(item, rel)) } : rel
}

function onWindows({ partitionBy }: { readonly partitionBy: () => readonly Expr[] }): Change {
  return (plan) =>
    withNodes(plan, (rel) => mapWindows(rel, (item) => ({ ...item, partitionBy: partitionBy() })))
}

function renamed(
  from: WindowItem["function"],
  to: WindowItem["function"],
  more: Partial<WindowItem> = {},
): Change {
  return (plan) =>
    withNodes(plan, (rel) =>
      mapWindows(rel, (item) => (item.function === from ? { ...item, ...more, function: to } : item)),
    )
}

function byHashAlone(name: WindowItem["function"]): Change {
  return (plan) =>
    withNodes(plan, (rel) =>
      mapWindows(rel, (item) =>
        item.function === name ? { ...item, orderBy: item.orderBy.slice(0, 1) } : item,
      ),
    )
}

// One more column: the place is then one within a group, and says nothing about how many groups there are.
function morePartition(rel: Rel): Rel {
  return mapWindows(rel, (item) => {
    const order = item.orderBy.flatMap(({ value }) => (value.kind === "column" ? [value] : []))
    return item.partitionBy.length === 1 ? { ...item, partitionBy: [...item.partitionBy, ...order] } : item
  })
}

// Any column of another number in place of the first of the partition.
function otherPartition(rel: Rel): Rel {
  return mapWindows(rel, (item, { input }) => {
    const [first, ...rest] = item.partitionBy
    const other = input.columns.find(({ id }) => first?.kind === "column" && id !== first.id)
    return other === undefined ? item : { ...item, partitionBy: [columnExpr(other), ...rest] }
  })
}

function widerSteps(isClaimed: boolean): Change {
  return (plan) =>
    withExprs(plan, (expr) => {
      if (expr.kind !== "steps") return expr
      const upper = expr.upper * 2n + 1n
      return { ...expr, upper, domain: isClaimed ? upTo(expr.domain, upper) : expr.domain }
    })
}

function upTo(domain: Domain, upper: bigint): Domain {
  const { range } = domain
  if (range === undefined) return domain
  return { ...domain, range: { ...range, max: { value: rational(upper), declared: true } } }
}

function withoutSteps(expr: Expr): Expr {
  return expr.kind === "steps" ? { ...expr.operand, domain: expr.domain } : expr
}

function withoutCoalesce(expr: Expr): Expr {
  const [first] = expr.kind === "call" && expr.name === "coalesce" ? expr.args : []
  return first ?? expr
}

function wideScan(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  return { ...rel, columns: rel.columns.map((one) => ({ ...one, domain: zeroOrOne(one.domain) })) }
}

function narrowColumns(rel: Rel): Rel {
  return { ...rel, columns: rel.columns.map((one) => ({ ...one, domain: zeroOrOne(one.domain) })) }
}

function zeroOrOne(domain: Domain): Domain {
  if (domain.range === undefined) return domain
  const end = (value: bigint): { value: ReturnType<typeof rational>; declared: true } => ({
    value: rational(value),
    declared: true,
  })
  return { ...domain, nullable: false, range: { min: end(0n), max: end(1n) } }
}

function otherValues(rel: Rel): Rel {
  if (rel.kind !== "values") return rel
  const value = rational(1_000_000n)
  return {
    ...rel,
    rows: rel.rows.map((row) => row.map((one) => (one.kind === "number" ? { ...one, value } : one))),
  }
}

function otherLiteral(expr: Expr): Expr {
  if (expr.kind !== "literal" || expr.value.kind !== "number") return expr
  return { ...expr, value: { kind: "number", value: rational(1_000_000n) } }
}

// What a steps expression gives, or a million.
function wrapInCase(expr: Expr): Expr {
  if (expr.kind !== "steps") return expr
  return {
    kind: "case",
    branches: [{ when: always, result: integerLiteral(1_000_000n) }],
    otherwise: expr,
    domain: expr.domain,
  }
}

// A list without values claims that a column is always NULL: then COALESCE(height, 1) would always be 1.
function alwaysNull(plan: ReleasePlan): ReleasePlan {
  const empty = (domain: Domain): Domain => ({ ...domain, nullable: true, values: [] })
  const ids = new Set<ColumnId>()
  const claimed = withNodes(plan, (rel) => {
    const [place] = rel.kind === "scan" ? rel.columns.filter(({ name }) => name === "height") : []
    if (place !== undefined) ids.add(place.id)
    const columns = rel.columns.map((one) => (ids.has(one.id) ? { ...one, domain: empty(one.domain) } : one))
    return { ...rel, columns }
  })
  const one = integerLiteral(1n)
  const unclamped = withExprs(claimed, (expr) => {
    if (expr.kind === "column") return ids.has(expr.id) ? { ...expr, domain: empty(expr.domain) } : expr
    if (expr.kind === "steps") return callExpr("coalesce", [expr.operand, one])
    return expr.kind === "call" && expr.name === "coalesce" ? (expr.args[0] ?? expr) : expr
  })
  // What follows from the claim is claimed as well.
  const known = new Map<ColumnId, Domain>()
  const followed = withNodes(unclamped, (rel) => {
    if (rel.kind !== "project") return rel
    const columns = rel.columns.map((column, place) => {
      const item = rel.items[place]
      if (item === undefined || item.kind === "column") return column
      known.set(column.id, item.domain)
      return { ...column, domain: item.domain }
    })
    return { ...rel, columns }
  })
  const spoilt = withExprs(followed, (expr) =>
    expr.kind === "column" ? { ...expr, domain: known.get(expr.id) ?? expr.domain } : expr,
  )
  const patterns = [[{ groups: 1n, amount: 1n }]]
  const sensitivity = { neighbours: plan.neighbours, patterns }
  return withStrategies(spoilt, "identity", (one) => ({
    ...one,
    strategy: { ...one.strategy, spec: { ...one.strategy.spec, sensitivity } },
  }))
}

function aggregated(from: "sum" | "rows", to: "max" | "sum"): Change {
  return (plan) =>
    withExtract(plan, (extract) => {
      const { rel } = extract
      if (rel.kind !== "aggregate") return extract
      const items = rel.items.map((item) => (item.function === from ? { ...item, function: to } : item))
      return { ...extract, rel: { ...rel, items } }
    })
}

function withoutCondition(rel: Rel): Rel {
  return rel.kind === "join" || rel.kind === "mark" ? { ...rel, condition: undefined } : rel
}

function unequal(expr: Expr): Expr {
  return expr.kind === "call" && expr.name === "equal" ? { ...expr, name: "less-or-equal" } : expr
}

// The last columns of both sides in place of the unit's: no two people have them in common by right.
function otherEquality(rel: Rel): Rel {
  if (rel.kind !== "join") return rel
  const integers = [rel.left, rel.right].map(({ columns }) =>
    columns.findLast(({ domain, name }) => domain.type.kind === "integer" && name !== "person_id"),
  )
  const [a, b] = integers
  if (a === undefined || b === undefined) return { ...rel, condition: undefined }
  return { ...rel, condition: callExpr("equal", [columnExpr(a), columnExpr(b)]) }
}

function joinType(type: "left" | "right" | "full"): (rel: Rel) => Rel {
  return (rel) => (rel.kind === "join" ? { ...rel, type } : rel)
}

function withoutUnitKey(rel: Rel): Rel {
  if (rel.kind !== "aggregate" || rel.keys.length === 0) return rel
  const [unit, ...keys] = rel.keys
  if (rel.columns[0]?.name !== "person_id") return rel
  return { ...rel, keys, columns: rel.columns.filter(({ id }) => id !== unit) }
}

function cutScan(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  return { kind: "sort", input: rel, orderBy: [], limit: 10n, offset: undefined, columns: rel.columns }
}

function turnedUnion(rel: Rel): Rel {
  if (rel.kind !== "union") return rel
  const [first, ...rest] = rel.inputs
  if (first === undefined) return rel
  const columns = first.columns.toReversed()
  const turned: Rel = { kind: "project", input: first, items: columns.map(columnExpr), columns }
  return { ...rel, inputs: [turned, ...rest] }
}

function publicTable(rel: Rel): Rel {
  return rel.kind === "scan" ? { ...rel, table: { ...rel.table, unit: { kind: "public" } } } : rel
}

// Another column is read under the unit's number.
function otherUnit(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  const place = rel.sources.findIndex(({ name }) => name === "person_id")
  const other = rel.table.columns.find(({ name }) => name === "visit_id")
  if (place < 0 || other === undefined) return rel
  return { ...rel, sources: rel.sources.map((source, index) => (index === place ? other : source)) }
}

function deniedColumn(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  const denied = rel.table.columns.find(({ access }) => access === "denied")
  if (denied === undefined) return rel
  return {
    ...rel,
    sources: [...rel.sources, denied],
    columns: [...rel.columns, { id: 9999, name: denied.name, domain: denied.domain }],
  }
}

function unknownColumn(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  return { ...rel, sources: rel.sources.map((source) => ({ ...source, source: "note" })) }
}

// The last column of a scan gets the number of the first.
function sameNumber(rel: Rel): Rel {
  if (rel.kind !== "scan") return rel
  const first = rel.columns[0]?.id ?? 0
  const last = rel.columns.length - 1
  return { ...rel, columns: rel.columns.map((one, index) => (index === last ? { ...one, id: first } : one)) }
}

function strayColumn(expr: Expr): Expr {
  return expr.kind === "column" ? { ...expr, id: expr.id + 10_000 } : expr
}
