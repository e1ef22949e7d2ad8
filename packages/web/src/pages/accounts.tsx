// Accounts: who comes in and as what. A password that is made up is shown once.

import { useCallback, useState, type FormEvent, type ReactNode } from "react"
import { call, type Reply } from "../api/server.ts"
import { useDoing, useLoad } from "../api/use-load.ts"
import { Button } from "../components/button.tsx"
import { Choice } from "../components/choice.tsx"
import { Field } from "../components/field.tsx"
import { Loaded } from "../components/loaded.tsx"
import { ManagedTable } from "../components/managed-table.tsx"
import { TroubleNotice } from "../components/notice.tsx"
import { PageHead } from "../components/page-head.tsx"
import { useSession } from "../components/session.tsx"
import { ShownOnce } from "../components/shown-once.tsx"
import { SureDialog } from "../components/sure-dialog.tsx"
import { Tag } from "../components/tag.tsx"
import { useLocale, useStrings } from "../strings/use-strings.ts"
import { LinkDialog } from "./link-dialog.tsx"

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
        {secret === undefined ? null : (
          <ShownOnce
            title={`${secret.name}: ${accounts.password}`}
            secret={secret.password}
            help={accounts.passwordHelp}
            testId="password"
            onClose={() => setSecret(undefined)}
          />
        )}
        <AddForm onMade={made} />
        <Loaded of={loaded}>
          {({ items }) => <People people={items} onSecret={made} onChanged={loaded.reload} />}
        </Loaded>
      </div>
    </>
  )
}

function AddForm({ onMade }: { readonly onMade: (secret: Secret) => void }) {
  const { accounts, roles, app } = useStrings()
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("analyst")
  const [participant, setParticipant] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const names: readonly Role[] = ["analyst", "committee", "owner", "participant", "auditor"]
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const id = role === "participant" ? participant.trim() : ""
      const whose = id === "" ? {} : { participant: id }
      const made = await call("addAccount", { body: { name: name.trim(), role, ...whose } })
      setName("")
      setParticipant("")
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
        {role === "participant" ? (
          <Field
            label={`${accounts.participant} (${app.optional})`}
            help={accounts.participantHelp}
            value={participant}
            onChange={setParticipant}
            autoComplete="off"
          />
        ) : null}
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
  const { accounts } = useStrings()
  const [leaving, setLeaving] = useState<string>()
  const [linking, setLinking] = useState<string>()
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
      <ManagedTable label={accounts.title} heads={[accounts.name, accounts.role, accounts.since]}>
        {people.map((person) => (
          <PersonRow key={person.name} person={person}>
            {person.linked === null ? null : (
              <Button size="small" onPress={() => setLinking(person.name)}>
                {person.linked ? accounts.linkAnew : accounts.link}
              </Button>
            )}
            <Button size="small" isDisabled={isBusy} onPress={() => reset(person.name)}>
              {accounts.reset}
            </Button>
            <Button size="small" variant="danger" onPress={() => setLeaving(person.name)}>
              {accounts.disable}
            </Button>
          </PersonRow>
        ))}
      </ManagedTable>
      <SureDialog
        title={accounts.disable}
        text={accounts.disableSure(leaving ?? "")}
        isOpen={leaving !== undefined}
        isBusy={isBusy}
        onYes={() => leaving !== undefined && disable(leaving)}
        onClose={() => setLeaving(undefined)}
      />
      {linking === undefined ? null : (
        <LinkDialog name={linking} onLinked={onChanged} onClose={() => setLinking(undefined)} />
      )}
    </>
  )
}

interface PersonRowProps {
  readonly person: Person
  /** What can be done with the account. */
  readonly children: ReactNode
}

function PersonRow({ person: { name, role, createdAt, disabledAt, linked }, children }: PersonRowProps) {
  const { accounts, roles } = useStrings()
  const locale = useLocale()
  const { me } = useSession()
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {roles[role]} {disabledAt === null ? null : <Tag tone="refused">{accounts.disabled}</Tag>}
        {linked === false && disabledAt === null ? <Tag tone="now">{accounts.notLinked}</Tag> : null}
      </td>
      <td className="figure">{new Date(createdAt).toLocaleDateString(locale)}</td>
      <td>
        {name === me.name || disabledAt !== null ? null : <div className="row row-end">{children}</div>}
      </td>
    </tr>
  )
}
