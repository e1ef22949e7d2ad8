// The studies that somebody may ask in today.

import { call } from "../../api/server.ts"

/** A study to choose. */
export interface OpenStudy {
  readonly id: string
  readonly title: string
}

/** Those of a person that are active today. */
export async function openStudies(name: string): Promise<readonly OpenStudy[]> {
  const { items } = await call("listStudies")
  const today = new Date().toISOString().slice(0, 10)
  return items.filter(
    ({ people, state, suspended, starts, ends }) =>
      people.includes(name) && state === "active" && !suspended && starts <= today && today <= ends,
  )
}
