// Where a job stands, in one word and a colour.

import type { Reply } from "../../api/server.ts"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useStrings } from "../../strings/use-strings.ts"

/** A job as the server sends it. */
export type Job = Reply<"getJob">

const tones = { offered: "now", summing: "accent", answered: "good", failed: "refused" } as const

/** A tag. */
export function JobStateTag({ job: { phase, rounds } }: { readonly job: Pick<Job, "phase" | "rounds"> }) {
  const { jobs } = useStrings()
  const { done, all } = rounds
  const text = phase === "summing" && all > 1 ? jobs.sumOf(done + 1, all) : jobs.phases[phase]
  return <Tag tone={tones[phase]}>{text}</Tag>
}

/** What comes back, in words: the sum, each site, or a kind of regression. */
export function useWanted({ mode, model }: Pick<Job, "mode" | "model">): string {
  const { jobs } = useStrings()
  return model === null ? jobs.modes[mode] : `${jobs.kinds[model.kind]}: ${model.target}`
}
