// What a question would cost and give, for programs.

import { numberNear, showParameter, type Rational } from "@dosimeter/core/exact"
import type { Explained } from "@dosimeter/engine"
import type { Explanation } from "@dosimeter/planner/explain/explain"
import { priceOf, type Price } from "@dosimeter/planner/explain/price"

/** What a first look would cost, others if it tells too little, and the question after them at most. */
export interface FirstLookPrice {
  readonly epsilon: Rational
  readonly more: readonly Rational[]
  readonly most: Rational
}

/** An explanation as it is shown. */
export interface ExplanationObject extends Omit<Explanation, "charge" | "confidence"> {
  readonly columns: Explained["columns"]
  readonly confidence: string
  readonly cost: Omit<Price, "words">
  readonly firstLook?: {
    readonly epsilon: number
    readonly more: readonly number[]
    readonly thenAtMost: number
  }
  /** Whether the record answers it, so that asking it now costs nothing. */
  readonly free: boolean
  readonly reliesOn: Explained["plan"]["reliesOn"]
  readonly sql: readonly string[]
}

/** The explanation for programs; with a first look where the wanted error needs one. */
export function explanationObject(explained: Explained, first?: FirstLookPrice): ExplanationObject {
  const { explanation, columns, plan, sql } = explained
  const { charge, releases, confidence, ...rest } = explanation
  const { words: _words, ...cost } = priceOf(charge)
  return {
    ...rest,
    columns,
    releases,
    confidence: showParameter(confidence),
    cost,
    ...(first === undefined
      ? {}
      : {
          firstLook: {
            epsilon: numberNear(first.epsilon),
            more: first.more.map(numberNear),
            thenAtMost: numberNear(first.most),
          },
        }),
    free: explained.isFree,
    reliesOn: plan.reliesOn,
    sql,
  }
}
