// A campaign as plain data: what devices are asked, under which protocol, and where its life stands.

import { chooseProtocol } from "@dosimeter/core/collect"
import { oneOf, type Protocol, type SingleProtocol } from "@dosimeter/core/local"
import { fail } from "../errors.ts"

/** A question with listed answers. */
export interface ChoiceQuestion {
  readonly kind: "choice"
  readonly name: string
  readonly text: string
  readonly options: readonly string[]
}

/** A question about a number between two ends, of which the mean is wanted. */
export interface NumberQuestion {
  readonly kind: "number"
  readonly name: string
  readonly text: string
  readonly low: number
  readonly high: number
}

/** A question to devices. */
export type CampaignQuestion = ChoiceQuestion | NumberQuestion

/** What an owner plans. */
export interface CampaignPlan {
  /** Lower-case letters, digits and dashes; devices remember a campaign by it. */
  readonly id: string
  readonly title: string
  readonly summary: string
  /** What each person loses, once: a decimal text. */
  readonly epsilon: string
  /** How many people are expected to answer. */
  readonly people: number
  /** Reports beyond this are refused. */
  readonly reportsMax: number
  /** Half the width of an interval that would still answer the questions. */
  readonly halfWidthMax: number
  /** Each person answers one of them, drawn by the device. */
  readonly questions: readonly CampaignQuestion[]
}

/** Where a campaign stands. */
export type CampaignState = "draft" | "open" | "paused" | "closed"

/** What can be done with a campaign. */
export type CampaignMove = "publish" | "pause" | "close"

/** A campaign. */
export interface Campaign extends CampaignPlan {
  readonly state: CampaignState
  readonly protocol: Protocol
  readonly parameters: string
  readonly createdBy: string
  readonly createdAt: string
}

/**
 * The protocol of a plan: the most accurate one for each question, of which every device answers one with the
 * whole epsilon. A plan whose questions so many people cannot answer is refused.
 */
export function protocolOf(plan: CampaignPlan): Protocol {
  checkQuestions(plan.questions)
  const people = Math.max(1, Math.floor(plan.people / plan.questions.length))
  const parts = plan.questions.map((question): SingleProtocol => {
    const { protocol } = chooseProtocol({
      domain:
        question.kind === "number" ? { kind: "mean" } : { kind: "values", values: question.options.length },
      epsilon: plan.epsilon,
      people,
      trust: { kind: "nobody" },
      // A mean is read on a scale from -1 to 1, which is twice as long.
      halfWidthMax: question.kind === "number" ? 2 * plan.halfWidthMax : plan.halfWidthMax,
    })
    return protocol.kind === "one-of"
      ? fail("campaign/bad-question", { question: question.name, what: "it would be several" })
      : protocol
  })
  const [only, ...more] = parts
  return only !== undefined && more.length === 0 ? only : oneOf(parts)
}

function checkQuestions(questions: readonly CampaignQuestion[]): void {
  const names = new Set<string>()
  for (const question of questions) {
    const bad = (what: string): never => fail("campaign/bad-question", { question: question.name, what })
    if (names.has(question.name)) bad("another has its name")
    names.add(question.name)
    if (question.kind === "choice") {
      if (new Set(question.options).size !== question.options.length) bad("two options are the same")
      if (question.options.length < 2) bad("it has one option")
    } else if (!(question.low < question.high)) bad("its lower end is not below its upper end")
  }
}

/** Where a move leads; refused where it does not begin. */
export function stateAfter({ id, state }: Pick<Campaign, "id" | "state">, move: CampaignMove): CampaignState {
  const moves: Readonly<Record<CampaignState, Partial<Record<CampaignMove, CampaignState>>>> = {
    draft: { publish: "open", close: "closed" },
    open: { pause: "paused", close: "closed" },
    paused: { publish: "open", close: "closed" },
    closed: {},
  }
  return moves[state][move] ?? fail("campaign/wrong-state", { campaign: id, state, move })
}
