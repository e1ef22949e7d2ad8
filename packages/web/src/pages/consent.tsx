// What a participant sees: which studies may use the data, what dose that is, and the switches by purpose.

import { PageHead } from "../components/page-head.tsx"
import { useStrings } from "../strings/use-strings.ts"

/** The screen. */
export function ConsentPage() {
  const { consent } = useStrings()
  return <PageHead title={consent.title} lead={consent.lead} />
}
