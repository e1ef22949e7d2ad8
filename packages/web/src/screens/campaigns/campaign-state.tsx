// Where a campaign stands, in one word and a colour.

import type { Reply } from "../../api/server.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { Tag } from "../../parts/widgets/tag.tsx"

/** A campaign as the server sends it. */
export type Campaign = Reply<"getCampaign">

const tones = { draft: "plain", open: "good", paused: "now", closed: "plain" } as const

/** A tag. */
export function CampaignState({ state }: Pick<Campaign, "state">) {
  const { campaigns } = useStrings()
  return <Tag tone={tones[state]}>{campaigns.states[state]}</Tag>
}
