// Asks once more before something that cannot be undone.

import type { Trouble } from "../../api/trouble.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"

interface SureDialogProps {
  /** What will be done, as its button says it. */
  readonly title: string
  readonly text: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  /** The trouble of the action that was confirmed. */
  readonly trouble: Trouble | undefined
  readonly onYes: () => void
  readonly onClose: () => void
}

/** The dialog, with buttons to confirm and to cancel. */
export function SureDialog({ title, text, isOpen, isBusy, trouble, onYes, onClose }: SureDialogProps) {
  const { app } = useStrings()
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="row row-end">
        <Button onPress={onClose}>{app.cancel}</Button>
        <Button variant="danger" isDisabled={isBusy} onPress={onYes}>
          {title}
        </Button>
      </div>
    </Dialog>
  )
}
