// Campaigns: the owner's moves, what everybody with an account may see, and the door for devices.

import { certificateOf } from "@dosimeter/core/local"
import type { Campaign } from "../../../collector/campaign.ts"
import { Campaigns } from "../../../collector/campaigns.ts"
import { campaignEstimates } from "../../../collector/estimates.ts"
import { snippetOf } from "../../../collector/snippet.ts"
import { surveyBody, surveyScriptText } from "../../../collector/survey-page.ts"
import { fail } from "../../../errors.ts"
import type { campaignRoutes } from "../contract/campaigns.ts"
import { callerOf, textReply, type MakeHandlers, type RequestContext } from "../request/handler.ts"
import { htmlPage } from "../pages/pages.ts"

const confidence = 0.95

/** The handlers. */
export const campaignHandlers: MakeHandlers<typeof campaignRoutes> = ({ store }) => {
  const campaigns = new Campaigns(store)
  const shown = async (campaign: Campaign, context: RequestContext) => {
    const { protocol, parameters: _, ...rest } = campaign
    const tallies = await campaigns.tallies(campaign.id)
    return {
      ...rest,
      reports: tallies.reduce((sum, { reports }) => sum + reports, 0),
      certificate: certificateOf(protocol),
      snippet: snippetOf(campaign, originOf(context)),
    }
  }
  return {
    listCampaigns: async (_input, context) => ({
      items: await Promise.all((await campaigns.list()).map(async (campaign) => shown(campaign, context))),
    }),
    createCampaign: async ({ body }, context) => {
      const plan = { ...body, reportsMax: body.reportsMax ?? 2 * body.people }
      return shown(await campaigns.create(plan, callerOf(context).person.name), context)
    },
    getCampaign: async ({ params }, context) => shown(await campaigns.get(params.id), context),
    publishCampaign: async ({ params }, context) =>
      shown(await campaigns.move(params.id, "publish", callerOf(context).person.name), context),
    pauseCampaign: async ({ params }, context) =>
      shown(await campaigns.move(params.id, "pause", callerOf(context).person.name), context),
    closeCampaign: async ({ params }, context) =>
      shown(await campaigns.move(params.id, "close", callerOf(context).person.name), context),
    campaignEstimates: async ({ params }) => {
      const campaign = await campaigns.get(params.id)
      return {
        confidence,
        items: campaignEstimates(campaign, await campaigns.tallies(params.id), confidence),
      }
    },
    getSurvey: async ({ params }) => {
      const { id, title, summary, epsilon, questions, state, protocol } = await campaigns.get(params.id)
      // A draft is shown to nobody without an account.
      if (state === "draft") fail("campaign/unknown", { campaign: params.id })
      return { id, title, summary, epsilon, questions, state, protocol, certificate: certificateOf(protocol) }
    },
    surveyPage: async ({ params }) => {
      const campaign = await campaigns.get(params.id)
      if (campaign.state === "draft") fail("campaign/unknown", { campaign: params.id })
      return htmlPage(campaign.title, surveyBody(campaign))
    },
    surveyScript: async () => textReply(surveyScriptText(), "text/javascript"),
    sendReports: async ({ params, body }) => campaigns.collect(params.id, body.reports),
  }
}

/** Where this server is, as the page that embeds the snippet must know it. */
function originOf({ request, site }: RequestContext): string {
  return site.publicUrl ?? new URL(request.url).origin
}
