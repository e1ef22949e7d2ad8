// A campaign while it is planned: what is typed, and how far off its estimates will be, worked out in the
// browser by the same function that chooses the protocol on the server.

import { DosimeterError } from "@dosimeter/core"
import { chooseProtocol, type Domain } from "@dosimeter/core/collect"
import { shortName } from "../../parts/widgets/short-name.ts"

/** A question as it is typed. */
export interface DraftQuestion {
  /** Tells questions apart while they are edited. */
  readonly key: number
  readonly kind: "choice" | "number"
  readonly text: string
  /** One on each line. */
  readonly options: string
  readonly low: string
  readonly high: string
}

/** A campaign as it is typed. */
export interface CampaignDraft {
  readonly title: string
  readonly id: string
  readonly summary: string
  readonly epsilon: string
  readonly people: string
  /** Percentage points of a share, or percent of a range. */
  readonly widest: string
  readonly questions: readonly DraftQuestion[]
}

/** How far off the estimate of a question will be. */
export interface QuestionForecast {
  readonly text: string
  readonly kind: DraftQuestion["kind"]
  /** Of a share in percentage points, of a mean in its own unit. */
  readonly halfWidth: number
  readonly isEnough: boolean
}

/** The forecast of a plan, before it is sent. */
export type Forecast =
  | { readonly kind: "incomplete" }
  | { readonly kind: "wrong"; readonly what: "sameNames" | "badEnds" | "badPeople" | "badWidest" }
  /** What `chooseProtocol` refuses, such as an epsilon that is no number. */
  | { readonly kind: "refused"; readonly message: string; readonly help: string | undefined }
  | {
      readonly kind: "ready"
      readonly confidence: number
      /** How many people answer each of the questions. */
      readonly people: number
      readonly questions: readonly QuestionForecast[]
      /** What would help, if some interval is too wide. */
      readonly needed: { readonly people: number; readonly epsilon: number | undefined } | undefined
    }

const confidence = 0.95

/** The answers that a question lists. */
export function optionsOf({ options }: Pick<DraftQuestion, "options">): readonly string[] {
  return options
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
}

/** The plan as the server takes it. Names of questions are made from their texts, each its own. */
export function planOf(draft: CampaignDraft) {
  const taken = new Set<string>()
  return {
    id: draft.id === "" ? shortName(draft.title) : draft.id,
    title: draft.title,
    summary: draft.summary,
    epsilon: draft.epsilon,
    people: Number(draft.people),
    halfWidthMax: Number(draft.widest) / 100,
    questions: draft.questions.map((question, index) => {
      const wanted = shortName(question.text)
      const name = wanted === "" || taken.has(wanted) ? `question-${index + 1}` : wanted
      taken.add(name)
      const { kind, text, low, high } = question
      return kind === "choice"
        ? { kind, name, text, options: optionsOf(question) }
        : { kind, name, text, low: Number(low), high: Number(high) }
    }),
  }
}

/** How far off the estimates will be, or what is missing. */
export function forecastOf(draft: CampaignDraft): Forecast {
  const people = Number(draft.people)
  const widest = Number(draft.widest)
  if (draft.epsilon === "" || draft.questions.length === 0 || draft.questions.some(isUnfinished)) {
    return { kind: "incomplete" }
  }
  if (!Number.isInteger(people) || people < 1 || people > 1e9) return { kind: "wrong", what: "badPeople" }
  if (!(widest > 0 && widest <= 100)) return { kind: "wrong", what: "badWidest" }
  const wrong = draft.questions.map(wrongWith).find((what) => what !== undefined)
  if (wrong !== undefined) return { kind: "wrong", what: wrong }
  try {
    return ready(draft, { people, widest })
  } catch (error) {
    if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
    const [first] = error.issues
    return { kind: "refused", message: first.message, help: first.help }
  }
}

function isUnfinished(question: DraftQuestion): boolean {
  const { kind, text, low, high } = question
  return (
    text.trim() === "" || (kind === "choice" ? optionsOf(question).length < 2 : low === "" || high === "")
  )
}

function wrongWith(question: DraftQuestion): "sameNames" | "badEnds" | undefined {
  if (question.kind === "number") return Number(question.low) < Number(question.high) ? undefined : "badEnds"
  const options = optionsOf(question)
  return new Set(options).size === options.length ? undefined : "sameNames"
}

interface Size {
  readonly people: number
  readonly widest: number
}

function ready(draft: CampaignDraft, { people, widest }: Size): Forecast {
  const times = draft.questions.length
  const each = Math.max(1, Math.floor(people / times))
  const domains = draft.questions.map(domainOf)
  const widths = domains.map((domain) => halfWidthOf(domain, draft.epsilon, each))
  const worst = Math.max(...widths)
  const wanted = widest / 100
  const enough = (epsilon: number): boolean =>
    domains.every((domain) => halfWidthOf(domain, `${epsilon}`, each) <= wanted)
  return {
    kind: "ready",
    confidence,
    people: each,
    questions: draft.questions.map(({ text, kind, low, high }, index) => {
      const width = widths[index] ?? Infinity
      const unit = kind === "choice" ? 100 : Number(high) - Number(low)
      return { text, kind, halfWidth: width * unit, isEnough: width <= wanted }
    }),
    needed:
      worst <= wanted
        ? undefined
        : {
            people: times * Math.ceil(each * (worst / wanted) ** 2),
            epsilon: [1, 2, 4, 8].find((epsilon) => epsilon > Number(draft.epsilon) && enough(epsilon)),
          },
  }
}

function domainOf(question: DraftQuestion): Domain {
  return question.kind === "number"
    ? { kind: "mean" }
    : { kind: "values", values: optionsOf(question).length }
}

/** Half of an interval's width, as a part of the whole range. */
function halfWidthOf(domain: Domain, epsilon: string, people: number): number {
  // No width is refused here: whether it is enough is shown beside the number.
  const { prediction } = chooseProtocol({
    domain,
    epsilon,
    people,
    trust: { kind: "nobody" },
    halfWidthMax: Number.MAX_SAFE_INTEGER,
    confidence,
  })
  // A mean is read on a scale from -1 to 1, which is twice as long.
  return domain.kind === "mean" ? prediction.halfWidth / 2 : prediction.halfWidth
}
