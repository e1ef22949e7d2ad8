// One's own tokens: made for a program, shown once, revoked at any time.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { ManagedTable } from "./managed-table.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { ShownOnce } from "./shown-once.tsx"
import { SureDialog } from "./sure-dialog.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

type Token = Reply<"listTokens">["items"][number]
type NewToken = Reply<"addToken">

/** The list, and the form for another. */
export function MyTokens() {
  const { account } = useStrings()
  const loaded = useLoad(useCallback(() => call("listTokens"), []))
  const [made, setMade] = useState<NewToken>()
  const keep = (token: NewToken): void => {
    setMade(token)
    loaded.reload()
  }
  return (
    <section className="card stack">
      <h2>{account.tokens}</h2>
      <p className="soft">{account.tokensHelp}</p>
      {made === undefined ? null : (
        <ShownOnce
          title={account.shown(made.name)}
          secret={made.secret}
          help={account.shownHelp}
          testId="token"
          onClose={() => setMade(undefined)}
        />
      )}
      <TokenForm onMade={keep} />
      <Loaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{account.none}</p>
          ) : (
            <TokenList tokens={items} onChanged={loaded.reload} />
          )
        }
      </Loaded>
    </section>
  )
}

function TokenForm({ onMade }: { readonly onMade: (token: NewToken) => void }) {
  const { account } = useStrings()
  const [name, setName] = useState("")
  const [days, setDays] = useState("90")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const made = await call("addToken", { body: { name: name.trim(), days: Number(days) } })
      setName("")
      onMade(made)
    })
  }
  return (
    <form className="stack" onSubmit={send}>
      <div className="form-grid" style={{ alignItems: "start" }}>
        <Field
          label={account.name}
          help={account.nameHelp}
          value={name}
          onChange={setName}
          autoComplete="off"
          isRequired
        />
        <Field label={account.days} inputMode="numeric" value={days} onChange={setDays} isRequired />
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {account.add}
        </Button>
      </div>
    </form>
  )
}

interface ListProps {
  readonly tokens: readonly Token[]
  readonly onChanged: () => void
}

function TokenList({ tokens, onChanged }: ListProps) {
  const { account } = useStrings()
  const [leaving, setLeaving] = useState<Token>()
  const { isBusy, trouble, run } = useDoing()
  const revoke = ({ id }: Token): void =>
    run(async () => {
      await call("revokeToken", { params: { id } })
      setLeaving(undefined)
      onChanged()
    })
  return (
    <>
      <ManagedTable
        label={account.tokens}
        heads={[account.name, account.made, account.expires, account.lastUsed]}
      >
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setLeaving(token)} />
        ))}
      </ManagedTable>
      <SureDialog
        title={account.revoke}
        text={account.revokeSure(leaving?.name ?? "")}
        isOpen={leaving !== undefined}
        isBusy={isBusy}
        trouble={trouble}
        onYes={() => leaving !== undefined && revoke(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </>
  )
}

function TokenRow({ token, onRevoke }: { readonly token: Token; readonly onRevoke: () => void }) {
  const { account } = useStrings()
  const locale = useLocale()
  const { name, createdAt, expiresAt, lastUsed, revokedAt } = token
  const dayOf = (time: string): string => new Date(time).toLocaleDateString(locale)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="figure">{dayOf(createdAt)}</td>
      <td className="figure">{dayOf(expiresAt)}</td>
      <td className="figure">{lastUsed === null ? account.never : dayOf(lastUsed)}</td>
      <td>
        {revokedAt === null ? (
          <Button size="small" variant="danger" label={`${account.revoke} ${name}`} onPress={onRevoke}>
            {account.revoke}
          </Button>
        ) : (
          <Tag tone="refused">{account.revoked}</Tag>
        )}
      </td>
    </tr>
  )
}
