// The value of a parameter as it was sent. Text without a type is like text in quotes: what it is compared
// with decides what it means.

import { parseDecimal, rationalOfNumber } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { decode } from "./byte-reader.ts"
import { WireError } from "./wire-error.ts"

/** Types that parameters may be declared with: number, and how its binary form is read. */
const binaryReaders: ReadonlyMap<number, (bytes: Buffer) => Constant> = new Map([
  [16, (bytes: Buffer): Constant => ({ kind: "boolean", value: sized(bytes, 1)[0] === 1 })],
  [20, (bytes: Buffer) => whole(sized(bytes, 8).readBigInt64BE())],
  [21, (bytes: Buffer) => whole(BigInt(sized(bytes, 2).readInt16BE()))],
  [23, (bytes: Buffer) => whole(BigInt(sized(bytes, 4).readInt32BE()))],
  [25, (bytes: Buffer) => textOf(bytes)],
  [700, (bytes: Buffer) => float(sized(bytes, 4).readFloatBE())],
  [701, (bytes: Buffer) => float(sized(bytes, 8).readDoubleBE())],
  [1043, (bytes: Buffer) => textOf(bytes)],
  [
    1082,
    (bytes: Buffer): Constant => ({ kind: "date", day: BigInt(sized(bytes, 4).readInt32BE()) + 10_957n }),
  ],
  [
    1114,
    (bytes: Buffer): Constant => ({
      kind: "timestamp",
      micros: sized(bytes, 8).readBigInt64BE() + 10_957n * 86_400_000_000n,
    }),
  ],
])

/** The types of numbers. */
export const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700])

/** Reads one parameter; undefined stands for NULL. */
export function readParameter(bytes: Buffer | undefined, type: number, format: number): Constant {
  if (bytes === undefined) return { kind: "null" }
  if (format === 0) return ofText(decode(bytes), type)
  const read = binaryReaders.get(type)
  if (format !== 1 || read === undefined) {
    throw new WireError("0A000", `a parameter of type ${type} in binary form is not read`, "send it as text")
  }
  return read(bytes)
}

function ofText(text: string, type: number): Constant {
  if (numberTypes.has(type) && /^[+-]?\d{1,300}(\.\d{1,300})?(e[+-]?\d{1,3})?$/i.test(text)) {
    return { kind: "number", value: parseDecimal(text, "a parameter") }
  }
  if (type === 16) return { kind: "boolean", value: /^(t|true|y|yes|on|1)$/i.test(text) }
  return { kind: "text", value: text }
}

function whole(value: bigint): Constant {
  return { kind: "number", value: { numerator: value, denominator: 1n } }
}

function float(value: number): Constant {
  if (!Number.isFinite(value)) throw new WireError("22003", "a parameter is not a finite number")
  return { kind: "number", value: rationalOfNumber(value) }
}

function textOf(bytes: Buffer): Constant {
  return { kind: "text", value: decode(bytes) }
}

function sized(bytes: Buffer, size: number): Buffer {
  if (bytes.length !== size) throw new WireError("22P03", "a parameter has the wrong number of bytes")
  return bytes
}
