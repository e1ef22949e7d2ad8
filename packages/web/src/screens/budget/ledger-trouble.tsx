// A ledger that cannot be charged: why, and the decision of two people with which it can be used again.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import type { Decided } from "../../parts/widgets/decision-form.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { DecidedRequest } from "./decided-request.tsx"

type Ledger = Reply<"getLedger">
type Request = Ledger["requests"][number]

/** The ledger's trouble, for people who may decide about it; nothing is drawn for a sound ledger. */
export function LedgerTrouble({ onEntered }: { readonly onEntered: () => void }) {
  const { can } = useSession()
  return can("review-releases") ? <OfThoseWhoDecide onEntered={onEntered} /> : null
}

function OfThoseWhoDecide({ onEntered }: { readonly onEntered: () => void }) {
  const { ledger } = useStrings()
  const loaded = useLoad(useCallback(() => call("getLedger"), []))
  const changed = (): void => {
    loaded.reload()
    onEntered()
  }
  return (
    <Loaded of={loaded}>
      {({ trouble, anchor, requests }) =>
        trouble === null ? (
          anchor.inside ? (
            <Notice>
              <p className="small">{ledger.inside}</p>
            </Notice>
          ) : null
        ) : (
          <section className="card stack">
            <Notice title={ledger.title} tone="refused" role="alert">
              <p>{trouble.decision === null ? ledger.other : ledger[trouble.decision]}</p>
              <p className="small soft">
                {trouble.message} <code>{trouble.code}</code>
              </p>
            </Notice>
            {trouble.decision === null ? null : (
              <>
                <p className="soft">{ledger.twoNeeded}</p>
                {requests
                  .filter(({ state }) => state === "open")
                  .map((request) => (
                    <OneRequest key={request.id} request={request} onChanged={changed} />
                  ))}
                <RequestForm onMade={loaded.reload} />
              </>
            )}
          </section>
        )
      }
    </Loaded>
  )
}

function OneRequest({ request, onChanged }: { readonly request: Request; readonly onChanged: () => void }) {
  const { ledger, studies } = useStrings()
  const { id, share, requestedBy } = request
  const decide = async (decided: Decided<"agree" | "refuse">): Promise<void> => {
    const { state } = await call("decideLedger", { params: { id: `${id}` }, body: decided })
    tell(state === "granted" ? ledger.entered : studies.saved)
    onChanged()
  }
  return (
    <DecidedRequest request={request} onDecide={decide}>
      <b>{ledger.wanted(requestedBy, share === "" ? ledger.all : share)}</b>
    </DecidedRequest>
  )
}

function RequestForm({ onMade }: { readonly onMade: () => void }) {
  const { ledger, budget } = useStrings()
  const [share, setShare] = useState("")
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const stated = share.trim() === "" ? {} : { share: share.trim() }
      await call("requestLedgerDecision", { body: { reasons, ...stated } })
      setShare("")
      setReasons("")
      tell(ledger.asked)
      onMade()
    })
  }
  return (
    <form className="form" onSubmit={send}>
      <Field label={ledger.share} help={ledger.shareHelp} value={share} onChange={setShare} />
      <Field label={budget.raiseWhy} value={reasons} onChange={setReasons} isRequired />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" isDisabled={isBusy}>
          {ledger.ask}
        </Button>
      </div>
    </form>
  )
}
