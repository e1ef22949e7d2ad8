// Where the anchor of a ledger lies, and what is noticed for that, in sentences for the owner.

import type { AnchorSight } from "@dosimeter/engine"

/** What to know of an anchor: where it is, what is noticed, and what is not. */
export function anchorWords({ kind, path, isInside }: AnchorSight): string {
  if (!isInside) {
    return (
      `the anchor lies ${kind === "user" ? `in ${path}` : `at ${path}`}: an old backup of .dosimeter, or its removal, ` +
      "is noticed; one that brings the anchor back too, or a copy on another machine, is not"
    )
  }
  const why = {
    named: "as the policy says",
    user: "",
    container: "since this is a container without XDG_STATE_HOME",
    unwritable: "since the home folder cannot be written",
  }[kind]
  return (
    `the anchor lies beside the ledger (${path}), ${why}: an old copy of the ledger alone is noticed; an old ` +
    "backup of all of .dosimeter, or its removal, is NOT, and its losses could be spent again. Name a " +
    "place that such a backup leaves alone: anchor: PATH in the policy"
  )
}
