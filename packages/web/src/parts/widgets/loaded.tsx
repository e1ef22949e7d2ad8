// What was loaded, or why it was not.

import type { ReactNode } from "react"
import type { Loading as LoadingState } from "../../api/use-load.ts"
import { Loading, TroubleNotice } from "./notice.tsx"

interface LoadedProps<Value> {
  readonly of: LoadingState<Value>
  readonly children: (value: Value) => ReactNode
}

/** Shows the value once it is loaded, and until then that it is loading or what went wrong. */
export function Loaded<Value>({ of: { load, reload }, children }: LoadedProps<Value>) {
  switch (load.kind) {
    case "loading":
      return <Loading />
    case "trouble":
      return <TroubleNotice trouble={load.trouble} onRetry={reload} />
    case "ready":
      return <>{children(load.value)}</>
    default:
      return load satisfies never
  }
}
