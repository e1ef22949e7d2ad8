// The question whose data a participant's account is about.

import { useState, type FormEvent } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { useStrings } from "../../strings/use-strings.ts"

interface LinkDialogProps {
  readonly name: string
  readonly onLinked: () => void
  readonly onClose: () => void
}

/** Says whose data a participant's account is about. */
export function LinkDialog({ name, onLinked, onClose }: LinkDialogProps) {
  const { accounts, app } = useStrings()
  const [participant, setParticipant] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      await call("linkAccount", { params: { name }, body: { participant: participant.trim() } })
      tell(accounts.linkDone(name))
      onLinked()
      onClose()
    })
  }
  return (
    <Dialog title={accounts.linkTitle(name)} isOpen onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Field
          label={accounts.participant}
          help={accounts.participantHelp}
          value={participant}
          onChange={setParticipant}
          autoComplete="off"
          isRequired
          autoFocus
        />
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div className="row row-end">
          <Button onPress={onClose}>{app.cancel}</Button>
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {accounts.link}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
