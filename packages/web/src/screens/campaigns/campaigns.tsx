// Campaigns: the list, one campaign, and the form that plans a new one.

import { useCallback } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { CampaignState, type Campaign } from "./campaign-state.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { OneCampaign } from "./one-campaign.tsx"
import { PlanCampaign } from "./plan-campaign.tsx"

/** The screen: the list, the one that the address names, or a new one. */
export function CampaignsPage() {
  const { path, query } = useRouter()
  const { can } = useSession()
  // A query, not a path: a path might be the address of a campaign.
  if (query.has("plan") && can("activate-studies")) return <PlanCampaign />
  const id = /^\/campaigns\/([a-z][a-z0-9-]*)$/.exec(path)?.[1]
  return id === undefined ? <CampaignList /> : <OneCampaign key={id} id={id} />
}

function CampaignList() {
  const { campaigns } = useStrings()
  const { can } = useSession()
  const loaded = useLoad(useCallback(() => call("listCampaigns"), []))
  const plan = can("activate-studies") ? (
    <Link to="/campaigns?plan" className="button">
      {campaigns.plan}
    </Link>
  ) : null
  return (
    <>
      <PageHead title={campaigns.title} lead={campaigns.lead}>
        {plan}
      </PageHead>
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={campaigns.empty} help={campaigns.emptyHelp}>
              {plan}
            </Empty>
          ) : (
            <div className="cards">
              {items.toReversed().map((campaign) => (
                <CampaignCard key={campaign.id} campaign={campaign} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function CampaignCard({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const { id, title, summary, epsilon, state, reports, people, createdBy } = campaign
  return (
    <article className="card stack-tight">
      <div className="row split">
        <h2>
          <Link to={`/campaigns/${id}`}>{title}</Link>
        </h2>
        <CampaignState state={state} />
      </div>
      <p>{summary}</p>
      <p>{campaigns.reports(reports.toLocaleString(locale), people.toLocaleString(locale))}</p>
      <p className="small soft">
        {campaigns.perDevice(epsilon)} · {campaigns.createdBy(createdBy)}
      </p>
    </article>
  )
}
