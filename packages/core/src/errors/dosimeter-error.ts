// The one error class of Dosimeter. A code for programs, a sentence for people, a remedy that can be typed,
// a place in the SQL where there is one, and never a value from the data.

/** Who must act: the analyst, nobody yet, the owner, the operator, or we. */
export type ErrorKind = "invalid" | "unsupported" | "refused" | "unavailable" | "bug"

/** A stretch of the analyst's SQL, as offsets into the text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One thing that is wrong. */
export interface Issue {
  readonly code: string
  readonly message: string
  readonly help?: string
  readonly at?: Span
  readonly notes?: readonly { readonly message: string; readonly at?: Span }[]
  /** The names and parameters behind the message; public facts only. */
  readonly facts: Readonly<Record<string, string>>
}

/** Thrown for every failure that Dosimeter explains. The first issue gives the message. */
export class DosimeterError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly issues: readonly [Issue, ...Issue[]]

  constructor(kind: ErrorKind, issues: readonly [Issue, ...Issue[]], options?: { readonly cause?: unknown }) {
    super(issues[0].message, options)
    this.name = "DosimeterError"
    this.kind = kind
    this.code = issues[0].code
    this.issues = issues
  }

  /** What to do about it, if anything can be done. */
  get help(): string | undefined {
    return this.issues[0].help
  }
}

/** Draws an error the way every front end shows it: `error[code]: message`, then `help: remedy`. */
export function renderError(error: DosimeterError): string {
  return error.issues
    .map((issue) => {
      const head = `error[${issue.code}]: ${issue.message}`
      return issue.help === undefined ? head : `${head}\nhelp: ${issue.help}`
    })
    .join("\n")
}
