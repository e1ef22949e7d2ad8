// Demands on an epsilon, and what they leave together.

/** From so much on, or up to so much. */
export interface Demand {
  readonly name: string
  readonly side: "accuracy" | "privacy"
  readonly from?: number
  readonly to?: number
}

/** What all demands leave: from the greatest need to the least allowance; not open if they cross. */
export function bandOf(demands: readonly Demand[]): {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly isOpen: boolean
} {
  const needs = demands.flatMap(({ from }) => from ?? [])
  const allowances = demands.flatMap(({ to }) => to ?? [])
  const from = needs.length === 0 ? undefined : Math.max(...needs)
  const to = allowances.length === 0 ? undefined : Math.min(...allowances)
  return { from, to, isOpen: from === undefined || to === undefined || from <= to }
}
