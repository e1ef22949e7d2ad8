// The inbox of a site: what the node in this house was offered, and what people decide about it.

import { showParameter } from "@dosimeter/core/exact"
import { amountOf } from "@dosimeter/engine"
import { lastContact } from "../../../federation/node/dialler.ts"
import { Inbox, type InboxJob } from "../../../federation/node/inbox.ts"
import { membershipOf } from "../../../federation/node/membership.ts"
import { viewsOf } from "../../../federation/node/node-views.ts"
import { knownPeers } from "../../../federation/node/peers.ts"
import { StandingApprovals, type Standing } from "../../../federation/node/standing.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import type { inboxRoutes } from "../contract/inbox.ts"
import { callerOf, type MakeHandlers } from "../request/handler.ts"

/** The handlers. */
export const inboxHandlers: MakeHandlers<typeof inboxRoutes> = ({ store }) => {
  const inbox = new Inbox(store)
  const approvals = new StandingApprovals(store)
  return {
    getMembership: async () => {
      const membership = await membershipOf(store)
      const peers = await knownPeers(store)
      const views = Object.entries(await viewsOf(store))
      return {
        membership:
          membership === undefined
            ? null
            : {
                ...membership,
                coordinator: fingerprintOf(membership.coordinator),
                lastCall: (await lastContact(store)) ?? null,
              },
        peers: peers.map(({ name, key }) => ({ name, fingerprint: fingerprintOf(key) })),
        views: views.map(([table, select]) => ({ table, select })),
      }
    },
    listInbox: async () => ({ items: (await inbox.list()).map(jobObject) }),
    decideJob: async ({ params, body }, context) =>
      jobObject(await inbox.decide(params.job, body, callerOf(context).person)),
    listStanding: async () => ({ items: (await approvals.list()).map(standingObject) }),
    addStanding: async ({ body }, context) => ({
      id: await approvals.add(body, callerOf(context).person),
    }),
    endStanding: async ({ params }, context) => {
      await approvals.end(Number(params.id), callerOf(context).person)
      return undefined
    },
  }
}

function jobObject(job: InboxJob) {
  const { id, state, receivedAt, document: signed, offer, decidedBy, decidedAt, reasons, isActedOn } = job
  const { study, purpose, sql, mode, model, sites, threshold, honest, colluding, deadlines } = signed.document
  return {
    id,
    state,
    receivedAt,
    study,
    purpose,
    sql,
    mode,
    model: model ?? null,
    sites: sites.map(({ name }) => name),
    words: offer?.words ?? [],
    facts:
      offer?.facts === undefined
        ? null
        : {
            numbers: offer.facts.numbers,
            unit: offer.facts.unit,
            rounds: offer.facts.rounds ?? 1,
            threshold,
            honest,
            colluding,
          },
    epsilon: offer?.epsilon ?? null,
    delta: offer === undefined ? null : deltaOf(offer.delta),
    answerBy: deadlines.approval,
    decidedBy: decidedBy ?? null,
    decidedAt: decidedAt ?? null,
    reasons: reasons ?? null,
    isActedOn,
  }
}

/** Deltas of jobs are fractions; people read decimals. */
function deltaOf(text: string): string {
  return showParameter(amountOf(text))
}

function standingObject({ used, endedAt, ...standing }: Standing) {
  const { jobs, epsilon, delta } = used
  return {
    ...standing,
    endedAt: endedAt ?? null,
    used: { jobs, epsilon: showParameter(epsilon), delta: showParameter(delta) },
  }
}
