// Studies: each move by the caller, and what the study is then.

import { fail } from "../../../errors.ts"
import { activateStudy } from "../../../studies/activate-study.ts"
import { purposes } from "../../../studies/purposes.ts"
import { spokenProposal } from "../../../studies/spoken-proposal.ts"
import type { Study } from "../../../studies/studies.ts"
import type { studyRoutes } from "../contract/studies.ts"
import { callerOf, type MakeHandlers } from "../request/handler.ts"

/** The handlers. */
export const studyHandlers: MakeHandlers<typeof studyRoutes> = ({ engine, studies }) => {
  const find = async (id: string): Promise<Study> =>
    (await studies.find(id)) ?? fail("study/unknown", { study: id })
  const viewer = (context: Parameters<typeof callerOf>[0]) => ({
    name: callerOf(context).person.name,
    neighbours: engine.policy.catalog.neighbours,
  })
  return {
    listStudies: async () => ({ items: await studies.list() }),
    listPurposes: async () => ({ items: purposes }),
    getStudy: async ({ params }) => find(params.id),
    proposeStudy: async ({ body }, context) => {
      await studies.propose(body, callerOf(context).person)
      return find(body.id)
    },
    editStudy: async ({ params, body }, context) => {
      const given = Object.entries(body).filter(([, value]) => value !== undefined)
      await studies.edit(params.id, Object.fromEntries(given), callerOf(context).person)
      return find(params.id)
    },
    demandAirlock: async ({ params }, context) => {
      await studies.demandAirlock(params.id, callerOf(context).person)
      return find(params.id)
    },
    submitStudy: async ({ params }, context) => {
      await studies.submit(params.id, callerOf(context).person)
      return find(params.id)
    },
    reviewStudy: async ({ params, body }, context) => {
      await studies.review(params.id, body, callerOf(context).person)
      return find(params.id)
    },
    listProposals: async (_, context) => ({
      items: (await studies.list()).flatMap((study) => spokenProposal(study, viewer(context)) ?? []),
    }),
    voiceStudy: async ({ params, body }, context) => {
      await studies.voice(params.id, body, callerOf(context).person)
      const spoken = spokenProposal(await find(params.id), viewer(context))
      return spoken ?? fail("study/unknown", { study: params.id })
    },
    activateStudy: async ({ params }, context) => {
      const { ledger, policy } = engine
      await activateStudy(studies, params.id, { actor: callerOf(context).person, ledger, policy })
      return find(params.id)
    },
    suspendStudy: async ({ params, body }, context) => {
      await studies.suspend(params.id, body.reasons, callerOf(context).person)
      return find(params.id)
    },
    resumeStudy: async ({ params, body }, context) => {
      await studies.resume(params.id, body.reasons, callerOf(context).person)
      return find(params.id)
    },
    closeStudy: async ({ params }, context) => {
      await studies.close(params.id, callerOf(context).person)
      return find(params.id)
    },
  }
}
