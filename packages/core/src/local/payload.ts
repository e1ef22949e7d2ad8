// Reports as bytes. Every report of a protocol has the same length, whatever it says.

/** How many bytes hold an integer below `values`. */
export function bytesFor(values: number): number {
  return values <= 2 ** 8 ? 1 : values <= 2 ** 16 ? 2 : values <= 2 ** 24 ? 3 : 4
}

/** Writes an integer, most significant byte first. */
export function writeNumber(bytes: Uint8Array, value: number, place: Place): void {
  for (let i = 0; i < place.width; i += 1) {
    bytes[place.start + i] = Math.floor(value / 2 ** (8 * (place.width - 1 - i))) % 256
  }
}

/** Reads an integer that was written so. */
export function readNumber(bytes: Uint8Array, place: Place): number {
  let value = 0
  for (let i = 0; i < place.width; i += 1) value = value * 256 + (bytes[place.start + i] ?? 0)
  return value
}

/** Where a number stands among bytes. */
export interface Place {
  readonly start: number
  readonly width: number
}

/** One integer below `values` as a report of its own. */
export function numberPayload(value: number, values: number): Uint8Array {
  const width = bytesFor(values)
  const bytes = new Uint8Array(width)
  writeNumber(bytes, value, { start: 0, width })
  return bytes
}

/** Bits, each 0 or 1, eight to a byte, the first in the highest place; the last byte is filled with zeros. */
export function packBits(bits: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i += 1) {
    const byte = i >> 3
    bytes[byte] = (bytes[byte] ?? 0) | ((bits[i] ?? 0) << (7 - (i & 7)))
  }
  return bytes
}

/** The first `count` bits of bytes. */
export function unpackBits(bytes: Uint8Array, count: number): Uint8Array {
  const bits = new Uint8Array(count)
  for (let i = 0; i < count; i += 1) bits[i] = ((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1
  return bits
}
