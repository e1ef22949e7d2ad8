// Shamir's secret sharing, byte by byte over the field of 256 elements: any `threshold` shares give the
// secret back, and fewer say nothing about it. A share is a point of a polynomial; its place is 1 to 255.

import { assert } from "@dosimeter/core/errors"

/** A share and its place. */
export interface PlacedShare {
  readonly place: number
  readonly bytes: Uint8Array
}

/**
 * Splits a secret into shares for these places.
 *
 * Guarantee: any `threshold` shares determine the secret; any fewer are uniform and independent of it.
 * Needs: `random` gives uniform bytes; places are distinct and from 1 to 255 (checked here), threshold >= 1.
 * Proof: each byte is the value at 0 of a polynomial of degree below `threshold` whose other coefficients are
 *   uniform. For any threshold - 1 places and any value at 0, the map from those coefficients to the values
 *   at the places is a bijection (interpolation through these points and 0).
 * Numerics: exact arithmetic in the field with the polynomial x^8 + x^4 + x^3 + x + 1.
 * Source: Shamir 1979, "How to share a secret".
 */
export function splitSecret(
  secret: Uint8Array,
  { places, threshold }: { readonly places: readonly number[]; readonly threshold: number },
  random: (bytes: number) => Uint8Array,
): readonly PlacedShare[] {
  checkPlaces(places)
  assert(threshold >= 1 && threshold <= places.length, "a secret is split among at least the threshold")
  // Coefficients by degree: the first list is that of x^1.
  const coefficients = Array.from({ length: threshold - 1 }, () => random(secret.length))
  return places.map((place) => {
    const bytes = new Uint8Array(secret.length)
    // Horner's rule, from the highest degree down.
    for (const list of coefficients.toReversed()) {
      for (const [index, value] of list.entries()) bytes[index] = times((bytes[index] ?? 0) ^ value, place)
    }
    for (const [index, value] of secret.entries()) bytes[index] = (bytes[index] ?? 0) ^ value
    return { place, bytes }
  })
}

/** The value at 0 of the polynomial through these shares: the secret, if they are enough. */
export function joinShares(shares: readonly PlacedShare[]): Uint8Array {
  const places = shares.map(({ place }) => place)
  checkPlaces(places)
  const length = shares[0]?.bytes.length ?? 0
  const secret = new Uint8Array(length)
  for (const { place, bytes } of shares) {
    assert(bytes.length === length, "shares of one secret are of one length")
    let weight = 1
    for (const other of places) {
      if (other !== place) weight = times(weight, times(other, inverse(other ^ place)))
    }
    for (const [index, value] of bytes.entries()) {
      secret[index] = (secret[index] ?? 0) ^ times(weight, value)
    }
  }
  return secret
}

/** Every choice of so many, each once: first those that leave out fewest of the first. */
export function* choicesOf<Item>(items: readonly Item[], count: number): Generator<readonly Item[]> {
  for (let left = 0; count + left <= items.length; left += 1) {
    const [within, last] = [items.slice(0, count + left - 1), items[count + left - 1]]
    if (last === undefined) return
    for (const out of placesOf(left, within.length)) {
      yield [...within.filter((_, place) => !out.includes(place)), last]
    }
  }
}

/** Every set of so many places below a number. */
function* placesOf(count: number, below: number): Generator<readonly number[]> {
  if (count === 0) yield []
  else {
    for (let last = count - 1; last < below; last += 1) {
      for (const others of placesOf(count - 1, last)) yield [...others, last]
    }
  }
}

function checkPlaces(places: readonly number[]): void {
  assert(new Set(places).size === places.length, "shares have places of their own")
  assert(
    places.every((place) => Number.isInteger(place) && place >= 1 && place <= 255),
    "places are 1 to 255",
  )
}

/** The product in the field: no table, and no branch on what is multiplied. */
function times(a: number, b: number): number {
  let product = 0
  let shifted = a
  for (let bit = 0; bit < 8; bit += 1) {
    product ^= shifted & -((b >> bit) & 1)
    shifted = ((shifted << 1) ^ (0x1b & -(shifted >> 7))) & 0xff
  }
  return product
}

/** a^254, which is 1 / a. */
function inverse(a: number): number {
  let result = 1
  let power = a
  for (let bit = 1; bit < 8; bit += 1) {
    power = times(power, power)
    result = times(result, power)
  }
  return result
}
