// What stands in the adviser's form, and the advice on it.

import { DosimeterError, type Requirement } from "@dosimeter/core"
import { adviseEpsilon, type Advice, type AdvisedUnit, type AdviceQuestion } from "@dosimeter/core/meaning"

/** The form, as typed. */
export interface AdviseDraft {
  readonly population: string
  readonly count: string
  readonly groups: string
  readonly groupsPerPerson: string
  readonly releases: string
  readonly delta: string
  readonly unit: AdvisedUnit
  readonly deviation: string
  readonly meanError: string
  readonly within: string
  readonly confidence: string
  readonly odds: string
  readonly belief: string
  readonly advantage: string
  readonly maxEpsilon: string
  readonly errorPrice: string
  readonly privacyPrice: string
}

/** An example: weekly counts in 20 age bands for a year. */
export const firstDraft: AdviseDraft = {
  population: "50000",
  count: "1200",
  groups: "20",
  groupsPerPerson: "1",
  releases: "52",
  delta: "1e-7",
  unit: "person",
  deviation: "10",
  meanError: "",
  within: "100",
  confidence: "99",
  odds: "2",
  belief: "",
  advantage: "5",
  maxEpsilon: "",
  errorPrice: "",
  privacyPrice: "",
}

/** Advice, or why there is none. */
export type Advised =
  | { readonly kind: "advice"; readonly advice: Advice; readonly question: AdviceQuestion }
  | { readonly kind: "refused"; readonly error: DosimeterError }

/** The advice on a draft. */
export function adviceOn(draft: AdviseDraft): Advised {
  try {
    const question = questionOf(draft)
    return { kind: "advice", advice: adviseEpsilon(question), question }
  } catch (error) {
    if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
    return { kind: "refused", error }
  }
}

function questionOf(draft: AdviseDraft): AdviceQuestion {
  const { population, count, groups, groupsPerPerson, releases, delta, unit } = draft
  const { errorPrice, privacyPrice } = draft
  return {
    population,
    count,
    groups,
    groupsPerPerson,
    releases,
    delta,
    unit,
    requirements: requirementsOf(draft),
    ...(errorPrice === "" || privacyPrice === ""
      ? {}
      : { prices: { error: errorPrice, privacy: { kind: "linear", price: privacyPrice } } }),
  }
}

function requirementsOf(draft: AdviseDraft): readonly Requirement[] {
  const { deviation, meanError, within, confidence, odds, belief, advantage, maxEpsilon } = draft
  return [
    ...(deviation === "" ? [] : [{ kind: "deviation-at-most", deviation } as const]),
    ...(meanError === "" ? [] : [{ kind: "mean-error-at-most", error: meanError } as const]),
    ...(within === "" ? [] : [{ kind: "within", within, confidence: shareOf(confidence) } as const]),
    ...(odds === "" ? [] : [{ kind: "odds-at-most", factor: odds } as const]),
    ...(belief === ""
      ? []
      : [{ kind: "posterior-at-most", prior: "0.1", posterior: shareOf(belief) } as const]),
    ...(advantage === "" ? [] : [{ kind: "advantage-at-most", advantage: shareOf(advantage) } as const]),
    ...(maxEpsilon === "" ? [] : [{ kind: "epsilon-at-most", epsilon: maxEpsilon } as const]),
  ]
}

/** Per cent as a share, without the rounding of doubles; what is no number stays, and is refused by name. */
function shareOf(percent: string): string {
  const [, whole = "", part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(percent.trim()) ?? []
  if (whole === "") return percent
  const digits = whole.padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${part}`
}
