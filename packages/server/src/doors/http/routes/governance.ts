// Approvals, more budget and consent, each by the caller; and what everybody sees.

import type { RecordedAnswer } from "@dosimeter/answers/shown/answer-text"
import { namedTable } from "../../../answers/answer-value.ts"
import { fail } from "../../../errors.ts"
import { Airlock, type HeldRelease } from "../../../studies/airlock.ts"
import { accountOf, budgetRaises } from "../../../studies/budget-raises.ts"
import { Consents, type KeptDecision } from "../../../consent/consents.ts"
import { ownPurposes, withNarrower } from "../../../consent/own-consent.ts"
import { participantOf } from "../../../people/participants.ts"
import { participationOf } from "../../../consent/participation.ts"
import { purposeOf } from "../../../studies/purposes.ts"
import { readConsents } from "../../../consent/read-consents.ts"
import { transparencyOf, type Transparency } from "../../../studies/transparency.ts"
import type * as Contract from "../contract/governance.ts"
import { callerOf, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import type { Services } from "../services/services.ts"
import { unitTypeOf } from "../request/unit-id.ts"

/** The handlers of approvals. */
export const airlockHandlers: MakeHandlers<typeof Contract.airlockRoutes> = ({ store, engine }) => {
  const airlock = new Airlock(store, engine.ledger)
  return {
    listHeld: async ({ query }) => {
      const failed = await airlock.failed()
      return { items: (await airlock.list(query.study)).map((held) => heldObject(held, failed)) }
    },
    getHeld: async ({ params, query }, context) => {
      const { answer, receipt, ...held } = await airlock.show(
        params.release,
        callerOf(context).person,
        query.study,
      )
      const shown = heldObject(held, await airlock.failed())
      return { ...shown, answer: answersIn(answer), receipt: receipt ?? null }
    },
    reviewHeld: async ({ params, body }, context) => {
      const { decision, reasons, study } = body
      const review = { decision, reasons, ...(study === undefined ? {} : { study }) }
      await airlock.review(params.release, review, callerOf(context).person)
      return undefined
    },
  }
}

/** The handlers of more budget. */
export const raiseHandlers: MakeHandlers<typeof Contract.raiseRoutes> = ({ store, engine }) => {
  const raises = budgetRaises({ store, ledger: engine.ledger, policy: engine.policy })
  return {
    listBudgetRequests: async () => ({ items: await raises.list() }),
    requestBudget: async ({ body }, context) =>
      raises.request({ ...body, account: accountOf(body.account) }, callerOf(context).person),
    decideBudget: async ({ params, body }, context) => ({
      state: await raises.decide(Number(params.id), body, callerOf(context).person),
    }),
  }
}

/** The handlers of consent. */
export const consentHandlers: MakeHandlers<typeof Contract.consentRoutes> = (services) => {
  const { store, engine, studies, charges } = services
  const unitType = unitTypeOf(services)
  const consents = new Consents(store, { unitType })
  return {
    getConsent: async (_, context) => {
      const own = await ownId(context, services)
      const [holds, history] = [await consents.of(own), await consents.history(own)]
      const { policy } = engine
      return {
        mode: policy.catalog.consent?.mode ?? null,
        countsFrom: policy.consentRefresh === "daily" ? ("midnight" as const) : ("next-question" as const),
        purposes: ownPurposes(history, policy, new Date()),
        holds: holds.map(decisionObject),
        history: history.toSorted((a, b) => b.position - a.position).map(decisionObject),
      }
    },
    setConsent: async ({ body }, context) => {
      const participant = await ownId(context, services)
      const { purpose, decision, narrower = false } = body
      const about = narrower ? withNarrower(purpose) : [purpose]
      await consents.add(
        about.map((one) => ({ participant, purpose: one, decision, decidedAt: "now" })),
        { source: "portal", actor: callerOf(context).person },
      )
      return undefined
    },
    importConsents: async ({ body }, context) => {
      const { file, text } = body
      const { decisions, problems } = readConsents(text, unitType)
      if (problems.length > 0) fail("consent/bad-file", { file, problems: problems.slice(0, 5).join("; ") })
      const changed = await consents.add(decisions, { source: file, actor: callerOf(context).person })
      return { read: decisions.length, changed }
    },
    getParticipation: async (_, context) => {
      const history = await consents.history(await ownId(context, services))
      const { outside, ...used } = await participationOf(history, {
        engine,
        studies,
        charges: await charges.all(),
      })
      return { ...used, outside: outside ?? null }
    },
  }
}

/** The handlers for everybody. */
export const transparencyHandlers: MakeHandlers<typeof Contract.transparencyRoutes> = (services) => ({
  getTransparency: async () => publicView(services),
})

/** What everybody may know, as it is now. */
export async function publicView({ store, engine, charges, studies }: Services): Promise<Transparency> {
  const rules = await new Airlock(store, engine.ledger).rules()
  return transparencyOf({ engine, charges, studies, rules })
}

/** Whose data the caller's account is about. */
async function ownId(context: RequestContext, { store }: Services): Promise<string> {
  const { name } = callerOf(context).person
  return (await participantOf(store, name)) ?? fail("consent/not-linked", { name })
}

function heldObject(
  { charge, reviewer, reasons, reviewedAt, ...held }: HeldRelease,
  failed: ReadonlySet<string>,
) {
  return {
    ...held,
    release: charge,
    failed: failed.has(charge),
    reviewer: reviewer ?? null,
    reasons: reasons ?? null,
    reviewedAt: reviewedAt ?? null,
  }
}

function decisionObject({ purpose, decision, decidedAt, recordedAt, source }: KeptDecision) {
  return { purpose, name: purposeOf(purpose)?.name ?? purpose, decision, decidedAt, recordedAt, source }
}

// A table, or several where questions were asked together.
function answersIn(recorded: RecordedAnswer | undefined): unknown {
  switch (recorded?.kind) {
    case "answer":
      return namedTable(recorded.answer)
    case "workload":
      return recorded.answers.map(namedTable)
    case "series":
    case undefined:
      return null
    default:
      return recorded satisfies never
  }
}
