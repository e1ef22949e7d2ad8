// The lead's routes at a coordinator: sites and jobs, from the state that the commands work on as well.

import { showParameter } from "@dosimeter/core/exact"
import { amountOf } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { namedTable } from "../../../answers/answer-value.ts"
import type { Coordinator } from "../../../federation/coordinator/coordinator.ts"
import { jobRequest } from "../../../federation/coordinator/job-request.ts"
import type { Jobs, LedJob } from "../../../federation/coordinator/jobs.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import type { leadRoutes } from "../contract/lead.ts"
import { callerOf, type Handlers } from "../request/handler.ts"

/** A study that is led. */
export interface LedStudy {
  readonly coordinator: Coordinator
  readonly jobs: Jobs
  readonly policy: Policy
}

/** The handlers. */
export function leadHandlers(study: LedStudy): Handlers<typeof leadRoutes> {
  const { coordinator, jobs, policy } = study
  const { sites, signer } = coordinator
  const fingerprint = fingerprintOf(signer.publicKey)
  return {
    getStudyLed: async () => ({
      study: coordinator.study,
      unit: policy.catalog.unitName,
      fingerprint,
      tables: policy.catalog.tables.map(({ name, columns }) => ({
        name,
        columns: columns.map((column) => column.name),
      })),
      epsilonDefault: showParameter(policy.terms.question.epsilonDefault),
    }),
    listSites: async () => ({
      items: (await sites.list()).map(({ name, state, invitedUntil, ...site }) => ({
        name,
        state,
        invitedUntil,
        fingerprint: site.fingerprint ?? null,
        enrolledAt: site.enrolledAt ?? null,
        seenAt: site.seenAt ?? null,
      })),
    }),
    inviteSite: async ({ body: { site, url } }, context) => {
      const by = callerOf(context).person.name
      return {
        invitation: await coordinator.invite(site, url === undefined ? { by } : { url, by }),
        fingerprint,
      }
    },
    expelSite: async ({ params: { site }, body: { reasons } }, context) => {
      await sites.expel(site, callerOf(context).person.name, reasons)
      return undefined
    },
    listJobs: async () => ({ items: (await jobs.list()).map(jobObject) }),
    askSites: async ({ body }, context) => {
      const { sql, purpose, mode, model, sites: named, epsilon, hours = 168, stepMinutes = 60 } = body
      context.about(sql)
      const asked = {
        sql,
        purpose,
        mode,
        hours,
        stepMinutes,
        ...(model === undefined ? {} : { model }),
        ...(named === undefined ? {} : { sites: named }),
        ...(epsilon === undefined ? {} : { epsilon }),
      }
      const request = await jobRequest(asked, study)
      return jobObject(await jobs.ask(request, callerOf(context).person.name))
    },
    getJob: async ({ params }) => jobObject(await jobs.find(params.job)),
    poolJob: async ({ params, query }) => {
      const { measure, count, ...columns } = query
      const given = Object.entries(columns).filter(([, value]) => value !== undefined)
      return jobs.pool(params.job, { measure, count, ...Object.fromEntries(given) })
    },
  }
}

function jobObject({ id, askedBy, askedAt, document: signed, state, result }: LedJob) {
  const { purpose, sql, mode, model, ask, threshold } = signed.document
  const { phase, step, until, why, sites, rounds } = state
  return {
    id,
    askedBy,
    askedAt,
    purpose,
    sql,
    mode,
    model: model ?? null,
    rounds,
    epsilon: showParameter(amountOf(ask.epsilon)),
    confidence: showParameter(amountOf(ask.confidence)),
    threshold,
    phase,
    step: step ?? null,
    until: until ?? null,
    why: why ?? null,
    sites: sites.map((site) => ({ ...site, why: site.why ?? null })),
    answer: result === undefined ? null : namedTable(result.answer),
    bySite: (result?.bySite ?? []).map(({ site, answer }) => ({ site, answer: namedTable(answer) })),
    receipt: result === undefined ? null : { ...result.receipt },
  }
}
