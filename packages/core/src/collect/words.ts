// Frequent words that nobody listed: the likely prefixes of one stage, extended in the next.

import { fail } from "../errors/errors.ts"
import { numberNear } from "../exact/dyadic.ts"
import { supportOf } from "../local/channel.ts"
import type { HashingProtocol } from "../local/hashing.ts"
import type { WordProtocol } from "../local/words.ts"
import { openUnit } from "../post/estimates/check.ts"
import { normalUpper } from "../post/estimates/normal-quantile.ts"
import { countersFor, type Tally } from "./counters.ts"
import { estimateFrequencies } from "./frequencies.ts"

/** A word, or a prefix of one, with the share of people who have it. */
export interface WordEstimate {
  readonly word: string
  readonly bytes: Uint8Array
  readonly share: number
  readonly lower: number
  readonly upper: number
}

/** How many prefixes are kept, and how sure one must be that they are there. */
export interface WordOptions {
  readonly keep: number
  /** The chance, at most, that a prefix which nobody has is kept in one stage. */
  readonly alpha: number
  readonly confidence: number
}

/**
 * Finds frequent words among reports of a word protocol.
 *
 * Each stage looks at other people than those before it, so that which prefixes are looked at does not bias
 * what is found. A prefix stays if its estimate is above what noise alone reaches, with the chance `alpha`
 * shared out among all candidates of the stage, and if it is among the `keep` largest.
 */
export function findWords(
  words: WordProtocol,
  payloads: Iterable<Uint8Array>,
  options: WordOptions,
): readonly WordEstimate[] {
  openUnit(options.alpha, "alpha")
  const stages = words.lengths.map((): Uint8Array[] => [])
  for (const payload of payloads) stages[payload[0] ?? 0]?.push(payload)
  let prefixes: readonly Uint8Array[] = [new Uint8Array(words.bytes)]
  let found: readonly WordEstimate[] = []
  let known = 0
  for (const [index, bits] of words.lengths.entries()) {
    const candidates = prefixes.flatMap((prefix) => extend(prefix, known, bits))
    const counted = countersFor(words.protocol, {
      candidates: words.lengths.map((_, i) => (i === index ? candidates : [])),
    })
    for (const payload of stages[index] ?? []) counted.add(payload)
    const tally = counted.tallies()[index]
    const protocol = words.protocol.parts[index]
    if (protocol === undefined || tally === undefined || tally.reports === 0) {
      return fail("parameter/empty", { name: "reports" })
    }
    found = keepLikely(candidates, { protocol, tally, options })
    prefixes = found.map(({ bytes }) => bytes)
    known = bits
    if (prefixes.length === 0) return []
  }
  return found
}

/** The candidates of a stage that are there, by their estimates; the largest first. */
export function keepLikely(
  candidates: readonly Uint8Array[],
  stage: { readonly protocol: HashingProtocol; readonly tally: Tally; readonly options: WordOptions },
): readonly WordEstimate[] {
  const { protocol, tally, options } = stage
  const { raw } = estimateFrequencies(protocol, tally, { confidence: options.confidence })
  const least = thresholdOf(protocol, {
    reports: tally.reports,
    candidates: candidates.length,
    alpha: options.alpha,
  })
  return candidates
    .map((bytes, index) => ({ bytes, estimate: raw[index] }))
    .flatMap(({ bytes, estimate }) => {
      if (estimate === undefined || estimate.share < least) return []
      const { share, lower, upper } = estimate
      return [{ word: textOf(bytes), bytes, share, lower, upper }]
    })
    .toSorted((a, b) => b.share - a.share)
    .slice(0, options.keep)
}

/** The share that noise alone passes with probability alpha in any of the candidates. */
export function thresholdOf(
  protocol: HashingProtocol,
  of: { readonly reports: number; readonly candidates: number; readonly alpha: number },
): number {
  const { p, q } = supportOf(protocol)
  const [hit, chance] = [numberNear(p), numberNear(q)]
  const deviation = Math.sqrt((chance * (1 - chance)) / of.reports) / (hit - chance)
  return normalUpper(Math.min(0.5, of.alpha / of.candidates)) * deviation
}

/** All ways in which a prefix of `known` bits goes on up to `bits` bits. */
export function extend(prefix: Uint8Array, known: number, bits: number): Uint8Array[] {
  return Array.from({ length: 2 ** (bits - known) }, (_, tail) => {
    const longer = Uint8Array.from(prefix)
    for (let i = known; i < bits; i += 1) {
      const bit = Math.floor(tail / 2 ** (bits - 1 - i)) % 2
      longer[i >> 3] = (longer[i >> 3] ?? 0) | (bit << (7 - (i & 7)))
    }
    return longer
  })
}

/** Bytes as text, up to the zeros that fill them; what is no UTF-8 is shown as U+FFFD. */
function textOf(bytes: Uint8Array): string {
  let text = ""
  let i = 0
  const filled = bytes.findLastIndex((byte) => byte !== 0) + 1
  while (i < filled) {
    const first = bytes[i] ?? 0
    const length =
      first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4
    const tail = [...bytes.subarray(i + 1, Math.min(i + length, filled))]
    const isWhole = tail.length === length - 1 && tail.every((byte) => (byte & 0xc0) === 0x80) && first < 0xf5
    if (length > 1 && (!isWhole || first < 0xc2)) {
      text += "\uFFFD"
      i += 1
      continue
    }
    const head = length === 1 ? first : first & (0xff >> (length + 1))
    const code = tail.reduce((sum, byte) => (sum << 6) | (byte & 0x3f), head)
    text += code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD"
    i += length
  }
  return text
}
