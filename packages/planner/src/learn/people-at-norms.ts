// Where the people of a ladder's steps stand: at the lengths that vectors of whole numbers can have where
// these are few, else spread over the step as the steps around it tell.

import type { Norm } from "@dosimeter/core/mechanisms"

/** People at a norm. */
export interface PeopleAt {
  readonly norm: number
  readonly people: number
}

/** Which lengths there are. */
export interface Lengths {
  readonly norm: Norm
  /** No vector is longer than this, whoever adds it: of people in G groups the root of G. */
  readonly longest?: number | undefined
}

/** A step with up to so many lengths of whole numbers has people at each of them. */
const fewLengths = 16
/** People of other steps stand at so many places. */
const parts = 4

/** A place in a step: its norm, how far up in the step it is (0 to 1), and its part of the step's width. */
interface Place {
  readonly norm: number
  readonly at: number
  readonly width: number
}

/** The last step on which somebody can be, of so many. */
export function lastOccupied(steps: number, { longest = Infinity }: Lengths): number {
  return Math.min(steps - 1, Math.max(0, Math.ceil(2 * Math.log2(longest) - 1e-9)))
}

/** The people of a path, as many as on each step: more of them low in a step where the steps around fall. */
export function peopleAtNorms(path: readonly number[], lengths: Lengths): readonly PeopleAt[] {
  return path.flatMap((people, step) => {
    if (people === 0) return []
    const before = path[step - 1] ?? 0
    const fall = before === 0 ? 1 : Math.sqrt(((path[step + 1] ?? 0) + 0.25) / (before + 0.25))
    const ratio = Math.min(1, Math.max(0.003, fall))
    const places = placesIn(step, lengths)
    const weights = places.map(({ at, width }) => width * ratio ** at)
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    return places.map(({ norm }, place) => ({ norm, people: (people * (weights[place] ?? 0)) / whole }))
  })
}

/** The places of a step: norms above 2^((h-1)/2) and up to 2^(h/2), or the longest. */
function placesIn(step: number, { norm, longest = Infinity }: Lengths): readonly Place[] {
  const [low, high] = [2 ** ((step - 1) / 2), Math.min(2 ** (step / 2), longest)]
  // The square of an L2 length is a whole number, and so is an L1 length.
  const power = norm === "l2" ? 2 : 1
  const first = step === 0 ? 1 : Math.floor(low ** power * (1 + 1e-12)) + 1
  const last = Math.floor(high ** power * (1 + 1e-12))
  const atNorm = (own: number, width: number): Place => ({ norm: own, at: 2 * Math.log2(own / low), width })
  if (last < first) return [atNorm(high, 1)]
  if (last - first < fewLengths) {
    return Array.from({ length: last - first + 1 }, (_, place) => {
      const whole = first + place
      return atNorm(whole ** (1 / power), 1 / whole)
    })
  }
  return Array.from({ length: parts }, (_, place) => atNorm(low * (high / low) ** ((place + 0.5) / parts), 1))
}
