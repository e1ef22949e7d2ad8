// Short messages that come and go, read aloud by screen readers.

import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components"
import { useStrings } from "../../strings/use-strings.ts"

const queue = new ToastQueue<string>({ maxVisibleToasts: 3 })

/** Shows a message for a while. */
export function tell(message: string): void {
  queue.add(message, { timeout: 5000 })
}

/** Where messages appear. */
export function Toasts() {
  const { app } = useStrings()
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast }) => (
        <Toast toast={toast} className="toast">
          <ToastContent>
            <Text slot="title">{toast.content}</Text>
          </ToastContent>
          <Button slot="close" className="button" data-size="small" aria-label={app.dismiss}>
            ×
          </Button>
        </Toast>
      )}
    </ToastRegion>
  )
}
