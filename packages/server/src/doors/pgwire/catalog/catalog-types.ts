// Types that clients cast to in questions about catalogs, spelled for the database that holds ours. Numbers
// of objects (regclass and its like) are numbers where a name is cast, and names where a number is.

import { listItemsMax } from "./catalog-context.ts"
import { quote } from "./catalog-names.ts"
import { notAnswered, tooMuch } from "./not-answered.ts"

/** What is cast, as SQL; its text, if it is a constant. */
export interface CastOperand {
  readonly sql: string
  readonly text: string | undefined
}

/** A cast. The type's name is without its schema. */
export function printCast(operand: CastOperand, type: string, isList: boolean): string {
  const objects = objectTypes.get(type)
  if (objects !== undefined && !isList) return printObject(operand, objects)
  const name = plainTypes.get(type)
  if (name === undefined) return notAnswered(`the type ${type.slice(0, 40)}`)
  if (!isList) return `CAST(${operand.sql} AS ${name})`
  const items = operand.text === undefined ? undefined : listItems(operand.text)
  const list = items === undefined ? operand.sql : `[${items.map(printItem).join(", ")}]`
  return `CAST(${list} AS ${name}[])`
}

/** NULL of a type. */
export function nullOf(type: string): string {
  return type.startsWith("reg")
    ? "CAST(NULL AS INTEGER)"
    : printCast({ sql: "NULL", text: undefined }, type, false)
}

/** Whether casts to this type are about catalogs. */
export function isObjectType(type: string): boolean {
  return objectTypes.has(type)
}

/** The elements of a list that is written as text, {a,"b c",NULL}; undefined if it is no such text. */
export function listItems(text: string): readonly (string | undefined)[] | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined
  const items: (string | undefined)[] = []
  let [item, isQuoted, isInside] = ["", false, false]
  const end = (): void => {
    const isNull = !isQuoted && item.trim().toLowerCase() === "null"
    if (items.length >= listItemsMax) tooMuch(`a list in it has more than ${listItemsMax} elements`)
    items.push(isNull ? undefined : isQuoted ? item : item.trim())
    item = ""
    isQuoted = false
  }
  for (let at = 1; at < text.length - 1; at += 1) {
    const character = text[at] ?? ""
    if (character === "\\") {
      at += 1
      item += text[at] ?? ""
    } else if (character === '"') {
      isInside = !isInside
      isQuoted = true
    } else if (character === "," && !isInside) end()
    else if ((character === "{" || character === "}") && !isInside) return undefined
    else item += character
  }
  if (items.length > 0 || item.trim() !== "" || isQuoted) end()
  return items
}

/** An element as a constant. */
export function printItem(item: string | undefined): string {
  return item === undefined ? "NULL" : quote(item)
}

interface ObjectType {
  /** Macros: the number of a name, and the name of a number. */
  readonly numberOf: string
  readonly nameOf: string
}

function printObject({ sql, text }: CastOperand, { numberOf, nameOf }: ObjectType): string {
  if (text === undefined) return `pg.${nameOf}(${sql})`
  return /^\d{1,9}$/.test(text) ? text : `pg.${numberOf}(${quote(text)})`
}

const objectTypes: ReadonlyMap<string, ObjectType> = new Map([
  ["regclass", { numberOf: "class_named", nameOf: "class_name" }],
  ["regtype", { numberOf: "type_named", nameOf: "type_name" }],
  ["regnamespace", { numberOf: "schema_named", nameOf: "schema_name" }],
  ["regproc", { numberOf: "nothing_named", nameOf: "number_text" }],
  ["regprocedure", { numberOf: "nothing_named", nameOf: "number_text" }],
  ["regoper", { numberOf: "nothing_named", nameOf: "number_text" }],
  ["regoperator", { numberOf: "nothing_named", nameOf: "number_text" }],
  ["regrole", { numberOf: "role_named", nameOf: "role_name" }],
])

const texts = "text varchar bpchar name char cstring sql_identifier character_data yes_or_no pg_node_tree"

const plainTypes: ReadonlyMap<string, string> = new Map<string, string>([
  ...texts.split(" ").map((type) => [type, "VARCHAR"] as const),
  ["bool", "BOOLEAN"],
  ["int2", "SMALLINT"],
  ["int4", "INTEGER"],
  ["int8", "BIGINT"],
  ["oid", "INTEGER"],
  ["xid", "INTEGER"],
  ["cardinal_number", "INTEGER"],
  ["float4", "FLOAT"],
  ["float8", "DOUBLE"],
  ["numeric", "DECIMAL(18, 3)"],
])
