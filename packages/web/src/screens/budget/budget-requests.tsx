// Requests for more budget for a study or an analyst, which two people must agree to.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import type { Decided } from "../../parts/widgets/decision-form.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import type { Account } from "../../parts/browser/session.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { DecidedRequest } from "./decided-request.tsx"

type Request = Reply<"listBudgetRequests">["items"][number]

interface BudgetRequestsProps {
  /** The accounts for which more can be requested. */
  readonly accounts: readonly Account[]
  readonly onGranted: () => void
}

/** The requests, and the form for a new one. */
export function BudgetRequests({ accounts, onGranted }: BudgetRequestsProps) {
  const { budget } = useStrings()
  const loaded = useLoad(useCallback(async () => (await call("listBudgetRequests")).items, []))
  const changed = (): void => {
    loaded.reload()
    onGranted()
  }
  if (accounts.length === 0) return null
  return (
    <section className="card stack">
      <div>
        <h2>{budget.requests}</h2>
        <p className="soft">{budget.twoNeeded}</p>
      </div>
      <Loaded of={loaded}>
        {(items) =>
          items.length === 0 ? (
            <p className="soft">{budget.noRequests}</p>
          ) : (
            <ul className="plain stack">
              {items.map((request) => (
                <li key={request.id}>
                  <OneRequest request={request} onChanged={changed} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <RequestForm accounts={accounts} onMade={loaded.reload} />
    </section>
  )
}

/** "study heart" for study:heart. */
function useAccountText(): (account: string) => string {
  const { budget } = useStrings()
  return (account) => {
    const [kind, name = ""] = account.split(":")
    return kind === "study" || kind === "analyst" ? budget.accountNames[kind](name) : account
  }
}

function OneRequest({ request, onChanged }: { readonly request: Request; readonly onChanged: () => void }) {
  const { budget, studies } = useStrings()
  const textOf = useAccountText()
  const { id, account, epsilon, requestedBy } = request
  const decide = async (decided: Decided<"agree" | "refuse">): Promise<void> => {
    await call("decideBudget", { params: { id: `${id}` }, body: decided })
    tell(studies.saved)
    onChanged()
  }
  return (
    <DecidedRequest request={request} onDecide={decide}>
      <b>{textOf(account)}</b>: {budget.requestBy(requestedBy, epsilon)}
    </DecidedRequest>
  )
}

function RequestForm({
  accounts,
  onMade,
}: {
  readonly accounts: readonly Account[]
  readonly onMade: () => void
}) {
  const { budget } = useStrings()
  const textOf = useAccountText()
  const [name, setName] = useState(accounts[0]?.name)
  const [epsilon, setEpsilon] = useState("")
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const account = accounts.find((one) => one.name === name)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (account === undefined) return
    run(async () => {
      const body = { account: account.name, epsilon, delta: account.delta, reasons }
      const { agreements } = await call("requestBudget", { body })
      setEpsilon("")
      setReasons("")
      // A request of somebody who may decide counts as the first agreement.
      tell(agreements.length === 0 ? budget.raiseDoneByOthers : budget.raiseDone)
      onMade()
    })
  }
  return (
    <details>
      <summary>{budget.raise}</summary>
      <form className="form" onSubmit={send}>
        <div className="form-grid">
          <Choice
            label={budget.share}
            value={name}
            onChange={setName}
            options={accounts.map((one) => ({ id: one.name, text: textOf(one.name) }))}
          />
          <Field
            label={budget.raiseAmount}
            value={epsilon}
            onChange={setEpsilon}
            inputMode="decimal"
            isRequired
          />
        </div>
        <Field label={budget.raiseWhy} value={reasons} onChange={setReasons} isRequired />
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div>
          <Button type="submit" isDisabled={isBusy}>
            {budget.raise}
          </Button>
        </div>
      </form>
    </details>
  )
}
