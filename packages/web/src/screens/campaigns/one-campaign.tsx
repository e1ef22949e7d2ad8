// One campaign: how to reach people, what can be done with it, what it promises, and what came of it.

import { useCallback, useEffect } from "react"
import { call } from "../../api/server.ts"
import { useLoad } from "../../api/use-load.ts"
import { CampaignState, type Campaign } from "./campaign-state.tsx"
import { CopyButton } from "../../parts/widgets/copy-button.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { CampaignEstimates } from "./campaign-estimates.tsx"
import { CampaignMoves } from "./campaign-moves.tsx"

const lookAgainMs = 4000

/** The screen of one campaign; while it is open, it is loaded again every few seconds. */
export function OneCampaign({ id }: { readonly id: string }) {
  const { campaigns } = useStrings()
  const work = useCallback(async () => {
    const params = { id }
    const [campaign, estimates] = await Promise.all([
      call("getCampaign", { params }),
      call("campaignEstimates", { params }),
    ])
    return { campaign, estimates }
  }, [id])
  const loaded = useLoad(work)
  const { load, reload } = loaded
  const isOpen = load.kind === "ready" && load.value.campaign.state === "open"
  // The repeated loading goes on while the server cannot be reached.
  const isAway = load.kind === "trouble" && load.trouble.kind === "unavailable"
  const looksAgain = isOpen || isAway
  useEffect(() => {
    if (!looksAgain) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload()
    }, lookAgainMs)
    return () => clearInterval(timer)
  }, [looksAgain, reload])
  const changed = (): void => {
    tell(campaigns.saved)
    reload()
  }
  return (
    <Loaded of={loaded}>
      {({ campaign, estimates }) => (
        <>
          <PageHead title={campaign.title} lead={campaign.summary}>
            <CampaignState state={campaign.state} />
          </PageHead>
          <div className="stack">
            <div className="columns">
              <Standing campaign={campaign} onChanged={changed} />
              {campaign.state === "draft" ? <Promised campaign={campaign} /> : <Reach campaign={campaign} />}
            </div>
            {campaign.state === "draft" ? null : (
              <>
                <CampaignEstimates
                  questions={campaign.questions}
                  estimates={estimates}
                  isLive={campaign.state === "open"}
                />
                <Promised campaign={campaign} />
              </>
            )}
          </div>
        </>
      )}
    </Loaded>
  )
}

interface CampaignProps {
  readonly campaign: Campaign
}

function Standing({ campaign, onChanged }: CampaignProps & { readonly onChanged: () => void }) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const { reports, people, epsilon, createdBy, questions } = campaign
  return (
    <section className="card stack">
      <p className="text-large" aria-live="polite">
        <b>{campaigns.reports(reports.toLocaleString(locale), people.toLocaleString(locale))}</b>
      </p>
      <p className="small soft">
        {campaigns.perDevice(epsilon)} · {campaigns.createdBy(createdBy)}
      </p>
      <ol>
        {questions.map(({ name, text }) => (
          <li key={name}>{text}</li>
        ))}
      </ol>
      {questions.length > 1 ? <p className="small soft">{campaigns.eachOne}</p> : null}
      <CampaignMoves campaign={campaign} onChanged={onChanged} />
    </section>
  )
}

/** How people come to the survey. */
function Reach({ campaign: { id, snippet } }: CampaignProps) {
  const { campaigns } = useStrings()
  const link = `${location.origin}/survey/${id}`
  return (
    <section className="card stack">
      <div className="stack-tight">
        <h2>{campaigns.link}</h2>
        <p className="code-line">
          <a href={link} target="_blank" rel="noreferrer" aria-label={campaigns.openSurvey}>
            {link}
          </a>
        </p>
        <div>
          <CopyButton text={link}>{campaigns.copyLink}</CopyButton>
        </div>
      </div>
      <div className="stack-tight">
        <h2>{campaigns.snippet}</h2>
        <p className="small soft">{campaigns.snippetHelp}</p>
        <pre className="code-line">
          <code>{snippet}</code>
        </pre>
        <div>
          <CopyButton text={snippet}>{campaigns.copySnippet}</CopyButton>
        </div>
      </div>
    </section>
  )
}

function Promised({ campaign: { certificate, reportsMax } }: CampaignProps) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  return (
    <section className="card">
      <h2>{campaigns.promise}</h2>
      <dl className="facts">
        <dt>{campaigns.protocol}</dt>
        <dd>{certificate.protocol}</dd>
        <dt>{campaigns.loss}</dt>
        <dd>ε {Math.ceil(certificate.epsilon * 1e6) / 1e6}</dd>
        <dt>{campaigns.bytes}</dt>
        <dd>{certificate.bytes.toLocaleString(locale)}</dd>
        <dt>{campaigns.most}</dt>
        <dd>{reportsMax.toLocaleString(locale)}</dd>
        <dt>{campaigns.parameters}</dt>
        <dd>
          <code>{certificate.parameters}</code>
        </dd>
      </dl>
    </section>
  )
}
