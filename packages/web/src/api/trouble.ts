// Whatever goes wrong, in one shape for the screens.

type Facts = Readonly<Record<string, string>>

/** What went wrong, why, and what to do. */
export interface Trouble {
  readonly kind: "invalid" | "unsupported" | "refused" | "unavailable" | "bug"
  readonly code: string
  readonly message: string
  readonly help: string | undefined
  /** The names behind the message. */
  readonly facts?: Facts | undefined
  readonly others: readonly {
    readonly code: string
    readonly message: string
    readonly help: string | undefined
    readonly facts?: Facts | undefined
  }[]
}

/** What the server says when something goes wrong. */
export interface ServerProblem {
  readonly kind: Trouble["kind"]
  readonly code: string
  readonly message: string
  readonly help: string | null
  readonly facts?: Facts | undefined
  readonly others?:
    | readonly {
        readonly code: string
        readonly message: string
        readonly help: string | null
        readonly facts?: Facts | undefined
      }[]
    | undefined
}

/** A problem of the server as something that can be thrown. */
export class ServerTrouble extends Error {
  readonly trouble: Trouble
  /** Of the reply; 0 where there was none. */
  readonly status: number

  constructor(problem: ServerProblem, status = 0) {
    super(problem.message)
    this.name = "ServerTrouble"
    this.status = status
    const { help, others = [], ...said } = problem
    const known = others.map((other) => ({ ...other, help: other.help ?? undefined }))
    this.trouble = { ...said, help: help ?? undefined, others: known }
  }
}

/** An error as trouble; what nobody explained is a server that cannot be reached, or a bug of ours. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof ServerTrouble) return error.trouble
  const isOffline = error instanceof TypeError
  return {
    kind: isOffline ? "unavailable" : "bug",
    code: isOffline ? "web/offline" : "web/unexpected",
    message: error instanceof Error ? error.message : "something unexpected happened",
    help: undefined,
    others: [],
  }
}
