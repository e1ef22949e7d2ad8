// Asking: in the name of the caller, by the one way in which every door asks.

import { showParameter } from "@dosimeter/core"
import type { Paid } from "@dosimeter/planner/explain/price"
import { amountUp, accountObject } from "../../../answers/account-value.ts"
import { answerObject, stagesOfLearning } from "../../../answers/answer-value.ts"
import { costValue } from "../../../answers/cost-value.ts"
import { explanationObject } from "../../../answers/explanation-value.ts"
import { workloadAnswers, workloadObject } from "../../../answers/workload-value.ts"
import type { AskedQuestion } from "../../../questions/prepare-question.ts"
import type { Priced } from "../../../questions/questions.ts"
import type { questionRoutes, QuestionBody } from "../contract/questions.ts"
import { callerOf, wants, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import { progressReply } from "../request/progress-stream.ts"
import { questionIn, workloadIn } from "../request/read-question.ts"
import type { Services } from "../services/services.ts"

/** The handlers. */
export const questionHandlers: MakeHandlers<typeof questionRoutes> = (services) => {
  const { questions, queue } = services
  return {
    explain: async ({ body }, context) => {
      context.about(body.sql)
      const { name } = callerOf(context).person
      const priced = await queue.run(name, () => questions.price(name, questionIn(body, undefined)))
      return { ...explanationValue(priced), budget: await budgetOf(services) }
    },
    ask: async ({ body }, context) => askRoute(body, context, services),
    plan: async ({ body }, context) => {
      const { name } = callerOf(context).person
      const workload = await queue.run(name, () => questions.plan(name, workloadIn(body, undefined)))
      return {
        questions: workloadObject(workload).questions,
        cost: costValue(workload.charge),
        budget: await budgetOf(services),
      }
    },
    releasePlan: async ({ body }, context) => {
      const { name } = callerOf(context).person
      const asked = workloadIn(body, context.key)
      const { workload, answer } = await queue.once(name, identityOf(body, context), () =>
        questions.release(name, asked),
      )
      return {
        questions: workloadObject(workload).questions,
        cost: costValue(workload.charge),
        ...workloadAnswers(answer),
        budget: await budgetOf(services),
      }
    },
  }
}

async function askRoute(body: QuestionBody, context: RequestContext, services: Services) {
  const { questions, queue } = services
  const { name } = callerOf(context).person
  const question = questionIn(body, context.key)
  context.about(body.sql)
  const ask = async (more: Pick<AskedQuestion, "onCharged"> = {}) => {
    const answered = await queue.once(name, identityOf(body, context), () =>
      questions.ask(name, { ...question, ...more }),
    )
    const earlier = [...(answered.earlier ?? []), ...stagesOfLearning(answered)]
    return { ...answerObject({ ...answered, earlier }), budget: await budgetOf(services) }
  }
  if (!wants(context, "text/event-stream")) return ask()
  // What can be refused is refused before anything is streamed, with a status of its own.
  const priced = await queue.run(name, () => questions.price(name, question))
  return progressReply(async (send) => {
    send("planned", explanationValue(priced))
    const onCharged = (position: bigint): void => {
      send("charged", { position: Number(position) })
      send("reading", {})
    }
    send("released", await ask({ onCharged }))
  }, body.sql)
}

/** What makes a request the same as another one. */
function identityOf(body: unknown, { key }: RequestContext) {
  return { key, what: JSON.stringify(body) }
}

function explanationValue({ explained, first, within, atMost }: Priced) {
  const { sql: _sql, reliesOn: _relies, firstLook: _look, ...rest } = explanationObject(explained)
  return {
    ...rest,
    cost: costValue(explained.explanation.charge),
    ...(first === undefined
      ? {}
      : {
          firstLook: {
            epsilon: showParameter(first.epsilon),
            more: first.more.map(showParameter),
            thenAtMost: showParameter(first.most),
            ...(atMost === undefined ? {} : { cost: { ...amountsOf(atMost), epsilon: null } }),
          },
        }),
    text: within === undefined ? explained.text : `${within}\n${explained.text}`,
  }
}

function amountsOf({ accounting, amount, delta }: Paid) {
  return { accounting, amount: amountUp(amount), delta: amountUp(delta) }
}

async function budgetOf({ engine }: Services) {
  return accountObject(await engine.account(), engine.policy.terms)
}
