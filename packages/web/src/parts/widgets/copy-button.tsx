// Puts a text on the clipboard, and says so.

import { useDoing } from "../../api/use-load.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "./button.tsx"
import { tell } from "./toasts.tsx"

interface CopyButtonProps {
  readonly text: string
  readonly children: string
}

/** A button that copies. Without TLS browsers have no clipboard: there is no button then, only the text. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const { app } = useStrings()
  const { isBusy, run } = useDoing()
  const copy = (): void =>
    run(async () => {
      await navigator.clipboard.writeText(text)
      tell(app.copied)
    })
  if (!isSecureContext) return null
  return (
    <Button size="small" isDisabled={isBusy} onPress={copy}>
      {children}
    </Button>
  )
}
