// What an owner has decided before a policy is proposed, and how it is written into the text. Nothing is
// judged here: whatever was typed is written so that it stays one value, and `readPolicy` says what is wrong.

import { showType, type SqlType } from "@dosimeter/proof/catalog/sql-type"

/** Decisions; what is left out stays on the careful side. */
export interface OwnerChoices {
  readonly epsilon?: string
  readonly delta?: string
  /** What one question may cost: if nothing is said, and at most. */
  readonly questionDefault?: string
  readonly questionMax?: string
  /** By name of the table: `deny`, `public`, `row`, a column, or a path to it. */
  readonly units?: ReadonlyMap<string, string>
  /** By name of the table, then of the column. */
  readonly columns?: ReadonlyMap<string, ReadonlyMap<string, ColumnChoice>>
}

/** What was decided about a column. `open`: as it would be proposed if its name told of nobody. */
export type ColumnChoice =
  | { readonly kind: "deny" }
  | { readonly kind: "open" }
  | { readonly kind: "bounds"; readonly min: string; readonly max: string }
  | { readonly kind: "values"; readonly values: readonly string[] }

/** What a policy says of a column for which it was decided. */
export function writeColumn(type: SqlType, choice: Exclude<ColumnChoice, { kind: "open" }>): string {
  const shown = showType(type)
  switch (choice.kind) {
    case "deny":
      return "deny"
    case "bounds": {
      const grid = type.kind === "float" ? ", grid: 0.01" : ""
      return `{ type: ${shown}, min: ${writeScalar(choice.min)}, max: ${writeScalar(choice.max)}${grid} }`
    }
    case "values": {
      const write = type.kind === "text" ? JSON.stringify : writeScalar
      return `{ type: ${shown}, values: [${choice.values.map((value) => write(value)).join(", ")}] }`
    }
    default:
      return choice satisfies never
  }
}

/** A number, a day or a word as it is; everything else in quotes, so that it stays one value. */
export function writeScalar(text: string): string {
  const trimmed = text.trim()
  return /^[-+]?[\d.]+(e[-+]?\d+)?$|^\d{4}-\d\d-\d\d$|^\w+$/i.test(trimmed)
    ? trimmed
    : JSON.stringify(trimmed)
}
