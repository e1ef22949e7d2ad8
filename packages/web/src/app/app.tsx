// The pages: somebody signs in, then the screens that they may see.

import { useCallback, useEffect, useState } from "react"
import { call, onSignedOut } from "../api/server.ts"
import { ServerTrouble, troubleOf, type Trouble } from "../api/trouble.ts"
import { Loading, TroubleNotice } from "../parts/widgets/notice.tsx"
import { RouterProvider } from "../parts/browser/router.tsx"
import { SessionProvider, type Me } from "../parts/browser/session.tsx"
import { SignInPage } from "../screens/sign-in/sign-in.tsx"
import { SettingsProvider, SettingsSwitches, useSettings } from "./settings.tsx"
import { Shell } from "./shell.tsx"

type Who =
  | { readonly kind: "asking" }
  | { readonly kind: "nobody"; readonly ended: boolean }
  | { readonly kind: "somebody"; readonly me: Me }
  | { readonly kind: "trouble"; readonly trouble: Trouble }

/** The whole application. */
export function App() {
  const settings = useSettings()
  const [who, setWho] = useState<Who>({ kind: "asking" })
  const find = useCallback(() => {
    setWho({ kind: "asking" })
    call("whoAmI").then(
      (me) => setWho({ kind: "somebody", me }),
      (error: unknown) =>
        setWho(
          error instanceof ServerTrouble && error.status === 401
            ? { kind: "nobody", ended: false }
            : { kind: "trouble", trouble: troubleOf(error) },
        ),
    )
  }, [])
  useEffect(find, [find])
  useEffect(
    () =>
      onSignedOut(() =>
        setWho((before) => (before.kind === "somebody" ? { kind: "nobody", ended: true } : before)),
      ),
    [],
  )
  return (
    <SettingsProvider settings={settings}>
      <RouterProvider>
        {who.kind === "asking" ? <Loading /> : null}
        {who.kind === "trouble" ? (
          <main>
            <TroubleNotice trouble={who.trouble} onRetry={find} />
          </main>
        ) : null}
        {who.kind === "nobody" ? (
          <SignInPage ended={who.ended} onSignedIn={(me) => setWho({ kind: "somebody", me })}>
            <SettingsSwitches settings={settings} />
          </SignInPage>
        ) : null}
        {who.kind === "somebody" ? (
          <SessionProvider
            key={who.me.name}
            me={who.me}
            onSignOut={() => setWho({ kind: "nobody", ended: false })}
          >
            <Shell settings={settings} />
          </SessionProvider>
        ) : null}
      </RouterProvider>
    </SettingsProvider>
  )
}
