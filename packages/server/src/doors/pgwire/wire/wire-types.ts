// Types of answers as PostgreSQL numbers them, and values in its text and binary forms.

import type { AnswerValue } from "@dosimeter/engine"

/** A type of the wire. */
export interface WireType {
  readonly name: string
  readonly oid: number
  /** In bytes, or -1 where it varies. */
  readonly size: number
}

/** The types that answers have. */
export const wireTypes = {
  boolean: { name: "bool", oid: 16, size: 1 },
  integer: { name: "int8", oid: 20, size: 8 },
  /** In catalogs only. */
  small: { name: "int4", oid: 23, size: 4 },
  float: { name: "float8", oid: 701, size: 8 },
  decimal: { name: "numeric", oid: 1700, size: -1 },
  text: { name: "text", oid: 25, size: -1 },
  date: { name: "date", oid: 1082, size: 4 },
  timestamp: { name: "timestamp", oid: 1114, size: 8 },
} satisfies Readonly<Record<string, WireType>>

/** The type of a column, by the name that answers give it. */
export function wireTypeOf(type: string): WireType {
  const [kind = ""] = type.split("(")
  return Object.entries(wireTypes).find(([name]) => name === kind)?.[1] ?? wireTypes.text
}

/** The number of a type that parameters are declared with, by its name in SQL; 0 where it does not matter. */
export function typeNamed(name: string): number {
  const found = sqlNames.find(([, names]) => names.includes(name.toLowerCase()))
  return found?.[0].oid ?? 0
}

const sqlNames: readonly (readonly [WireType, readonly string[]])[] = [
  [wireTypes.boolean, ["bool", "boolean"]],
  [wireTypes.integer, ["int8", "bigint", "int4", "int", "integer", "int2", "smallint"]],
  [wireTypes.float, ["float8", "double precision", "float4", "real", "float"]],
  [wireTypes.decimal, ["numeric", "decimal"]],
  [wireTypes.text, ["text", "varchar", "character varying"]],
  [wireTypes.date, ["date"]],
  [wireTypes.timestamp, ["timestamp", "timestamp without time zone"]],
]

/** A value as bytes; undefined is NULL. */
export function encodeValue(
  value: AnswerValue,
  type: WireType,
  format: "text" | "binary",
): Buffer | undefined {
  if (value === null) return undefined
  return format === "binary" ? binary(value, type) : Buffer.from(textOf(value, type))
}

function textOf(value: string | number | boolean, { oid }: WireType): string {
  if (typeof value === "boolean") return value ? "t" : "f"
  if (typeof value === "number") return oid === wireTypes.float.oid ? floatText(value) : plainText(value)
  // A float that is not exact in JSON cannot be: its text is that of the double.
  return oid === wireTypes.timestamp.oid ? value.replace("T", " ") : value
}

function floatText(value: number): string {
  return Number.isFinite(value)
    ? `${value}`
    : Number.isNaN(value)
      ? "NaN"
      : value > 0
        ? "Infinity"
        : "-Infinity"
}

/** Without an exponent: whole numbers and decimals have none. */
function plainText(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString()
  const text = `${value}`
  const [, sign = "", whole = "", part = "", exponent] = /^(-?)(\d+)\.?(\d*)(?:e([+-]\d+))?$/.exec(text) ?? []
  if (exponent === undefined) return text
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${whole}${part}`
}

const bytesOf = (size: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

function binary(value: string | number | boolean, type: WireType): Buffer {
  const text = textOf(value, type)
  switch (type.oid) {
    case wireTypes.boolean.oid:
      return Buffer.from([value === true ? 1 : 0])
    case wireTypes.integer.oid:
      return bytesOf(8, (bytes) => bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(text))))
    case wireTypes.small.oid:
      return bytesOf(4, (bytes) => bytes.writeInt32BE(Number(text)))
    case wireTypes.float.oid:
      return bytesOf(8, (bytes) => bytes.writeDoubleBE(Number(text)))
    case wireTypes.decimal.oid:
      return numeric(text)
    case wireTypes.date.oid:
      return bytesOf(4, (bytes) => bytes.writeInt32BE(daysSince2000(text)))
    case wireTypes.timestamp.oid:
      return bytesOf(8, (bytes) => bytes.writeBigInt64BE(microsSince2000(text)))
    default:
      return Buffer.from(text)
  }
}

const msPerDay = 86_400_000
const year2000 = 10_957

function daysSince2000(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / msPerDay - year2000
}

function microsSince2000(text: string): bigint {
  const [, hours = "0", minutes = "0", seconds = "0", part = ""] =
    /(\d\d):(\d\d):(\d\d)(?:\.(\d+))?$/.exec(text) ?? []
  const clock = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  return (
    BigInt(daysSince2000(text)) * 86_400_000_000n +
    clock * 1_000_000n +
    BigInt(part.padEnd(6, "0").slice(0, 6))
  )
}

/** Groups of four decimal digits, with the weight of the first and the digits after the point. */
function numeric(text: string): Buffer {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, "0")
  const right = part.padEnd(Math.ceil(part.length / 4) * 4, "0")
  const groups = (`${left}${right}`.match(/\d{4}/g) ?? []).map(Number)
  let weight = left.length / 4 - 1
  while (groups.length > 0 && groups[0] === 0) {
    groups.shift()
    weight -= 1
  }
  while (groups.at(-1) === 0) groups.pop()
  return bytesOf(8 + 2 * groups.length, (bytes) => {
    bytes.writeInt16BE(groups.length, 0)
    bytes.writeInt16BE(groups.length === 0 ? 0 : weight, 2)
    bytes.writeUInt16BE(sign === "-" ? 0x4000 : 0, 4)
    bytes.writeUInt16BE(part.length, 6)
    for (const [index, group] of groups.entries()) bytes.writeInt16BE(group, 8 + 2 * index)
  })
}
