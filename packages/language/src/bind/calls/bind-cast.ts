// CAST, ::, and DATE '...': PostgreSQL's types to our few.

import type { Span } from "@dosimeter/core"
import { showType, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Cast, TypeName } from "../../parse/ast.ts"
import { failLiteral, makeCall, makeCast, makeLiteral, types, wholeLiteral } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"
import { readInterval } from "../exprs/read-literal.ts"

/** Binds a cast. */
export function bindCast(env: Env, { operand, type, at }: Cast): Expr {
  const wanted = typeOf(type)
  const value = env.binders.expression(env, operand)
  if (wanted.kind === "interval") return intervalOf(value, type, at)
  const cast = makeCast(value, wanted, at)
  return cutTo(cast, type, at)
}

const typeNames: Readonly<Record<string, SqlType>> = {
  bool: types.boolean,
  int2: types.integer,
  int4: types.integer,
  int8: types.integer,
  int: types.integer,
  integer: types.integer,
  smallint: types.integer,
  bigint: types.integer,
  float4: types.float,
  float8: types.float,
  float: types.float,
  real: types.float,
  double: types.float,
  text: types.text,
  varchar: types.text,
  date: types.date,
  timestamp: types.timestamp,
  interval: types.interval,
}

function typeOf({ name, modifiers, at }: TypeName): SqlType {
  if (name === "numeric" || name === "decimal") return numericOf(modifiers, at)
  const known = Object.hasOwn(typeNames, name) ? typeNames[name] : undefined
  if (known !== undefined) {
    if (modifiers.length > 0 && known.kind !== "text") {
      fail(
        "sql/unsupported-syntax",
        { what: `${name} with a number in brackets`, remedy: `write ${name}` },
        at,
      )
    }
    return known
  }
  const remedy =
    name === "timestamptz" || name === "timetz" || name === "time"
      ? "use timestamp: all times here are without a zone"
      : name === "bpchar"
        ? "use text or varchar(n)"
        : "use boolean, integer, numeric(p, s), double precision, text, date, timestamp or interval"
  return fail("sql/unsupported-syntax", { what: `the type ${name}`, remedy }, at)
}

/** numeric(p, s) has s digits after the point; without them a decimal would have as many as it likes. */
function numericOf(modifiers: readonly number[], at: Span): SqlType {
  const [, scale] = modifiers
  if (modifiers.length === 0) return { kind: "float" }
  if (scale !== undefined && (scale < 0 || scale > 12)) {
    fail(
      "sql/unsupported-syntax",
      { what: `numeric with ${scale} digits after the point`, remedy: "use 0 to 12" },
      at,
    )
  }
  return scale === undefined || scale === 0 ? types.integer : { kind: "decimal", scale }
}

/** varchar(n) cuts; char would pad, and is not known. */
function cutTo(value: Expr, { modifiers }: TypeName, at: Span): Expr {
  const [length] = modifiers
  if (length === undefined || value.domain.type.kind !== "text") return value
  return makeCall("left", [value, wholeLiteral(BigInt(length))], at)
}

/** Intervals are constants. */
function intervalOf(value: Expr, { intervalFields }: TypeName, at: Span): Expr {
  if (value.kind !== "literal") {
    const remedy = "write a constant, such as INTERVAL '30 days', or add days to a date: x + 30"
    return fail("sql/unsupported-syntax", { what: "an interval that is computed", remedy }, at)
  }
  if (value.value.kind === "null") return makeLiteral(value.value, types.interval)
  if (value.value.kind !== "text") {
    const reason = `${showType(value.domain.type)} is no interval`
    return fail("sql/type-mismatch", { reason, remedy: "write INTERVAL '30 days'" }, at)
  }
  const interval = readInterval(value.value.value, intervalFields?.split(" ").at(-1))
  return interval === undefined
    ? failLiteral(value.value.value, types.interval, at)
    : makeLiteral(interval, types.interval)
}
