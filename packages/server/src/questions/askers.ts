// Who asks, and what follows from that: which accounts are charged, which purposes the answer has, and what
// waits for an approval.

import type { QuestionOptions } from "@dosimeter/engine"
import type { AirlockRules } from "../studies/airlock.ts"

/** The part of a question that follows from who asks it. */
export interface Standing {
  readonly options: Pick<QuestionOptions, "accounts" | "principal" | "study" | "purposes" | "mayUse" | "held">
  readonly rules: AirlockRules
}

/** Those who may ask. */
export interface Askers {
  /** What somebody asks as, in the study that they named; refused if they may not. */
  standingOf(user: string, study: string | undefined): Promise<Standing>
}
