// What a community advisory board says about studies: advisory, for everybody to read. No view of the board
// moves a study on or holds it up: that is what two of the committee are for.

import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import { textOf, type StateAccess, type StateRow, type StateStore } from "../state/state-store.ts"
import { checkMove, type Actor, type StudyLife } from "./study-state.ts"

/** What somebody thinks of a study. */
export const views = ["support", "concern", "oppose"] as const

/** One of them. */
export type View = (typeof views)[number]

/** The view of one member of the board; the newest one, if it was changed. */
export interface Voice {
  readonly name: string
  readonly view: View
  /** In their own words. */
  readonly comment: string
  readonly at: string
}

/** Says or changes one's view of a study that waits for its reviews, or is open. */
export async function sayView(
  store: StateStore,
  said: { readonly study: StudyLife; readonly view: View; readonly comment: string },
  { actor, at }: { readonly actor: Actor; readonly at: string },
): Promise<void> {
  const { view, comment } = said
  const { id } = said.study
  if (comment.trim() === "") fail("study/no-reasons", { study: id })
  checkMove(said.study, "voice", actor)
  await store.transaction(async (access) => {
    await access.run("DELETE FROM voices WHERE study = ? AND name = ?", [id, actor.name])
    await access.run(
      `INSERT INTO voices (study, name, view, comment, at, position)
       VALUES (?, ?, ?, ?, ?, ${nextPosition("voices")})`,
      [id, actor.name, view, comment, at],
    )
    const facts = { view, comment }
    await record(access, { who: actor.name, what: "study-voiced", about: `study ${id}`, facts }, at)
  })
}

/** What the board says of a study, the oldest view first. */
export async function voicesOf(access: StateAccess, study: string): Promise<readonly Voice[]> {
  const rows = await access.all(
    `SELECT name, view, comment, at FROM voices WHERE study = ? ${asStored("at, name")}`,
    [study],
  )
  return rows.map(voiceOf)
}

function voiceOf(row: StateRow): Voice {
  const view = textOf(row, "view")
  return {
    name: textOf(row, "name"),
    // What cannot be read is a concern.
    view: views.find((one) => one === view) ?? "concern",
    comment: textOf(row, "comment"),
    at: textOf(row, "at"),
  }
}
