// The remedy for an error: sentences as text, SQL and commands as code.

import { isCode } from "./is-code.ts"

/** A remedy. */
export function Help({ text, before }: { readonly text: string; readonly before?: string }) {
  return (
    <p className={isCode(text) ? "help help-code" : "help"}>
      {before === undefined ? null : <span className="sr-only">{before}: </span>}
      {text}
    </p>
  )
}
