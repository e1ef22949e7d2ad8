// The actions that the owner can take on a campaign in its present state.

import { useState } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import type { Campaign } from "./campaign-state.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"

interface CampaignMovesProps {
  readonly campaign: Campaign
  readonly onChanged: () => void
}

type Move = "publishCampaign" | "pauseCampaign" | "closeCampaign"

/** Buttons for the actions that the state allows; the server checks them again. */
export function CampaignMoves({ campaign: { id, state }, onChanged }: CampaignMovesProps) {
  const { campaigns, app } = useStrings()
  const { can } = useSession()
  const [isClosing, setClosing] = useState(false)
  const { isBusy, trouble, run } = useDoing()
  if (!can("activate-studies") || state === "closed") return null
  const make = (move: Move): void =>
    run(async () => {
      await call(move, { params: { id } })
      setClosing(false)
      onChanged()
    })
  const { publish, pause, close, resume } = campaigns.moves
  return (
    <>
      <div className="row">
        {state === "open" ? (
          <Button isDisabled={isBusy} onPress={() => make("pauseCampaign")}>
            {pause}
          </Button>
        ) : (
          <Button variant="primary" isDisabled={isBusy} onPress={() => make("publishCampaign")}>
            {state === "draft" ? publish : resume}
          </Button>
        )}
        <Button isDisabled={isBusy} onPress={() => setClosing(true)}>
          {close}
        </Button>
      </div>
      {state === "draft" ? <p className="small soft">{campaigns.publishHelp}</p> : null}
      {trouble === undefined || isClosing ? null : <TroubleNotice trouble={trouble} />}
      <Dialog title={close} isOpen={isClosing} onClose={() => setClosing(false)}>
        <p>{campaigns.closeSure}</p>
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div className="row row-end">
          <Button onPress={() => setClosing(false)}>{app.cancel}</Button>
          <Button variant="danger" isDisabled={isBusy} onPress={() => make("closeCampaign")}>
            {close}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
