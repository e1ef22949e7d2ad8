// Models over HTTP: priced, trained under one charge, listed, and given with their files.

import { exactly } from "@dosimeter/core/exact"
import { accountObject } from "../../../answers/account-value.ts"
import { costValue } from "../../../answers/cost-value.ts"
import { modelCard, pricedModel } from "../../../answers/model-value.ts"
import { fail } from "../../../errors.ts"
import type { AskedModel } from "../../../questions/training-questions.ts"
import { seesQuestion } from "../../../questions/release-access.ts"
import { ReleaseTexts } from "../../../questions/release-texts.ts"
import { Airlock } from "../../../studies/airlock.ts"
import type { ModelBody, modelRoutes } from "../contract/learning.ts"
import { callerOf, wants, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import { limitOf, pageFrom, positionIn, type PageQuery } from "../request/list-page.ts"
import { progressReply } from "../request/progress-stream.ts"
import { rhoIn } from "../request/read-question.ts"
import { checkHeld, requireRelease, sightFor } from "../request/seen-release.ts"
import type { Services } from "../services/services.ts"

/** The handlers. */
export const modelHandlers: MakeHandlers<typeof modelRoutes> = (services) => ({
  priceModel: async ({ body }, context) => {
    context.about(body.sql)
    return { ...(await priceOf(body, context, services)), budget: await budgetOf(services) }
  },
  trainModel: async ({ body }, context) => trainRoute(body, context, services),
  listModels: async ({ query }, context) => listRoute(query, context, services),
  getModel: async ({ params }, context) => {
    const { record } = await requireRelease(params.position, context, services)
    await checkHeld(record, services)
    const { engine } = services
    const file = await engine.training.released(record.position)
    if (file === undefined) return fail("release/no-model", { position: params.position })
    const { person, rights } = callerOf(context)
    const isSeen = seesQuestion(person, rights, record)
    const { confidence } = engine.policy.terms.question
    return {
      ...modelCard(isSeen ? file : { ...file, features: "" }, { charge: record.position, confidence }),
      question: isSeen ? file.features : null,
    }
  },
})

async function priceOf(body: ModelBody, context: RequestContext, { questions, queue }: Services) {
  const { name } = callerOf(context).person
  const { plan, isTrained } = await queue.run(name, () =>
    questions.training.price(name, askedIn(body, undefined)),
  )
  return { ...pricedModel(plan), free: isTrained }
}

async function trainRoute(body: ModelBody, context: RequestContext, services: Services) {
  const { questions, queue } = services
  const { name } = callerOf(context).person
  const { key } = context
  context.about(body.sql)
  const train = async (more: Pick<AskedModel, "onCharged"> = {}) => {
    const trained = await queue.once(name, { key, what: JSON.stringify(body) }, () =>
      questions.training.train(name, { ...askedIn(body, key), ...more }),
    )
    const { file, confidence, charge, origin, receipt, cost } = trained
    // Whoever asked first may have written the same question in other words, which are not for others.
    const own = { ...file, features: body.sql }
    return {
      ...modelCard(own, { charge, confidence }),
      origin,
      cost: costValue(cost),
      receipt,
      budget: await budgetOf(services),
    }
  }
  if (!wants(context, "text/event-stream")) return train()
  // What can be refused is refused before anything is streamed, with a status of its own.
  const priced = await priceOf(body, context, services)
  return progressReply(async (send) => {
    send("planned", priced)
    const onCharged = (position: bigint): void => {
      send("charged", { position: Number(position) })
      send("reading", {})
    }
    send("released", await train({ onCharged }))
  }, body.sql)
}

async function listRoute(query: PageQuery, context: RequestContext, services: Services) {
  const { engine, charges, store } = services
  const before = positionIn(query)
  const sight = await sightFor(context, services)
  const rules = await new Airlock(store, engine.ledger).rules()
  const records = new Map((await charges.all()).map((record) => [record.position, record]))
  const seen = []
  for (const model of (await engine.training.list()).toReversed()) {
    const record = records.get(model.charge)
    if (record === undefined || !sight.release(record)) continue
    if (before !== undefined && model.charge >= before) continue
    if (!(await rules.isOpen(model.charge))) continue
    seen.push({ ...record, ...model })
    if (seen.length > limitOf(query)) break
  }
  const texts = await new ReleaseTexts(store, engine.ledger).of(seen.map(({ charge }) => charge))
  return pageFrom(seen, query, {
    positionOf: ({ charge }) => charge,
    show: ({ charge, at, principal, study = null, model, target = null, rows }) => ({
      charge: Number(charge),
      at,
      principal,
      study,
      title: texts.get(charge)?.title || null,
      model,
      target,
      rows,
    }),
  })
}

function askedIn(
  { model, sql, target, count, rounds, epsilon, rho, study }: ModelBody,
  key: string | undefined,
): AskedModel {
  return {
    wanted: {
      model,
      sql: sql.trim().replace(/;$/, ""),
      ...(target === undefined ? {} : { target }),
      ...(count === undefined ? {} : { count }),
      ...(rounds === undefined ? {} : { rounds }),
    },
    study,
    ...rhoIn({ rho, epsilon }),
    ...(epsilon === undefined ? {} : { ask: { epsilon: exactly(epsilon, "epsilon") } }),
    ...(key === undefined ? {} : { requestId: key }),
  }
}

async function budgetOf({ engine }: Services) {
  return accountObject(await engine.account(), engine.policy.terms)
}
