// Vectors of numbers modulo 2^(32 limbs), and the masks that are added to them. Sums are kept limb by limb in
// doubles: up to 2^20 words of 32 bits add up exactly there, and carries are done once, at the end.

import { createCipheriv } from "node:crypto"
import { assert } from "@dosimeter/core/errors"
import { fail } from "../../errors.ts"

const wordSize = 2 ** 32
const addendsMax = 2 ** 20

/** A vector that masks are added to and taken from. */
export class MaskedNumbers {
  readonly #limbs: number
  readonly #sums: Float64Array
  #addends = 0

  constructor({ numbers, limbs }: { readonly numbers: number; readonly limbs: number }) {
    this.#limbs = limbs
    this.#sums = new Float64Array(numbers * limbs)
  }

  /** Adds a vector of integers, of any sign and size. */
  addNumbers(values: readonly bigint[]): void {
    const limbs = this.#limbs
    assert(values.length * limbs === this.#sums.length, "a vector has as many numbers as the sum")
    this.#count()
    for (const [index, value] of values.entries()) {
      let rest = BigInt.asUintN(32 * limbs, value)
      for (let limb = 0; limb < limbs; limb += 1) {
        const at = index * limbs + limb
        this.#sums[at] = (this.#sums[at] ?? 0) + Number(rest & 0xffffffffn)
        rest >>= 32n
      }
    }
  }

  /**
   * Adds the mask of a key, or takes it away.
   *
   * Guarantee: for a uniform key nobody tells the mask from a uniform vector modulo 2^(32 limbs), but with
   *   the advantage against ChaCha20; both directions cancel exactly.
   * Needs: a key makes one mask (deriveKey names the roster, the pair or site, and the purpose).
   * Proof: the key stream is read as words, each a limb: uniform words are a uniform residue. Sums of limbs
   *   are below 2^53 (at most 2^20 addends, counted here), so nothing is rounded.
   * Numerics: doubles that hold integers below 2^53.
   * Source: Bonawitz et al. 2017, section 4, with ChaCha20 (RFC 8439) as the generator.
   */
  addMask(key: Uint8Array, direction: 1 | -1): void {
    this.#count()
    const stream = createCipheriv("chacha20", key, Buffer.alloc(16))
    const sums = this.#sums
    for (let start = 0; start < sums.length; start += chunkWords) {
      const count = Math.min(chunkWords, sums.length - start)
      const words = wordsOf(stream.update(zeros.subarray(0, 4 * count)))
      // One loop for each direction: a product would cost as much as the sum.
      if (direction === 1) {
        for (let i = 0; i < count; i += 1) sums[start + i] = (sums[start + i] ?? 0) + (words[i] ?? 0)
      } else {
        for (let i = 0; i < count; i += 1) sums[start + i] = (sums[start + i] ?? 0) - (words[i] ?? 0)
      }
      words.fill(0)
    }
  }

  /** Adds a vector that was encoded. */
  addEncoded(text: string): void {
    const bytes = Buffer.from(text, "base64")
    if (bytes.length !== 4 * this.#sums.length) fail("federation/sum-message", { what: "numbers" })
    this.#count()
    for (const [index, word] of wordsOf(bytes).entries()) this.#sums[index] = (this.#sums[index] ?? 0) + word
  }

  /** The vector as text: base64 of its limbs, least first, each little-endian. */
  encode(): string {
    const words = this.#residues()
    return Buffer.from(words.buffer).toString("base64")
  }

  /** The numbers, as the residues nearest to 0. */
  numbers(): bigint[] {
    const limbs = this.#limbs
    const words = this.#residues()
    return Array.from({ length: words.length / limbs }, (_, index) => {
      let value = 0n
      for (let limb = limbs - 1; limb >= 0; limb -= 1) {
        value = (value << 32n) | BigInt(words[index * limbs + limb] ?? 0)
      }
      return BigInt.asIntN(32 * limbs, value)
    })
  }

  /** Forgets all numbers. */
  wipe(): void {
    this.#sums.fill(0)
  }

  #residues(): Uint32Array<ArrayBuffer> {
    const limbs = this.#limbs
    const words = new Uint32Array(this.#sums.length)
    let carry = 0
    for (const [index, sum] of this.#sums.entries()) {
      if (index % limbs === 0) carry = 0
      const whole = sum + carry
      carry = Math.floor(whole / wordSize)
      words[index] = whole - carry * wordSize
    }
    return words
  }

  #count(): void {
    this.#addends += 1
    assert(this.#addends <= addendsMax, "a sum has at most 2^20 addends")
  }
}

/** Whether a text is a vector as `encode` writes it. */
export function isEncoded(
  text: string,
  { numbers, limbs }: { readonly numbers: number; readonly limbs: number },
): boolean {
  const length = 4 * numbers * limbs
  // The length first: what is far too long is not decoded.
  if (text.length !== 4 * Math.ceil(length / 3)) return false
  const bytes = Buffer.from(text, "base64")
  return bytes.length === length && bytes.toString("base64") === text
}

/** Words of key stream made at once. */
const chunkWords = 1 << 15
const zeros = Buffer.alloc(4 * chunkWords)

/** Words lie in memory as they are sent: least byte first, as on every machine that Node runs on. */
function wordsOf(bytes: Buffer): Uint32Array {
  const isAligned = bytes.byteOffset % 4 === 0
  const own = isAligned ? bytes : Uint8Array.from(bytes)
  return new Uint32Array(own.buffer, own.byteOffset, bytes.length / 4)
}
