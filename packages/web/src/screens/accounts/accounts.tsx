// Accounts: who comes in and as what. A password that is made up is shown once.

import { useCallback, useState, type ReactNode } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { ManagedTable } from "./managed-table.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { ShownOnce } from "./shown-once.tsx"
import { SureDialog } from "./sure-dialog.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { AddAccount, type NewSecret } from "./add-account.tsx"
import { LinkDialog } from "./link-dialog.tsx"

type Person = Reply<"listAccounts">["items"][number]

/** The screen. */
export function AccountsPage() {
  const { accounts } = useStrings()
  const loaded = useLoad(useCallback(() => call("listAccounts"), []))
  const [secret, setSecret] = useState<NewSecret>()
  const made = (next: NewSecret): void => {
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
        <AddAccount onMade={made} />
        <Loaded of={loaded}>
          {({ items }) => <People people={items} onSecret={made} onChanged={loaded.reload} />}
        </Loaded>
      </div>
    </>
  )
}

interface PeopleProps {
  readonly people: readonly Person[]
  readonly onSecret: (secret: NewSecret) => void
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
      {trouble === undefined || leaving !== undefined ? null : <TroubleNotice trouble={trouble} />}
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
        trouble={trouble}
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
