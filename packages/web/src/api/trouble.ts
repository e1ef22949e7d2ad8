// Errors of every kind in one shape, for the screens.

type Facts = Readonly<Record<string, string>>

/** What went wrong, why, and what to do. */
export interface Trouble {
  readonly kind: "invalid" | "unsupported" | "refused" | "unavailable" | "bug"
  readonly code: string
  readonly message: string
  readonly help: string | undefined
  /** The names that stand in the message, for texts in other languages. */
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
  /** The HTTP status of the reply; 0 without a reply. */
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

/** The trouble of a server that cannot be reached, from the error that the request ended with. */
export function unreachable(error: unknown): ServerTrouble {
  const message = error instanceof Error ? error.message : "the server cannot be reached"
  return new ServerTrouble({ kind: "unavailable", code: "web/offline", message, help: null })
}

/** An error as trouble; an error without an explanation is a bug of ours. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof ServerTrouble) return error.trouble
  return {
    kind: "bug",
    code: "web/unexpected",
    message: error instanceof Error ? error.message : "something unexpected happened",
    help: undefined,
    others: [],
  }
}
