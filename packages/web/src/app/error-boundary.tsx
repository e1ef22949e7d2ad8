// Catches errors of drawing: the screen shows the error, and the frame around it keeps working.

import { Component, type ReactNode } from "react"
import { troubleOf } from "../api/trouble.ts"
import { TroubleNotice } from "../parts/widgets/notice.tsx"

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
}

/** Shows the error in place of the screen that could not be drawn. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <TroubleNotice trouble={troubleOf(error)} onRetry={() => this.setState({ error: undefined })} />
  }
}
