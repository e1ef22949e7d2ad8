// What a meta-analysis is made of: which columns a measure needs, and which of an answer fit.

import { isMeasured, type Answer } from "../../api/answer.ts"
import type { Reply } from "../../api/server.ts"
import type { Strings } from "../../strings/en.ts"

/** What can be pooled. */
export type PoolMeasure = keyof Strings["jobs"]["measures"]

/** A column, or a value of the column that tells two groups. */
export type PoolColumn = keyof Strings["jobs"]["columns"]

type Given = Pick<NonNullable<Reply<"getJob">["answer"]>, "columns" | "rows">

/** What a measure needs, in the order of the form. */
export function needsOf(measure: PoolMeasure): readonly PoolColumn[] {
  const groups = ["by", "first", "second"] as const
  switch (measure) {
    case "mean":
      return ["mean", "variance", "count"]
    case "mean-difference":
      return ["mean", "variance", "count", ...groups]
    case "risk-difference":
    case "risk-ratio":
    case "odds-ratio":
      return ["events", "count", ...groups]
    default:
      return measure satisfies never
  }
}

/** The columns that may stand for one: groups for what tells them, numbers for the rest. */
export function columnsFor({ columns }: Given, name: PoolColumn): readonly string[] {
  return columns.filter((column) => isMeasured(column) === (name !== "by")).map((column) => column.name)
}

/** The values of a column. */
export function valuesOf({ rows }: Pick<Answer, "rows">, column: string): readonly string[] {
  return [...new Set(rows.map((row) => `${row[column]?.value ?? ""}`))]
}

/** The column that is most likely meant: counts come first in most questions, then how many of them. */
export function likely(given: Given, name: PoolColumn): string {
  const names = columnsFor(given, name)
  const wanted: Readonly<Partial<Record<PoolColumn, RegExp>>> = {
    count: /^(n|count|total|persons|patients)$/i,
    mean: /(^|_)(mean|avg|average)/i,
    variance: /^(v|var|variance)/i,
  }
  const pattern = wanted[name]
  const found = pattern === undefined ? undefined : names.find((one) => pattern.test(one))
  const others = name === "events" ? names.filter((one) => one !== likely(given, "count")) : names
  return found ?? others[0] ?? ""
}
