// Where a job stands, in one word and a colour.

import type { Reply } from "../../api/server.ts"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useStrings } from "../../strings/use-strings.ts"

/** A job as the server sends it. */
export type Job = Reply<"getJob">

const tones = { offered: "now", summing: "accent", answered: "good", failed: "refused" } as const

/** A tag. */
export function JobStateTag({ job: { phase } }: { readonly job: Pick<Job, "phase"> }) {
  const { jobs } = useStrings()
  return <Tag tone={tones[phase]}>{jobs.phases[phase]}</Tag>
}
