// The ChaCha20 block function (RFC 8439, section 2.3). Here it only makes replayable test bits, so it is
// written to be read: no key schedule to protect, no constant-time claim.

/** What one block depends on. */
export interface ChachaInput {
  /** Eight words. */
  readonly key: Uint32Array
  readonly counter: number
  /** Three words. */
  readonly nonce: readonly [number, number, number]
}

// "expand 32-byte k" in little-endian words.
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
// Four columns, then four diagonals.
const quarters = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

/** Computes one block: sixteen words of the key stream. */
export function chacha20Block({ key, counter, nonce }: ChachaInput): Uint32Array {
  const start = Uint32Array.from([...constants, ...key, counter, ...nonce])
  const state = start.slice()
  for (let doubleRound = 0; doubleRound < 10; doubleRound += 1) {
    for (const [a, b, c, d] of quarters) {
      step(state, [a, b, d], 16)
      step(state, [c, d, b], 12)
      step(state, [a, b, d], 8)
      step(state, [c, d, b], 7)
    }
  }
  return state.map((word, index) => word + (start[index] ?? 0))
}

/** One line of the quarter round: `a += b; d = rotate(d ^ a)`. */
function step(state: Uint32Array, [a, b, d]: readonly [number, number, number], rotation: number): void {
  const sum = ((state[a] ?? 0) + (state[b] ?? 0)) | 0
  const mixed = (state[d] ?? 0) ^ sum
  state[a] = sum
  state[d] = (mixed << rotation) | (mixed >>> (32 - rotation))
}
