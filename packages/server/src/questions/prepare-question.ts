// A question as the engine takes it: with the accounts, the purposes and what is held back, which follow from
// who asks.

import type { askWithin, QuestionOptions, WithinPlan } from "@dosimeter/engine"
import type { Rational } from "@dosimeter/core/exact"
import type { Ask, Terms } from "@dosimeter/proof/catalog/terms"
import { fail } from "../errors.ts"
import type { AirlockRules } from "../studies/airlock.ts"
import type { Askers } from "./askers.ts"
import { epsilonOfRho } from "./epsilon-of-rho.ts"

/** A question of somebody, as doors hand it in. */
export interface AskedQuestion extends Pick<
  QuestionOptions,
  "ask" | "parameters" | "requestId" | "reuse" | "signal" | "onCharged"
> {
  readonly sql: string
  /** The only study that somebody is in, if none is named. */
  readonly study?: string | undefined
  /** What to spend as rho, in place of the ask's epsilon. */
  readonly rho?: Rational | undefined
  /** An accuracy to reach, in place of a loss to spend. */
  readonly within?: Parameters<typeof askWithin>[0]["target"] | undefined
  /** Told what that takes, before anything is paid; refuses by throwing. */
  readonly onPlan?: ((plan: WithinPlan) => Promise<void>) | undefined
}

/** A question as the engine takes it, and what is held back. */
export interface Prepared {
  readonly options: QuestionOptions
  readonly rules: AirlockRules
}

/** Everything that a question needs; refused if whoever asks may not. */
export async function prepareQuestion(
  user: string,
  asked: Omit<AskedQuestion, "sql">,
  { askers, terms }: { readonly askers: Askers; readonly terms: Terms },
): Promise<Prepared> {
  const { within, rho, study, signal, onPlan: _onPlan, ...question } = asked
  const { options, rules } = await askers.standingOf(user, study)
  // Whether an accuracy can be reached is told by a first look, which nobody has approved.
  const isHeld = options.held === true
  if (within !== undefined && isHeld) fail("airlock/no-within", {})
  const ask = rho === undefined ? question.ask : { ...question.ask, epsilon: epsilonOfRho(rho, terms) }
  return {
    rules,
    options: {
      ...question,
      ...(isHeld ? { ask: inOneStage(ask) } : ask === undefined ? {} : { ask }),
      ...options,
      // Somebody who stops a question sees whether it had ended before: where answers wait for an approval,
      // it runs to its end.
      ...(isHeld || signal === undefined ? {} : { signal }),
    },
  }
}

/**
 * The question without stages that learn, where answers wait for an approval. What a stage told would show in
 * the charge of the next one before anybody approved; and whoever sees the charges would know of a stage that
 * failed, since nothing is asked after it.
 */
function inOneStage(ask: Ask = {}): Ask {
  const { bounds, autoGroups, norm } = ask
  const learns = (bounds !== undefined && bounds !== "declared") || autoGroups === true || norm === "auto"
  if (learns) fail("airlock/no-learning", {})
  return { ...ask, bounds: "declared", autoGroups: false, norm: "fixed" }
}
