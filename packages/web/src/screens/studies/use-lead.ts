// The line that says what a study is. Where the dataset demands a study for every question, it says that too.

import { useSession } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"

/** The line under the titles of the screens about studies. */
export function useLead(): string {
  const { studies } = useStrings()
  const { dataset } = useSession()
  const isRule = dataset.kind === "ready" && dataset.value?.studies === true
  return isRule ? `${studies.lead} ${studies.onlyInside}` : studies.lead
}
