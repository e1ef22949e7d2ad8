// The sites of a study, at its coordinator: who takes part, when they called, and invitations.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { CopyButton } from "../../parts/widgets/copy-button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Empty, Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { ReasonsField } from "../../parts/widgets/reasons-field.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { useLookAgain } from "./use-look-again.ts"

type Site = Reply<"listSites">["items"][number]

const tones = { invited: "now", enrolled: "good", expelled: "refused" } as const

/** The screen. */
export function SitesPage() {
  const { sites, app } = useStrings()
  const { can } = useSession()
  const study = useLoad(useCallback(() => call("getStudyLed"), []))
  const loaded = useLoad(useCallback(() => call("listSites"), []))
  useLookAgain(loaded.reload, true)
  const name = study.load.kind === "ready" ? study.load.value.study : ""
  return (
    <>
      <PageHead title={sites.title} lead={sites.lead(name)} />
      <div className="columns">
        <Loaded of={loaded}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={sites.empty} help={sites.emptyHelp} />
            ) : (
              <div className="stack">
                {items.map((site) => (
                  <SiteCard key={site.name} site={site} onChanged={loaded.reload} />
                ))}
              </div>
            )
          }
        </Loaded>
        <div className="stack">
          <Loaded of={study}>
            {({ fingerprint }) => (
              <section className="card stack-tight">
                <p>{sites.fingerprint}</p>
                <p className="figure anywhere">{fingerprint}</p>
                <div>
                  <CopyButton text={fingerprint}>{app.copy}</CopyButton>
                </div>
              </section>
            )}
          </Loaded>
          {can("operate") ? <Invite onInvited={loaded.reload} /> : null}
        </div>
      </div>
    </>
  )
}

interface SiteProps {
  readonly site: Site
  readonly onChanged: () => void
}

function SiteCard({ site, onChanged }: SiteProps) {
  const { sites } = useStrings()
  const locale = useLocale()
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  const { name, state, fingerprint, invitedUntil, seenAt } = site
  const when = (time: string): string => new Date(time).toLocaleString(locale)
  return (
    <article className="card stack-tight">
      <div className="row split">
        <h2>{name}</h2>
        <Tag tone={tones[state]}>{sites.states[state]}</Tag>
      </div>
      {fingerprint === null ? null : <p className="figure small anywhere">{fingerprint}</p>}
      <p className="small soft">
        {state === "invited"
          ? sites.invitedUntil(when(invitedUntil))
          : seenAt === null
            ? ""
            : sites.lastCall(when(seenAt))}
      </p>
      {state === "expelled" || !can("operate") ? null : isOpen ? (
        <Expel name={name} onChanged={onChanged} />
      ) : (
        <div>
          <Button size="small" onPress={() => setOpen(true)}>
            {sites.expel}
          </Button>
        </div>
      )}
    </article>
  )
}

function Expel({ name, onChanged }: { readonly name: string; readonly onChanged: () => void }) {
  const { sites } = useStrings()
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      await call("expelSite", { params: { site: name }, body: { reasons } })
      tell(sites.expelled(name))
      onChanged()
    })
  }
  return (
    <form className="form" onSubmit={send}>
      <ReasonsField value={reasons} onChange={setReasons} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" variant="danger" isDisabled={isBusy || reasons.trim() === ""}>
          {sites.expel}
        </Button>
      </div>
    </form>
  )
}

function Invite({ onInvited }: { readonly onInvited: () => void }) {
  const { sites, app } = useStrings()
  const [name, setName] = useState("")
  const [url, setUrl] = useState("")
  const [made, setMade] = useState<string>()
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const address = url.trim() === "" ? {} : { url: url.trim() }
      const { invitation } = await call("inviteSite", { body: { site: name.trim(), ...address } })
      setMade(invitation)
      setName("")
      onInvited()
    })
  }
  return (
    <section className="card stack">
      <h2>{sites.invite}</h2>
      <form className="form" onSubmit={send}>
        <Field label={sites.name} help={sites.nameHelp} value={name} onChange={setName} isRequired isCode />
        <Field label={sites.url} help={sites.urlHelp} value={url} onChange={setUrl} isCode />
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div>
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {sites.invite}
          </Button>
        </div>
      </form>
      {made === undefined ? null : (
        <Notice tone="good" role="status" title={sites.invitation}>
          <p className="figure small anywhere">{made}</p>
          <p className="row">
            <CopyButton text={made}>{app.copy}</CopyButton>
            <Button size="small" variant="quiet" onPress={() => setMade(undefined)}>
              {app.dismiss}
            </Button>
          </p>
          <p className="small">{sites.invitationHelp}</p>
        </Notice>
      )}
    </section>
  )
}
