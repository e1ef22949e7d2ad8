// What was released, for those who may see it; looking again is free.

import { answerCsv, namedTable, tableIn } from "../../answers/answer-value.ts"
import { amountUp } from "../../answers/account-value.ts"
import { withReceipt, type Charged, type ChargeRecord } from "../../answers/charge-list.ts"
import { claimText, type ClaimForm } from "../../answers/claim.ts"
import { fail } from "../../errors.ts"
import { Airlock } from "../../governance/airlock.ts"
import { ReleaseTexts, type ReleaseText } from "../../governance/release-texts.ts"
import { seesQuestion, sightOf } from "../../governance/release-access.ts"
import type { releaseRoutes } from "../contract/releases.ts"
import { callerOf, textReply, wants, type MakeHandlers, type RequestContext } from "../handler.ts"
import { limitOf, pageFrom, positionIn } from "../page.ts"
import type { Services } from "../services.ts"

/** The handlers. */
export const releaseHandlers: MakeHandlers<typeof releaseRoutes> = (services) => ({
  listReleases: async ({ query }, context) => {
    const before = positionIn(query)
    const wanted = (await seenBy(context, services))
      .filter(({ study }) => query.study === undefined || study === query.study)
      .filter(({ principal }) => query.principal === undefined || principal === query.principal)
      .filter(({ position }) => before === undefined || position < before)
      .toReversed()
      .slice(0, limitOf(query) + 1)
    const rules = await new Airlock(services.store, services.engine.ledger).rules()
    const seen = await textsFor(wanted, context, services)
    const page = await Promise.all(
      wanted.map(async (record) => ({
        ...(await withReceipt(record, services.engine)),
        ...seen(record),
        held: !(await rules.isOpen(record.position)),
      })),
    )
    return pageFrom(page, query, { positionOf: ({ position }) => position, show: releaseObject })
  },
  getRelease: async ({ params, query }, context) => {
    const record = await requireRelease(params.position, context, services)
    const { engine } = services
    const charged = await withReceipt(record, engine)
    await checkHeld(record, services)
    const found = await engine.ledger.find(record)
    const text = (await textsFor([record], context, services))(record)
    const table = found?.charge === record.position ? tableIn(found.answer) : undefined
    if (wants(context, "text/csv") && table !== undefined) {
      const csv = answerCsv(table, query.intervals !== "off")
      return textReply(csv, "text/csv", `release-${params.position}.csv`)
    }
    return {
      ...releaseObject({ ...charged, ...text, held: false }),
      answer: table === undefined ? null : namedTable(table),
      receipt: charged.receipt,
    }
  },
  setReleaseTitle: async ({ params, body }, context) => {
    const record = await requireRelease(params.position, context, services)
    const { person } = callerOf(context)
    if (record.principal !== person.name && person.role !== "owner") {
      fail("release/not-own", { position: params.position })
    }
    const { store, engine } = services
    await new ReleaseTexts(store, engine.ledger).entitle(record.position, body.title.trim())
    return undefined
  },
  getReceipt: async ({ params }, context) => {
    const record = await requireRelease(params.position, context, services)
    await checkHeld(record, services)
    return (await withReceipt(record, services.engine)).receipt
  },
  registryClaim: async () => claimReply("registry", services),
  nistClaim: async () => claimReply("nist", services),
})

async function claimReply(form: ClaimForm, { charges, engine }: Services): Promise<Response> {
  const all = await Promise.all((await charges.all()).map((record) => withReceipt(record, engine)))
  const text = await claimText(form, all, engine)
  return form === "registry"
    ? textReply(text, "application/yaml", "registry.yaml")
    : textReply(text, "text/markdown", "nist-sp-800-226.md")
}

async function seenBy(context: RequestContext, services: Services): Promise<readonly ChargeRecord[]> {
  const { person, rights } = callerOf(context)
  const sight = await sightOf(person, rights, services.studies)
  return (await services.charges.all()).filter((charge) => sight.release(charge))
}

/** What waits for an approval is seen in the airlock only. */
async function checkHeld({ position, study }: ChargeRecord, { store, engine }: Services): Promise<void> {
  const rules = await new Airlock(store, engine.ledger).rules()
  if (await rules.isOpen(position)) return
  fail("airlock/waiting", { release: `${position}`, study: study ?? "" })
}

/** One that is not theirs to see is one that there is not. */
async function requireRelease(
  position: string,
  context: RequestContext,
  services: Services,
): Promise<ChargeRecord> {
  const { person, rights } = callerOf(context)
  const record = await services.charges.find(BigInt(position))
  const sight = await sightOf(person, rights, services.studies)
  return record !== undefined && sight.release(record) ? record : fail("release/unknown", { position })
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

function releaseObject(release: Charged & SeenText & { readonly held: boolean }) {
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
