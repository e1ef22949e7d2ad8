// Window functions by name, and their frames.

import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { isInOrder, type Frame, type FrameBound, type WindowItem } from "@dosimeter/proof/algebra/rel"
import type * as ast from "../../parse/ast.ts"
import { wholeLiteral } from "../exprs/build.ts"
import type { Env } from "../scope/env.ts"
import { checkSurvival, isSurvivalName, survivalItem } from "../calls/estimate-calls.ts"
import { windowNames } from "../calls/sql-names.ts"

/** ROW_NUMBER, LAG and their kin with their arguments; `value` binds one. */
export function functionItem(
  call: ast.Call,
  value: (part: ast.Expression) => Expr,
  { env, place }: { readonly env: Env; readonly place: Pick<WindowItem, "orderBy" | "frame"> },
): Pick<WindowItem, "function" | "args"> {
  const { name, at, args } = call
  if (isSurvivalName(name)) {
    checkSurvival(env, call, place)
    return survivalItem(call, value)
  }
  const known = Object.hasOwn(windowNames, name) ? windowNames[name] : undefined
  if (
    known === undefined ||
    call.filter !== undefined ||
    call.values === "distinct" ||
    call.orderPlace !== "none"
  ) {
    const remedy = "use ROW_NUMBER, RANK, DENSE_RANK, LAG, LEAD, FIRST_VALUE, LAST_VALUE or an aggregate"
    return fail("sql/unsupported-syntax", { what: `${name.toUpperCase()} as a window function`, remedy }, at)
  }
  const takesNone = known === "row-number" || known === "rank" || known === "dense-rank"
  const most = takesNone ? 0 : known === "lag" || known === "lead" ? 2 : 1
  const least = takesNone ? 0 : 1
  if (args.length < least || args.length > most) {
    const isDefault = most === 2 && args.length === 3
    const what = `${name.toUpperCase()} has ${args.length} arguments`
    const remedy = isDefault
      ? "drop the default, and write COALESCE around it"
      : `give it ${least === most ? most : `${least} or ${most}`}`
    return fail("sql/wrong-count", { what, remedy }, at)
  }
  const [first, second] = args
  if (first === undefined) return { function: known, args: [] }
  if (second === undefined) return { function: known, args: [value(first)] }
  if (second.kind !== "integer" || second.value < 0n || second.value > 1_000_000n) {
    const reason = `how far ${name.toUpperCase()} looks is not a constant`
    return fail("sql/type-mismatch", { reason, remedy: "write a whole number from 0" }, second.at)
  }
  return { function: known, args: [value(first), wholeLiteral(second.value)] }
}

/** ROWS or RANGE; RANGE without offsets. */
export function frameOf({ mode, start, end, at }: ast.Frame): Frame {
  if (mode === "groups") {
    fail(
      "sql/unsupported-syntax",
      { what: "GROUPS in a window frame", remedy: "write ROWS BETWEEN ... AND ..." },
      at,
    )
  }
  const frame = { mode, start: boundOf(start, mode), end: boundOf(end, mode) }
  if (!isInOrder(frame)) {
    const remedy = "write the offset that is farther back first: ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING"
    fail("sql/unsupported-syntax", { what: "a window frame that ends before it starts", remedy }, at)
  }
  return frame
}

function boundOf({ bound, offset, at }: ast.FrameBound, mode: Frame["mode"]): FrameBound {
  if (bound !== "preceding" && bound !== "following") return { kind: bound }
  if (mode === "range") {
    const remedy = "write ROWS BETWEEN n PRECEDING AND ..."
    fail("sql/unsupported-syntax", { what: "RANGE with an offset", remedy }, at)
  }
  if (offset?.kind !== "integer" || offset.value < 0n || offset.value > 1_000_000n) {
    const remedy = "write a whole number from 0 to 1000000"
    return fail("sql/type-mismatch", { reason: "the offset of a frame is not a constant", remedy }, at)
  }
  return { kind: bound, offset: offset.value }
}
