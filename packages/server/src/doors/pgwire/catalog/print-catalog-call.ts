// Calls of functions in questions about catalogs. Only functions of the list are called; set_config and
// current_setting are about the session and are worked out here.

import type { PgFields, PgNode } from "@dosimeter/language/parse/pg-node"
import { WireError } from "../wire/wire-error.ts"
import { countCharacters, readNode, type CatalogContext, type Printed } from "./catalog-context.ts"
import { catalogFunction, cutText } from "./catalog-functions.ts"
import { quote } from "./catalog-names.ts"
import { notAnswered } from "./not-answered.ts"
import { printExpression, printOrder, printValue } from "./print-catalog-expression.ts"

/** A call, where a value stands or where rows come from. */
export function printCall(context: CatalogContext, node: PgNode, place: "value" | "rows"): Printed {
  return readNode(context, node, (fields) => {
    const names = fields.names("funcname") ?? []
    const name = names.at(-1) ?? ""
    if (names.length > 2 || (names.length === 2 && names[0] !== "pg_catalog"))
      return notAnswered(`the function ${names.join(".").slice(0, 80)}`)
    fields.text("funcformat")
    if (name === "set_config" || name === "current_setting") {
      const args = fields.nodes("args").map((arg) => printValue({ ...context, isAlone: false }, arg))
      return name === "set_config" ? setConfig(context, args) : currentSetting(context, args)
    }
    return { sql: printListed(context, fields, name, place), name }
  })
}

function printListed(
  context: CatalogContext,
  fields: PgFields,
  name: string,
  place: "value" | "rows",
): string {
  const inside = { ...context, isAlone: false }
  const args = fields.nodes("args").map((arg) => printExpression(inside, arg))
  const isStar = fields.flag("agg_star")
  const found = catalogFunction(name, isStar ? 1 : args.length)
  if (found.namesTables === true) context.used.hasTables = true
  if (place === "rows" && found.givesRows !== true) notAnswered(`the function ${name.slice(0, 40)} in FROM`)
  if (isStar && name !== "count") notAnswered(`${name.slice(0, 40)}(*)`)
  const over = fields.part("over", "WindowDef")
  if ((over !== undefined) !== (found.isWindow === true))
    notAnswered(`OVER with the function ${name.slice(0, 40)}`)
  if (over !== undefined) return `${found.print(args)} OVER (${printWindow(inside, over)})`
  if (found.isAggregate !== true) return found.print(args)
  return printAggregate(inside, fields, { name, args: isStar ? ["*"] : args })
}

function printAggregate(
  context: CatalogContext,
  fields: PgFields,
  { name, args }: { readonly name: string; readonly args: readonly string[] },
): string {
  const distinct = fields.flag("agg_distinct") ? "DISTINCT " : ""
  const order = fields.nodes("agg_order")
  const sorted = order.length === 0 ? "" : ` ORDER BY ${printOrder(context, order)}`
  const filter = fields.node("agg_filter")
  const only = filter === undefined ? "" : ` FILTER (WHERE ${printExpression(context, filter)})`
  const word = name === "every" ? "bool_and" : name
  const call = `${word}(${distinct}${args.join(", ")}${sorted})${only}`
  return name === "string_agg" ? cutText(call) : call
}

function printWindow(context: CatalogContext, node: PgNode): string {
  return readNode(context, node, (fields) => {
    // Of a window without a frame of its own.
    if (fields.integer("frameOptions") !== plainFrame) notAnswered("the frame of a window")
    const partition = fields.nodes("partitionClause").map((value) => printExpression(context, value))
    const order = fields.nodes("orderClause")
    return [
      ...(partition.length === 0 ? [] : [`PARTITION BY ${partition.join(", ")}`]),
      ...(order.length === 0 ? [] : [`ORDER BY ${printOrder(context, order)}`]),
    ].join(" ")
  })
}

const plainFrame = 1058

/** A setting of the session, by its name. */
function currentSetting(context: CatalogContext, [name, isOptional, ...more]: readonly Printed[]): Printed {
  const key = constant(given(name), "current_setting")
  if (more.length > 0) return notAnswered("such a current_setting")
  if (key === null) return { sql: "CAST(NULL AS VARCHAR)", name: "current_setting" }
  const value = context.facts.setting(key)
  if (value !== undefined) return { sql: quote(countCharacters(context, value)), name: "current_setting" }
  if (isOptional === undefined || constant(isOptional, "current_setting") !== "true")
    throw new WireError(
      "42704",
      `there is no setting ${key.toLowerCase().slice(0, 80)}`,
      "SHOW ALL lists them",
    )
  return { sql: "CAST(NULL AS VARCHAR)", name: "current_setting" }
}

/** Sets one, where nothing else is asked: whether it is set must not depend on rows. */
function setConfig(context: CatalogContext, args: readonly Printed[]): Printed {
  const [name, value, isLocal, ...more] = args
  if (more.length > 0) return notAnswered("such a set_config")
  const key = constant(given(name), "set_config")
  const text = constant(given(value), "set_config")
  const local = constant(given(isLocal), "set_config")
  if (!context.isAlone) return notAnswered("set_config beside FROM, WHERE or in another value")
  if (key === null || (local !== "true" && local !== "false")) return notAnswered("set_config with NULL")
  context.settings.push({ name: key, value: text ?? undefined, isLocal: local === "true" })
  const shown = context.facts.isSet ? (context.facts.setting(key) ?? "") : (text ?? "")
  return { sql: quote(countCharacters(context, shown)), name: "set_config" }
}

function constant({ text, sql }: Printed, name: string): string | null {
  if (text !== undefined) return text
  return /^\d+$/.test(sql) ? sql : notAnswered(`${name} with a value that is no constant`)
}

function given(value: Printed | undefined): Printed {
  return value ?? notAnswered("an argument is missing")
}
