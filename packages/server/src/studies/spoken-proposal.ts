// A study in plain words, for people who never met an epsilon: what it is for, who asks, for how long, and
// what its share of the budget could tell about one person.

import { describeLoss, type Neighbours } from "@dosimeter/core"
import { exactly } from "@dosimeter/core/exact"

import { purposeOf } from "./purposes.ts"
import type { Study } from "./studies.ts"
import type { Voice } from "./voices.ts"

/** What a member of the board sees: no accounts of analysts, no names of other members. */
export interface SpokenProposal {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly purposes: readonly string[]
  readonly starts: string
  readonly ends: string
  readonly state: "submitted" | "approved" | "active"
  readonly people: number
  readonly airlock: boolean
  readonly epsilon: string
  readonly delta: string
  /** The same in words. */
  readonly dose: readonly string[]
  readonly own: Pick<Voice, "view" | "comment"> | null
  readonly others: readonly Pick<Voice, "view" | "comment">[]
}

/** The study as the board sees it; drafts, refused and closed ones are not shown. */
export function spokenProposal(
  study: Study,
  viewer: { readonly name: string; readonly neighbours: Neighbours },
): SpokenProposal | undefined {
  const { id, title, summary, purposes, starts, ends, state, people, airlock, voices } = study
  if (state !== "submitted" && state !== "approved" && state !== "active") return undefined
  const said = ({ view, comment }: Voice): Pick<Voice, "view" | "comment"> => ({ view, comment })
  const own = voices.find(({ name }) => name === viewer.name)
  return {
    id,
    title,
    summary,
    purposes: purposes.map((code) => purposeOf(code)?.name ?? code),
    starts,
    ends,
    state,
    people: people.length,
    airlock,
    epsilon: study.epsilon,
    delta: study.delta,
    dose: describeLoss(lossOf(study), { neighbours: viewer.neighbours }),
    own: own === undefined ? null : said(own),
    others: voices.filter(({ name }) => name !== viewer.name).map(said),
  }
}

function lossOf({ epsilon, delta }: Study) {
  return {
    measure: "approx",
    epsilon: exactly(epsilon, "epsilon"),
    delta: exactly(delta, "delta"),
  } as const
}
