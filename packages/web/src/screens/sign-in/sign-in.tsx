// Signing in, and the first account of a new server.

import { useCallback, useState, type FormEvent, type ReactNode } from "react"
import { call } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Mark } from "../../parts/widgets/brand.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { Notice, TroubleNotice } from "../../parts/widgets/notice.tsx"
import type { Me } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"

interface SignInProps {
  readonly onSignedIn: (me: Me) => void
  /** Whether the server has ended the session, and not the person. */
  readonly ended: boolean
  /** The switches of language and colours. */
  readonly children: ReactNode
}

/** The screen for people who are not signed in. */
export function SignInPage({ onSignedIn, ended, children }: SignInProps) {
  const { app, trouble } = useStrings()
  const methods = useLoad(useCallback(() => call("signInMethods", {}), []))
  return (
    <main className="door" tabIndex={-1}>
      <div className="door-card">
        <div>
          <p className="brand">
            <Mark /> {app.name}
          </p>
          <p className="soft" style={{ textAlign: "center" }}>
            {app.idea}
          </p>
        </div>
        {ended ? <Notice role="status">{trouble.signedOut}</Notice> : null}
        <Loaded of={methods}>
          {({ setUp, password, openId, place }) =>
            setUp ? (
              <SetUpForm onSignedIn={onSignedIn} />
            ) : (
              <SignInForm
                onSignedIn={onSignedIn}
                hasPassword={password}
                hasOpenId={openId}
                hasPublicPage={place !== "coordinator"}
              />
            )
          }
        </Loaded>
        <div className="row" style={{ justifyContent: "center" }}>
          {children}
        </div>
      </div>
    </main>
  )
}

interface SignInFormProps {
  readonly onSignedIn: (me: Me) => void
  readonly hasPassword: boolean
  readonly hasOpenId: boolean
  readonly hasPublicPage: boolean
}

function SignInForm({ onSignedIn, hasPassword, hasOpenId, hasPublicPage }: SignInFormProps) {
  const { signIn } = useStrings()
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => onSignedIn(await call("signIn", { body: { name, password } })))
  }
  return (
    <div className="card stack">
      <h1>{signIn.title}</h1>
      {hasPassword ? (
        <form className="form" onSubmit={send}>
          <Field
            label={signIn.name}
            value={name}
            onChange={setName}
            autoComplete="username"
            name="name"
            isRequired
            autoFocus
          />
          <Field
            label={signIn.password}
            value={password}
            onChange={setPassword}
            type="password"
            autoComplete="current-password"
            name="password"
            isRequired
          />
          {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {signIn.go}
          </Button>
        </form>
      ) : null}
      {hasPassword && hasOpenId ? <p className="soft small">{signIn.or}</p> : null}
      {hasOpenId ? (
        <a className="button" href="/sign-in/openid">
          {signIn.openId}
        </a>
      ) : null}
      <p className="soft small">
        {signIn.help} {hasPublicPage ? <a href="/transparency">{signIn.publicPage}</a> : null}
      </p>
    </div>
  )
}

function SetUpForm({ onSignedIn }: { readonly onSignedIn: (me: Me) => void }) {
  const { setUp } = useStrings()
  const [code, setCode] = useState("")
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () =>
      onSignedIn(await call("setUp", { body: { code: code.trim(), name: name.trim(), password } })),
    )
  }
  return (
    <form className="card form" onSubmit={send}>
      <h1>{setUp.title}</h1>
      <p>{setUp.body}</p>
      <Field
        label={setUp.code}
        value={code}
        onChange={setCode}
        isCode
        isRequired
        autoFocus
        autoComplete="one-time-code"
      />
      <Field
        label={setUp.name}
        value={name}
        onChange={setName}
        help={setUp.nameHelp}
        isRequired
        autoComplete="username"
      />
      <Field
        label={setUp.password}
        value={password}
        onChange={setPassword}
        help={setUp.passwordHelp}
        type="password"
        isRequired
        autoComplete="new-password"
      />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <Button type="submit" variant="primary" isDisabled={isBusy}>
        {setUp.go}
      </Button>
    </form>
  )
}
