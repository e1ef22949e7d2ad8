// Parts of the pages that are loaded when they are first shown. What could not be loaded is loaded again when
// somebody asks for it.

import { createElement, useCallback, type ComponentType, type ReactNode } from "react"
import { useLoad } from "../../api/use-load.ts"
import { browserPage } from "./browser-page.tsx"
import { loadOrRenew } from "./load-or-renew.ts"
import { Loading, TroubleNotice } from "../widgets/notice.tsx"

/** A part that loads its code when it is first shown; `meanwhile` is shown until then. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: () => ReactNode = () => <Loading />,
): ComponentType<Props> {
  // The loaded code is kept as long as the page is open; a failure is not kept.
  let known: ComponentType<Props> | undefined
  const find = async (): Promise<ComponentType<Props>> => {
    known ??= await loadOrRenew(load, browserPage)
    return known
  }
  return function Lazily(props: Props) {
    const { load: part, reload } = useLoad(useCallback(find, []))
    const found = known ?? (part.kind === "ready" ? part.value : undefined)
    if (found !== undefined) return createElement(found, props)
    return part.kind === "trouble" ? <TroubleNotice trouble={part.trouble} onRetry={reload} /> : meanwhile()
  }
}
