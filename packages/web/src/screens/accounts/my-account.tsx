// One's own account: another password, and tokens for programs.

import { useState, type FormEvent } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { MyTokens } from "./my-tokens.tsx"

/** The screen. */
export function MyAccountPage() {
  const { account } = useStrings()
  return (
    <>
      <PageHead title={account.title} lead={account.lead} />
      <div className="stack">
        <MyTokens />
        <PasswordForm />
      </div>
    </>
  )
}

const noPasswords = { old: "", new: "", again: "" }

function PasswordForm() {
  const { account } = useStrings()
  const [typed, setTyped] = useState(noPasswords)
  const { isBusy, trouble, run } = useDoing()
  const isDifferent = typed.again !== "" && typed.again !== typed.new
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.again !== typed.new) return
    run(async () => {
      await call("changePassword", { body: { old: typed.old, new: typed.new } })
      // Changing the password starts a new session; the client reads its CSRF token from this reply.
      await call("whoAmI")
      setTyped(noPasswords)
      tell(account.changed)
    })
  }
  const field = (name: keyof typeof noPasswords) => (
    <Field
      label={account[name]}
      type="password"
      autoComplete={name === "old" ? "current-password" : "new-password"}
      value={typed[name]}
      onChange={(text) => setTyped({ ...typed, [name]: text })}
      error={name === "again" && isDifferent ? account.different : undefined}
      isRequired
    />
  )
  return (
    <form className="card stack" onSubmit={send}>
      <h2>{account.password}</h2>
      <div className="form-grid">
        {field("old")}
        {field("new")}
        {field("again")}
      </div>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy || isDifferent}>
          {account.password}
        </Button>
      </div>
    </form>
  )
}
