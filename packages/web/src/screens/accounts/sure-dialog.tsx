// Asks once more before something that cannot be undone.

import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Dialog } from "../../parts/widgets/dialog.tsx"

interface SureDialogProps {
  /** What will be done, as its button says it. */
  readonly title: string
  readonly text: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onYes: () => void
  readonly onClose: () => void
}

/** The question, with a way out. */
export function SureDialog({ title, text, isOpen, isBusy, onYes, onClose }: SureDialogProps) {
  const { app } = useStrings()
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      <div className="row row-end">
        <Button onPress={onClose}>{app.cancel}</Button>
        <Button variant="danger" isDisabled={isBusy} onPress={onYes}>
          {title}
        </Button>
      </div>
    </Dialog>
  )
}
