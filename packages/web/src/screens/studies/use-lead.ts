// What a study is, in one line: with the rule that nothing is asked outside of one, where the dataset has it.

import { useSession } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"

/** The line under the titles of the screens about studies. */
export function useLead(): string {
  const { studies } = useStrings()
  const { dataset } = useSession()
  const isRule = dataset.kind === "ready" && dataset.value?.studies === true
  return isRule ? `${studies.lead} ${studies.onlyInside}` : studies.lead
}
