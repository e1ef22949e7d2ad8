// Accounts: who comes in and as what. A password that is made up is shown once.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../api/server.ts"
import { useDoing, useLoad } from "../api/use-load.ts"
import { Button } from "../components/button.tsx"
import { Choice } from "../components/choice.tsx"
import { Dialog } from "../components/dialog.tsx"
import { Field } from "../components/field.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Notice, TroubleNotice } from "../components/notice.tsx"
import { PageHead } from "../components/page-head.tsx"
import { useSession } from "../components/session.tsx"
import { Tag } from "../components/tag.tsx"
import { tell } from "../components/toasts.tsx"
import { useLocale, useStrings } from "../strings/use-strings.ts"

type Person = Reply<"listAccounts">["items"][number]
type Role = Person["role"]

interface Secret {
  readonly name: string
  readonly password: string
}

/** The screen. */
export function AccountsPage() {
  const { accounts } = useStrings()
  const loaded = useLoad(useCallback(() => call("listAccounts"), []))
  const [secret, setSecret] = useState<Secret>()
  const made = (next: Secret): void => {
    setSecret(next)
    loaded.reload()
  }
  return (
    <>
      <PageHead title={accounts.title} lead={accounts.lead} />
      <div className="stack">
        {secret === undefined ? null : <Shown secret={secret} onClose={() => setSecret(undefined)} />}
        <AddForm onMade={made} />
        <Loaded of={loaded}>
          {({ items }) => <People people={items} onSecret={made} onChanged={loaded.reload} />}
        </Loaded>
      </div>
    </>
  )
}

function Shown({
  secret: { name, password },
  onClose,
}: {
  readonly secret: Secret
  readonly onClose: () => void
}) {
  const { accounts, app } = useStrings()
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(password)
    tell(app.copied)
  }
  return (
    <Notice tone="good" role="status" title={`${name}: ${accounts.password}`}>
      <p className="row">
        <code className="figure" data-testid="password">
          {password}
        </code>
        <Button size="small" onPress={() => void copy()}>
          {app.copy}
        </Button>
        <Button size="small" variant="quiet" onPress={onClose}>
          {app.dismiss}
        </Button>
      </p>
      <p className="small">{accounts.passwordHelp}</p>
    </Notice>
  )
}

function AddForm({ onMade }: { readonly onMade: (secret: Secret) => void }) {
  const { accounts, roles } = useStrings()
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("analyst")
  const { isBusy, trouble, run } = useDoing()
  const names: readonly Role[] = ["analyst", "committee", "owner", "participant", "auditor"]
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const made = await call("addAccount", { body: { name: name.trim(), role } })
      setName("")
      onMade({ name: made.name, password: made.password ?? "" })
    })
  }
  return (
    <form className="card stack" onSubmit={send}>
      <h2>{accounts.add}</h2>
      <div className="form-grid" style={{ alignItems: "start" }}>
        <Field label={accounts.name} value={name} onChange={setName} isRequired autoComplete="off" />
        <Choice
          label={accounts.role}
          value={role}
          onChange={setRole}
          options={names.map((id) => ({ id, text: `${roles[id]}: ${accounts.roleHelp[id]}` }))}
        />
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {accounts.add}
        </Button>
      </div>
    </form>
  )
}

interface PeopleProps {
  readonly people: readonly Person[]
  readonly onSecret: (secret: Secret) => void
  readonly onChanged: () => void
}

function People({ people, onSecret, onChanged }: PeopleProps) {
  const { accounts, roles, app } = useStrings()
  const locale = useLocale()
  const { me } = useSession()
  const [leaving, setLeaving] = useState<string>()
  const { isBusy, trouble, run } = useDoing()
  const reset = (name: string): void =>
    run(async () => onSecret({ name, ...(await call("resetPassword", { params: { name } })) }))
  const disable = (name: string): void =>
    run(async () => {
      await call("disableAccount", { params: { name } })
      setLeaving(undefined)
      onChanged()
    })
  return (
    <>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="scroll" tabIndex={0} role="region" aria-label={accounts.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{accounts.name}</th>
              <th scope="col">{accounts.role}</th>
              <th scope="col">{accounts.since}</th>
              <th scope="col">
                <span className="sr-only">{app.menu}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map(({ name, role, createdAt, disabledAt }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {roles[role]} {disabledAt === null ? null : <Tag tone="refused">{accounts.disabled}</Tag>}
                </td>
                <td className="figure">{new Date(createdAt).toLocaleDateString(locale)}</td>
                <td>
                  {name === me.name || disabledAt !== null ? null : (
                    <div className="row row-end">
                      <Button size="small" isDisabled={isBusy} onPress={() => reset(name)}>
                        {accounts.reset}
                      </Button>
                      <Button size="small" variant="danger" onPress={() => setLeaving(name)}>
                        {accounts.disable}
                      </Button>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Dialog title={accounts.disable} isOpen={leaving !== undefined} onClose={() => setLeaving(undefined)}>
        <p>{accounts.disableSure(leaving ?? "")}</p>
        <div className="row row-end">
          <Button onPress={() => setLeaving(undefined)}>{app.cancel}</Button>
          <Button
            variant="danger"
            isDisabled={isBusy}
            onPress={() => leaving !== undefined && disable(leaving)}
          >
            {accounts.disable}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
