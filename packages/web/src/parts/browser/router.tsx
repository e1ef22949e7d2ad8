// Which screen is shown: the path of the address, and links that change it without loading the page anew.

import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type MouseEvent,
  type ReactNode,
} from "react"

interface Router {
  /** Such as "/releases/12". */
  readonly path: string
  readonly query: URLSearchParams
  readonly go: (to: string) => void
}

const RouterContext = createContext<Router | undefined>(undefined)

/** Provides the address to all components below. */
export function RouterProvider({ children }: { readonly children: ReactNode }) {
  const [address, setAddress] = useState(() => `${location.pathname}${location.search}`)
  useEffect(() => {
    const follow = (): void => setAddress(`${location.pathname}${location.search}`)
    addEventListener("popstate", follow)
    return () => removeEventListener("popstate", follow)
  }, [])
  const go = useCallback((to: string) => {
    history.pushState(null, "", to)
    setAddress(to)
    scrollTo(0, 0)
    document.querySelector("main")?.focus()
  }, [])
  const router = useMemo(() => {
    const [path = "/", query = ""] = address.split("?")
    return { path, query: new URLSearchParams(query), go }
  }, [address, go])
  return <RouterContext value={router}>{children}</RouterContext>
}

/** The address, and how to change it. */
export function useRouter(): Router {
  const router = use(RouterContext)
  if (router === undefined) throw new Error("a screen stands inside a RouterProvider")
  return router
}

interface LinkProps {
  readonly to: string
  readonly children: ReactNode
  readonly className?: string
  readonly isCurrent?: boolean
  readonly onFollow?: () => void
}

/** A link to another screen. */
export function Link({ to, children, className, isCurrent = false, onFollow }: LinkProps) {
  const { go } = useRouter()
  const follow = (event: MouseEvent): void => {
    // Clicks that open another tab or download are left to the browser.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    event.preventDefault()
    onFollow?.()
    go(to)
  }
  return (
    <a href={to} className={className} onClick={follow} {...(isCurrent ? { "aria-current": "page" } : {})}>
      {children}
    </a>
  )
}
