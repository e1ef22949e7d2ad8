// The types that values have, few on purpose: how wide a number must be stored follows from its range.

import { unreachable } from "@dosimeter/core/errors"

/** A type. `decimal` has a fixed number of digits after the point; `null` is the type of a bare NULL. */
export type SqlType =
  | { readonly kind: "boolean" }
  | { readonly kind: "integer" }
  | { readonly kind: "decimal"; readonly scale: number }
  | { readonly kind: "float" }
  | { readonly kind: "text" }
  | { readonly kind: "date" }
  | { readonly kind: "timestamp" }
  | { readonly kind: "interval" }
  | { readonly kind: "null" }

/** The words for types. */
export type TypeKind = SqlType["kind"]

/** The most digits after the point of a decimal; more become a float. */
export const scaleMax = 12

/** Whether two types are the same. */
export function sameType(a: SqlType, b: SqlType): boolean {
  if (a.kind === "decimal" && b.kind === "decimal") return a.scale === b.scale
  return a.kind === b.kind
}

/**
 * Whether values of a type that the database takes for equal (in comparisons, groups, partitions and
 * DISTINCT) are the same value, so that everything computed from them is the same too. Texts are read without
 * a collation, and compared by their bytes. Floats are not exact: 0 and -0 are equal. Nor are intervals: a
 * month and 30 days are.
 */
export function isExactType(type: SqlType): boolean {
  switch (type.kind) {
    case "boolean":
    case "integer":
    case "decimal":
    case "text":
    case "date":
    case "timestamp":
      return true
    case "float":
    case "interval":
    case "null":
      return false
    default:
      return unreachable(type)
  }
}

/** A type as people write it. */
export function showType(type: SqlType): string {
  return type.kind === "decimal" ? `decimal(${type.scale})` : type.kind
}
