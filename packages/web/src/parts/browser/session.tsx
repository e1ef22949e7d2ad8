// Who is signed in, what they may do, and the dataset that the server holds.

import { createContext, use, useCallback, useMemo, type ReactNode } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useLoad, type Load } from "../../api/use-load.ts"

/** Who is signed in. */
export type Me = Reply<"whoAmI">

/** What the owner declared about the data. */
export type Dataset = Reply<"getDataset">

/** An account of the ledger. */
export type Account = Reply<"getBudget">["accounts"][number]

/** Something that can be done. */
export type Right = Me["rights"][number]

interface Session {
  readonly me: Me
  readonly can: (right: Right) => boolean
  /** Undefined for people without the right to see it. */
  readonly dataset: Load<Dataset | undefined>
  readonly accounts: Load<readonly Account[]>
  readonly refreshBudget: () => void
  readonly signOut: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

interface SessionProviderProps {
  readonly me: Me
  readonly onSignOut: () => void
  readonly children: ReactNode
}

/** Provides the session to all components below. */
export function SessionProvider({ me, onSignOut, children }: SessionProviderProps) {
  const can = useCallback((right: Right) => me.rights.includes(right), [me])
  const { load: dataset } = useLoad(useCallback(() => loadDataset(can), [can]))
  const budget = useLoad(useCallback(() => loadAccounts(can), [can]))
  const session = useMemo(
    (): Session => ({
      me,
      can,
      dataset,
      accounts: budget.load,
      refreshBudget: budget.reload,
      signOut: () => {
        // The page leaves the session even if the request fails.
        call("signOut", {}).then(onSignOut, onSignOut)
      },
    }),
    [me, can, dataset, budget.load, budget.reload, onSignOut],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The session; only screens behind the sign-in use it. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error("a screen stands inside a SessionProvider")
  return session
}

async function loadDataset(can: (right: Right) => boolean): Promise<Dataset | undefined> {
  if (!can("see-catalog")) return undefined
  const { items } = await call("listDatasets", {})
  const [first] = items
  return first === undefined ? undefined : call("getDataset", { params: { dataset: first.name } })
}

async function loadAccounts(can: (right: Right) => boolean): Promise<readonly Account[]> {
  if (!can("see-budget")) return []
  return (await call("getBudget", {})).accounts
}
