// The shapes of relations and expressions.

import type { CaseExpr, Expr } from "../../algebra/expr.ts"
import type {
  AggregateItem,
  Frame,
  FrameBound,
  Rel,
  RelColumn,
  SortKey,
  WindowItem,
} from "../../algebra/rel.ts"
import { results } from "../../functions/results.ts"
import {
  count,
  fields,
  fraction,
  list,
  maybe,
  nameIn,
  natural,
  nothing,
  ofCatalog,
  remembered,
  text,
  variants,
  whole,
  within,
  word,
  type Shape,
} from "./shape.ts"
import { normShape } from "./spec-shape.ts"
import { constantShape, constantsShape, domainShape, spanShape } from "./value-shape.ts"

type ExprOf<Kind extends Expr["kind"]> = Extract<Expr, { readonly kind: Kind }>

/** An expression. */
export const exprShape: Shape<Expr> = remembered(within(() => exprKinds))

const branchShape = fields<CaseExpr["branches"][number]>({ when: exprShape, result: exprShape }, {})

const exprKinds: Shape<Expr> = variants<Expr, "kind">("kind", {
  column: fields<ExprOf<"column">>({ kind: word("column"), id: count, domain: domainShape }, {}),
  literal: fields<ExprOf<"literal">>(
    { kind: word("literal"), value: constantShape, domain: domainShape },
    {},
  ),
  call: fields<ExprOf<"call">>(
    {
      kind: word("call"),
      name: nameIn({ ...results, cast: true }),
      args: list(exprShape),
      domain: domainShape,
    },
    {},
  ),
  case: fields<ExprOf<"case">>(
    { kind: word("case"), branches: list(branchShape), otherwise: exprShape, domain: domainShape },
    {},
  ),
  steps: fields<ExprOf<"steps">>(
    {
      kind: word("steps"),
      operand: exprShape,
      grid: fraction,
      lower: whole,
      upper: whole,
      domain: domainShape,
    },
    {},
  ),
  share: fields<ExprOf<"share">>(
    { kind: word("share"), sum: exprShape, count: exprShape, most: whole, domain: domainShape },
    {},
  ),
  weight: fields<ExprOf<"weight">>(
    {
      kind: word("weight"),
      norm: normShape,
      total: exprShape,
      bound: whole,
      full: whole,
      domain: domainShape,
    },
    {},
  ),
  "keyed-hash": fields<ExprOf<"keyed-hash">>(
    { kind: word("keyed-hash"), args: list(exprShape), domain: domainShape },
    {},
  ),
})

type RelOf<Kind extends Rel["kind"]> = Extract<Rel, { readonly kind: Kind }>

/** A relation. */
export const relShape: Shape<Rel> = remembered(within(() => relKinds))

const columnShape = remembered(fields<RelColumn>({ id: count, name: text, domain: domainShape }, {}))
const columns = list(columnShape)
const placed = { at: spanShape }
const condition = maybe(exprShape)

const plainAggregates = ["rows", "count", "count-distinct", "sum", "min", "max", "every", "some"] as const
const itemShape = fields<AggregateItem>(
  {
    function: word(...plainAggregates, "standardised-rate", "log-rank", "log-rank-p", "hazard-ratio"),
    argument: maybe(exprShape),
  },
  {},
)
const sortKeyShape = fields<SortKey>(
  { value: exprShape, direction: word("ascending", "descending"), nulls: word("first", "last") },
  {},
)
const openBound = fields<Exclude<FrameBound, { readonly offset: bigint }>>(
  { kind: word("unbounded-preceding", "current-row", "unbounded-following") },
  {},
)
const farBound = fields<Extract<FrameBound, { readonly offset: bigint }>>(
  { kind: word("preceding", "following"), offset: natural },
  {},
)
const boundShape = variants<FrameBound, "kind">("kind", {
  "unbounded-preceding": openBound,
  "current-row": openBound,
  "unbounded-following": openBound,
  preceding: farBound,
  following: farBound,
})
const frameShape = fields<Frame>({ mode: word("rows", "range"), start: boundShape, end: boundShape }, {})
const windowItemShape = fields<WindowItem>(
  {
    function: word(
      ...plainAggregates,
      "row-number",
      "rank",
      "dense-rank",
      "spread-place",
      "lag",
      "lead",
      "first-value",
      "last-value",
      "kaplan-meier",
      "at-risk",
    ),
    args: list(exprShape),
    partitionBy: list(exprShape),
    orderBy: list(sortKeyShape),
    frame: maybe(frameShape),
  },
  {},
)

const relKinds: Shape<Rel> = variants<Rel, "kind">("kind", {
  scan: fields<RelOf<"scan">>(
    { kind: word("scan"), columns, table: ofCatalog, sources: list(ofCatalog) },
    placed,
  ),
  values: fields<RelOf<"values">>({ kind: word("values"), columns, rows: list(constantsShape) }, placed),
  filter: fields<RelOf<"filter">>(
    { kind: word("filter"), columns, input: relShape, condition: exprShape },
    placed,
  ),
  project: fields<RelOf<"project">>(
    { kind: word("project"), columns, input: relShape, items: list(exprShape) },
    placed,
  ),
  join: fields<RelOf<"join">>(
    {
      kind: word("join"),
      columns,
      type: word("inner", "left", "right", "full"),
      left: relShape,
      right: relShape,
      condition,
    },
    placed,
  ),
  mark: fields<RelOf<"mark">>(
    { kind: word("mark"), columns, left: relShape, right: relShape, condition },
    placed,
  ),
  aggregate: fields<RelOf<"aggregate">>(
    { kind: word("aggregate"), columns, input: relShape, keys: list(count), items: list(itemShape) },
    placed,
  ),
  window: fields<RelOf<"window">>(
    { kind: word("window"), columns, input: relShape, items: list(windowItemShape) },
    placed,
  ),
  union: fields<RelOf<"union">>({ kind: word("union"), columns, inputs: list(relShape) }, placed),
  sort: fields<RelOf<"sort">>(
    {
      kind: word("sort"),
      columns,
      input: relShape,
      orderBy: list(sortKeyShape),
      limit: maybe(natural),
      offset: maybe(natural),
    },
    placed,
  ),
  // What was planned has releases in the place of boundaries.
  boundary: nothing,
  released: fields<RelOf<"released">>({ kind: word("released"), columns, release: count }, placed),
})
