// What logs and metrics are told of a request.

/** What was answered, for logs and metrics: names and numbers, never what was asked. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** The pattern, not the path: a path may hold names. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly account: string | undefined
  /** Of an error. */
  readonly code: string | undefined
  /** Of an error that should be impossible: where it came from. Its message could hold a value. */
  readonly frames: string | undefined
}
