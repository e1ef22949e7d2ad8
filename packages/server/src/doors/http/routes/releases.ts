// What was released, for those who may see it; looking again is free.

import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerCsv, namedTable } from "../../../answers/answer-value.ts"
import { amountUp } from "../../../answers/account-value.ts"
import { withoutReceipt, withReceipt, type Charged, type ChargeRecord } from "../../../answers/charge-list.ts"
import { releasedTables } from "../../../answers/released-tables.ts"
import { claimText, type ClaimForm } from "../../../answers/claim.ts"
import { fail } from "../../../errors.ts"
import { Airlock } from "../../../studies/airlock.ts"
import { seesQuestion } from "../../../questions/release-access.ts"
import { ReleaseTexts, type ReleaseText } from "../../../questions/release-texts.ts"
import type { releaseRoutes } from "../contract/releases.ts"
import { callerOf, textReply, wants, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import { limitOf, pageFrom, positionIn } from "../request/list-page.ts"
import { checkHeld, requireRelease, sightFor } from "../request/seen-release.ts"
import type { Services } from "../services/services.ts"
import { rightTo } from "../../../people/roles.ts"
import { checkAccess } from "../request/identify.ts"

/** The handlers. */
export const releaseHandlers: MakeHandlers<typeof releaseRoutes> = (services) => ({
  listReleases: async ({ query }, context) => {
    const before = positionIn(query)
    const sight = await sightFor(context, services)
    const wanted = (await services.charges.all())
      .filter((charge) => sight.release(charge))
      .filter(({ study }) => query.study === undefined || study === query.study)
      .filter(({ principal }) => query.principal === undefined || principal === query.principal)
      .filter(({ position }) => before === undefined || position < before)
      .toReversed()
      .slice(0, limitOf(query) + 1)
    const rules = await new Airlock(services.store, services.engine.ledger).rules()
    const seen = await textsFor(wanted, context, services)
    const page = await Promise.all(
      wanted.map(async (record) => {
        const held = !(await rules.isOpen(record.position))
        return {
          ...(await seenAs(record, sight.outcome(record, held), services)),
          ...seen(record),
          held,
        }
      }),
    )
    return pageFrom(page, query, { positionOf: ({ position }) => position, show: releaseObject })
  },
  getRelease: async ({ params, query }, context) => {
    const { record, sight } = await requireRelease(params.position, context, services)
    const { engine } = services
    await checkHeld(record, services)
    const charged = await seenAs(record, sight.outcome(record, false), services)
    const text = (await textsFor([record], context, services))(record)
    const { tables, series = null } = await releasedTables(record, engine)
    if (wants(context, "text/csv") && tables.length > 0) {
      const csv = answerCsv(oneOf(tables, query.question), query.intervals !== "off")
      return textReply(csv, "text/csv", `release-${params.position}.csv`)
    }
    const answers = tables.map(namedTable)
    const [first = null] = answers
    return {
      ...releaseObject({ ...charged, ...text, held: false }),
      answer: answers.length === 1 ? first : null,
      answers,
      series,
      receipt: (await withReceipt(record, engine)).receipt,
    }
  },
  setReleaseTitle: async ({ params, body }, context) => {
    const { record } = await requireRelease(params.position, context, services)
    const caller = callerOf(context)
    const { person } = caller
    if (record.principal !== person.name && person.role !== "owner") {
      fail("release/not-own", { position: params.position })
    }
    checkAccess(caller, rightTo.ask)
    const { store, engine } = services
    await new ReleaseTexts(store, engine.ledger).entitle(record.position, body.title.trim())
    return undefined
  },
  getReceipt: async ({ params }, context) => {
    const { record } = await requireRelease(params.position, context, services)
    await checkHeld(record, services)
    return (await withReceipt(record, services.engine)).receipt
  },
  registryClaim: async () => claimReply("registry", services),
  nistClaim: async () => claimReply("nist", services),
})

/** The table that is named, from 1, or the only one. */
function oneOf(tables: readonly AnswerTable[], question: string | undefined): AnswerTable {
  const table = tables[question === undefined ? 0 : Number(question) - 1]
  if (table !== undefined && (question !== undefined || tables.length === 1)) return table
  const what = `the release has ${tables.length} answers: say which, from question=1`
  return fail("request/bad-input", { where: "question in the query", what })
}

async function claimReply(form: ClaimForm, { charges, engine }: Services): Promise<Response> {
  const all = await Promise.all((await charges.all()).map((record) => withReceipt(record, engine)))
  const text = await claimText(form, all, engine)
  return form === "registry"
    ? textReply(text, "application/yaml", "registry.yaml")
    : textReply(text, "text/markdown", "nist-sp-800-226.md")
}

/**
 * A charge as somebody sees it. To those who are not told its outcome, answered and failed charges look the
 * same.
 */
async function seenAs(
  record: ChargeRecord,
  isTold: boolean,
  { engine }: Services,
): Promise<Omit<Charged, "outcome"> & { readonly outcome: Charged["outcome"] | "charged" }> {
  return isTold ? withReceipt(record, engine) : { ...withoutReceipt(record, engine), outcome: "charged" }
}

/** What was asked, as far as the caller may see it. */
interface SeenText {
  readonly text: ReleaseText | undefined
  readonly withheld: boolean
}

async function textsFor(
  records: readonly ChargeRecord[],
  context: RequestContext,
  { store, engine }: Services,
): Promise<(record: ChargeRecord) => SeenText> {
  const { person, rights } = callerOf(context)
  const texts = await new ReleaseTexts(store, engine.ledger).of(records.map(({ position }) => position))
  return (record) => ({
    text: texts.get(record.position),
    withheld: !seesQuestion(person, rights, record),
  })
}

function releaseObject(release: Awaited<ReturnType<typeof seenAs>> & SeenText & { readonly held: boolean }) {
  const { position, at, principal, study, planHash, outcome, charge, held, text, withheld } = release
  const { question = "", title = "" } = text ?? {}
  const { accounting, amount, delta, shown } = charge
  return {
    position: Number(position),
    at,
    principal,
    study: study ?? null,
    planHash,
    outcome,
    held,
    accounting,
    amount: amountUp(amount),
    delta: amountUp(delta),
    epsilon: "epsilon" in shown ? amountUp(shown.epsilon) : null,
    title: title === "" ? null : title,
    question: question === "" || withheld ? null : question,
    questionWithheld: withheld,
  }
}
