// The frame around every screen: the mark, the menu, the dose of the whole dataset, and who is signed in.

import { useEffect, useState } from "react"
import { Button, Dialog, Modal, ModalOverlay } from "react-aria-components"
import { Mark } from "../parts/widgets/brand.tsx"
import { Button as PlainButton } from "../parts/widgets/button.tsx"
import { DoseMeter } from "../parts/figures/dose-meter.tsx"
import { ErrorBoundary } from "./error-boundary.tsx"
import { Empty } from "../parts/widgets/notice.tsx"
import { Link, useRouter } from "../parts/browser/router.tsx"
import { useSession } from "../parts/browser/session.tsx"
import { Toasts } from "../parts/widgets/toasts.tsx"
import { useStrings } from "../strings/use-strings.ts"
import { screenAt, screensFor, type Screen } from "./screens.ts"
import { SettingsSwitches, type Settings } from "./settings.tsx"

/** The frame. */
export function Shell({ settings }: { readonly settings: Settings }) {
  const { app } = useStrings()
  const { can, me, refreshBudget } = useSession()
  const { path } = useRouter()
  // Other people spend the budget too, so it is loaded again whenever another screen opens.
  useEffect(refreshBudget, [path, refreshBudget])
  const shown = screensFor(can, me.place)
  const screen = screenAt(shown, path)
  return (
    <>
      <a className="skip-link" href="#content">
        {app.skip}
      </a>
      <div className="shell">
        <Side shown={shown} current={screen} settings={settings} />
        <main id="content" tabIndex={-1}>
          {screen === undefined ? (
            <Empty title={app.notFound} help={app.notFoundHelp} />
          ) : (
            <ErrorBoundary key={screen.path}>
              <screen.Page />
            </ErrorBoundary>
          )}
        </main>
      </div>
      <Toasts />
    </>
  )
}

interface SideProps {
  readonly shown: readonly Screen[]
  readonly current: Screen | undefined
  readonly settings: Settings
}

function Side({ shown, current, settings }: SideProps) {
  const { app } = useStrings()
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="side">
      <Link to="/" className="brand">
        <Mark /> {app.name}
      </Link>
      <Button className="button menu-button" onPress={() => setOpen(true)}>
        {app.menu}
      </Button>
      <nav aria-label={app.mainMenu}>
        <NavList shown={shown} current={current} />
      </nav>
      <div className="side-foot">
        <Foot settings={settings} />
      </div>
      <ModalOverlay className="modal-cover" isOpen={isOpen} isDismissable onOpenChange={setOpen}>
        <Modal className="drawer">
          <Dialog aria-label={app.mainMenu} className="stack">
            <div className="row row-end">
              <PlainButton slot="close" size="small">
                {app.close}
              </PlainButton>
            </div>
            <NavList shown={shown} current={current} onFollow={() => setOpen(false)} />
            <Foot settings={settings} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </header>
  )
}

interface NavListProps {
  readonly shown: readonly Screen[]
  readonly current: Screen | undefined
  readonly onFollow?: () => void
}

function NavList({ shown, current, onFollow }: NavListProps) {
  const { nav } = useStrings()
  return (
    <ul className="nav-list plain">
      {shown.map(({ path, name }) => (
        <li key={path}>
          <Link
            to={path}
            isCurrent={path === current?.path}
            {...(onFollow === undefined ? {} : { onFollow })}
          >
            {nav[name]}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Foot({ settings }: { readonly settings: Settings }) {
  const { app, roles, meter } = useStrings()
  const { me, signOut, accounts, dataset } = useSession()
  const whole = accounts.kind === "ready" ? accounts.value.find(({ name }) => name === "dataset") : undefined
  const title = dataset.kind === "ready" ? dataset.value?.name : undefined
  return (
    <div className="stack">
      {whole === undefined ? null : <DoseMeter size="small" label={title ?? meter.dose} used={whole.used} />}
      <div className="side-settings">
        <div className="who">
          <p>
            <b>{me.name}</b> <span className="soft small">{roles[me.role]}</span>
          </p>
          <PlainButton size="small" onPress={signOut}>
            {app.signOut}
          </PlainButton>
        </div>
        <SettingsSwitches settings={settings} />
        <p className="small">
          {me.place === "coordinator" ? null : (
            <>
              <a href="/transparency">{app.transparency}</a> ·{" "}
            </>
          )}
          <a href="/api">{app.apiDocs}</a>
        </p>
      </div>
    </div>
  )
}
