// What bounding and clamping took away, in words: from the releases that a plan pays for it.

import { numberNear } from "@dosimeter/core/exact"
import { evaluate } from "@dosimeter/answers/evaluate/evaluate"
import { intervalOfCell } from "@dosimeter/answers/intervals/interval-of-cell"
import type { BiasItem } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Cell, Table } from "@dosimeter/answers/cells/table"
import type { BiasNote } from "@dosimeter/answers/shown/answer-table"

/** The notes of a plan, over a table for each of its releases. */
export function biasNotes(plan: VerifiedPlan, tables: readonly Table[]): readonly BiasNote[] {
  const none: Table = { columns: [], rows: [] }
  return (plan.bias ?? []).flatMap(({ post, items }) => {
    const { rows } = evaluate(post, { released: (index) => tables[index] ?? none, scan: () => [] })
    return items.map((item, index) => noteOf(item, rows[0]?.[index], numberNear(plan.confidence)))
  })
}

function noteOf({ kind, text }: BiasItem, cell: Cell | undefined, confidence: number): BiasNote {
  const isTold = cell?.state === "released" && cell.value.kind === "number"
  if (!isTold || cell.value.kind !== "number") {
    const isSmall = cell?.state === "below-threshold"
    const words = text.replace("{}", isSmall ? "hardly any" : "an unknown share")
    return { text: isSmall ? `${words}: too few to be shown` : words, value: null, low: null, high: null }
  }
  const value = numberNear(cell.value.value)
  const { low, high } = intervalOfCell(cell, confidence) ?? { low: value, high: value }
  const show = (number: number): string => rounded(kind === "share" ? 100 * number : number)
  const unit = kind === "share" ? " %" : ""
  const ends = [low, high].map((end) => (Number.isFinite(end) ? show(end) : "?"))
  const told = `about ${show(value)}${unit} (${ends.join(" to ")})`
  const finite = (end: number): number | null => (Number.isFinite(end) ? end + 0 : null)
  return { text: text.replace("{}", told), value, low: finite(low), high: finite(high) }
}

/** An estimate has three digits that count. */
function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 })
}
