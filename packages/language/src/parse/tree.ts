// The grammar's tree as it comes, plain JSON: its depth is measured and its places are converted in one walk
// without recursion, before anything recursive touches it.

import type { SourceText } from "../text/source.ts"

/** Plain JSON. */
export type Json = string | number | boolean | null | JsonObject | readonly Json[]

/** An object of JSON. */
export interface JsonObject {
  [key: string]: Json
}

/** Whether a piece of JSON is an object (and not a list). */
export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json)
}

/** Levels of JSON. A step of an operator chain is two, a subquery five, an operand of UNION three. */
const depthMax = 500
const operandOfSet = new Set(["larg", "rarg"])
const places = new Set([
  "location",
  "rexpr_list_start",
  "rexpr_list_end",
  "list_start",
  "list_end",
  "stmt_location",
])

/** Converts the places in a tree from bytes to UTF-16, in place. False, and unfinished, if it is too deep. */
export function settleTree(tree: Json, source: SourceText): boolean {
  const isAscii = source.byteLength === source.text.length
  const stack: { readonly json: Json; readonly depth: number }[] = [{ json: tree, depth: 0 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { json, depth } = next
    if (typeof json !== "object" || json === null) continue
    if (depth > depthMax) return false
    if (!isObject(json)) {
      for (const item of json) stack.push({ json: item, depth: depth + 1 })
      continue
    }
    for (const [key, value] of Object.entries(json)) {
      if (typeof value === "number") {
        if (!isAscii && value > 0 && places.has(key)) json[key] = source.fromByte(value)
      } else {
        stack.push({ json: value, depth: depth + (operandOfSet.has(key) ? 3 : 1) })
      }
    }
  }
  return true
}
