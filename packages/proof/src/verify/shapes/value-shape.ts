// The shapes of constants, of what values a column may hold, and of places in the SQL.

import type { Span } from "@dosimeter/core/errors"
import type { Constant } from "../../catalog/constant.ts"
import type { Domain, Range, RangeEnd } from "../../catalog/domain.ts"
import type { SqlType } from "../../catalog/sql-type.ts"
import {
  count,
  fields,
  flag,
  fraction,
  list,
  ofCatalog,
  remembered,
  text,
  variants,
  whole,
  word,
  yes,
  type Shape,
} from "./shape.ts"

type ConstantOf<Kind extends Constant["kind"]> = Extract<Constant, { readonly kind: Kind }>

/** A constant. */
export const constantShape: Shape<Constant> = remembered(
  variants<Constant, "kind">("kind", {
    null: fields<ConstantOf<"null">>({ kind: word("null") }, {}),
    boolean: fields<ConstantOf<"boolean">>({ kind: word("boolean"), value: flag }, {}),
    number: fields<ConstantOf<"number">>({ kind: word("number"), value: fraction }, {}),
    text: fields<ConstantOf<"text">>({ kind: word("text"), value: text }, {}),
    date: fields<ConstantOf<"date">>({ kind: word("date"), day: whole }, {}),
    timestamp: fields<ConstantOf<"timestamp">>({ kind: word("timestamp"), micros: whole }, {}),
    interval: fields<ConstantOf<"interval">>(
      { kind: word("interval"), months: whole, days: whole, micros: whole },
      {},
    ),
  }),
)

/** Some constants. */
export const constantsShape: Shape<readonly Constant[]> = remembered(list(constantShape))

type TypeOf<Kind extends SqlType["kind"]> = Extract<SqlType, { readonly kind: Kind }>

const typeShape = variants<SqlType, "kind">("kind", {
  boolean: fields<TypeOf<"boolean">>({ kind: word("boolean") }, {}),
  integer: fields<TypeOf<"integer">>({ kind: word("integer") }, {}),
  decimal: fields<TypeOf<"decimal">>({ kind: word("decimal"), scale: count }, {}),
  float: fields<TypeOf<"float">>({ kind: word("float") }, {}),
  text: fields<TypeOf<"text">>({ kind: word("text") }, {}),
  date: fields<TypeOf<"date">>({ kind: word("date") }, {}),
  timestamp: fields<TypeOf<"timestamp">>({ kind: word("timestamp") }, {}),
  interval: fields<TypeOf<"interval">>({ kind: word("interval") }, {}),
  null: fields<TypeOf<"null">>({ kind: word("null") }, {}),
})

const endShape = fields<RangeEnd>({ value: fraction, declared: flag }, {})

/** What values there may be. */
export const domainShape: Shape<Domain> = remembered(
  fields<Domain>(
    { type: typeShape, nullable: flag },
    {
      range: fields<Range>({ min: endShape, max: endShape }, {}),
      values: constantsShape,
      isComplete: yes,
      calendar: word("hour", "day", "week", "month", "quarter", "year"),
      freeText: yes,
      grid: fraction,
      tree: ofCatalog,
      autoBounds: yes,
    },
  ),
)

/** A place in the SQL. */
export const spanShape: Shape<Span> = fields<Span>({ start: count, end: count }, {})
