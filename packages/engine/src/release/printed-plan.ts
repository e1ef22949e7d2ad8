// A proven plan with its SQL: all of it is printed before anything is charged, so that whatever cannot be
// written is refused for nothing.

import { printPlan } from "@dosimeter/proof/print/print-plan"
import type { SqlText } from "@dosimeter/proof/print/print"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Backend } from "../dataset/backend.ts"

/** A proven plan with the SQL of all its extracts: nobody but `printed` makes one. */
export type PrintedPlan = Printed

class Printed {
  readonly plan: VerifiedPlan
  readonly #texts: readonly SqlText[]

  constructor(plan: VerifiedPlan, texts: readonly SqlText[]) {
    this.plan = plan
    this.#texts = texts
  }

  get texts(): readonly SqlText[] {
    return this.#texts
  }
}

/** Prints all that a plan reads; before its charge. */
export function printed(plan: VerifiedPlan, { dialect }: Pick<Backend, "dialect">): PrintedPlan {
  return new Printed(plan, printPlan(plan, dialect))
}
