// Several questions to one person, of which chance picks one: it gets the whole epsilon. Attributes, the
// levels of a tree and the stages of a search for words are all collected so.

import { fail } from "../errors/errors.ts"
import type { Draws } from "./draws.ts"

/** Questions of which each person answers one, drawn uniformly. */
export interface OneOf<Part> {
  readonly kind: "one-of"
  readonly parts: readonly Part[]
}

/** The most parts. */
export const partsMax = 256

/** A protocol that asks one of several. */
export function oneOf<Part>(parts: readonly Part[]): OneOf<Part> {
  if (parts.length === 0) fail("parameter/empty", { name: "parts" })
  if (parts.length > partsMax) {
    fail("parameter/too-large", { name: "parts", got: `${parts.length}`, limit: `${partsMax}` })
  }
  return { kind: "one-of", parts }
}

/**
 * Draws a question and randomizes its answer.
 *
 * Guarantee: the loss is the largest of those of the parts.
 * Needs: an answer for every part, whichever is drawn.
 * Proof: the part is drawn whatever the answers are and stands in the report; given it, the report is that
 *   part's.
 * Numerics: an exact draw.
 * Source: sampling one attribute; Wang et al. 2019.
 */
export function releaseOneOf<Part>(
  protocol: OneOf<Part>,
  encode: (part: Part, index: number) => Uint8Array,
  { draws, bytes }: { readonly draws: Draws; readonly bytes: number },
): Uint8Array {
  const index = draws.below(protocol.parts.length)
  const payload = new Uint8Array(bytes)
  payload[0] = index
  for (const part of protocol.parts.slice(index, index + 1)) payload.set(encode(part, index), 1)
  return payload
}
