// A secret that is shown once: to be copied, and put away.

import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { CopyButton } from "../../parts/widgets/copy-button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"

interface ShownOnceProps {
  readonly title: string
  readonly secret: string
  readonly help: string
  /** How tests find the secret. */
  readonly testId: string
  readonly onClose: () => void
}

/** The secret, until it is dismissed. */
export function ShownOnce({ title, secret, help, testId, onClose }: ShownOnceProps) {
  const { app } = useStrings()
  return (
    <Notice tone="good" role="status" title={title}>
      <p className="row">
        <code className="figure" style={{ overflowWrap: "anywhere" }} data-testid={testId}>
          {secret}
        </code>
        <CopyButton text={secret}>{app.copy}</CopyButton>
        <Button size="small" variant="quiet" onPress={onClose}>
          {app.dismiss}
        </Button>
      </p>
      <p className="small">{help}</p>
    </Notice>
  )
}
