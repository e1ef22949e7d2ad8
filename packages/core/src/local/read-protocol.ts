// A protocol as a collector publishes it, checked by the device that is to follow it: unknown kinds, unknown
// fields and probabilities that are none are refused.

import { fail } from "../errors/errors.ts"
import { compare } from "../exact/rational.ts"
import { supportOf } from "./channel.ts"
import { whole } from "./draws.ts"
import { isFieldSize } from "./field.ts"
import { columnsFor } from "./hadamard.ts"
import { hashedBitsMax } from "./hashing.ts"
import { valuesMax, type KaryProtocol } from "./kary.ts"
import { keysMax } from "./key-value.ts"
import type { MemoProtocol } from "./memo.ts"
import { partsMax } from "./one-of.ts"
import { pointCount, pointsMax } from "./projective.ts"
import type { Protocol, SingleProtocol } from "./protocol.ts"
import { subsetValuesMax } from "./subset.ts"
import { unaryValuesMax, type UnaryProtocol } from "./unary.ts"

/** Reads a protocol from parsed JSON, or refuses it. */
export function readProtocol(json: unknown): Protocol {
  const fields = fieldsOf(json)
  if (fields["kind"] !== "one-of") return readSingle(fields)
  const { parts } = onlyFields(fields, ["kind", "parts"])
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > partsMax) refuse("parts")
  return { kind: "one-of", parts: parts.map((part: unknown) => readSingle(fieldsOf(part))) }
}

function readSingle(fields: Fields): SingleProtocol {
  const protocol = readShape(fields)
  // A report must speak for the answer more than for others; otherwise nothing can be learnt from it.
  if (protocol.kind !== "mean" && protocol.kind !== "key-value") {
    const { p, q } = supportOf(protocol)
    if (compare(p, q) <= 0) refuse("probabilities")
  }
  return protocol
}

function readShape(fields: Fields): SingleProtocol {
  const read = reader(fields)
  switch (fields["kind"]) {
    case "kary":
      return readKary(fields)
    case "unary":
      return readUnary(fields)
    case "subset": {
      const values = read("values", 2, subsetValuesMax)
      const size = read("size", 1, values - 1)
      return read.whole({ kind: "subset", values, size, hold: read("hold", 1, whole - 1) })
    }
    case "hadamard": {
      const values = read("values", 2, valuesMax)
      const columns = read("columns", columnsFor(values), columnsFor(values))
      return read.whole({ kind: "hadamard", values, columns, plus: read("plus", 1, whole - 1) })
    }
    case "projective": {
      const field = read("field", 2, pointsMax)
      const dimension = read("dimension", 2, 26)
      if (!isFieldSize(field) || pointCount(field, dimension) > pointsMax) refuse("field")
      const values = read("values", 2, Math.min(valuesMax, pointCount(field, dimension)))
      const inside = read("inside", 1, whole - 1)
      return read.whole({ kind: "projective", values, field, dimension, inside })
    }
    case "hashing": {
      const field = read("field", 2, pointsMax)
      if (!isFieldSize(field)) refuse("field")
      const bits = read("bits", 1, hashedBitsMax)
      return read.whole({ kind: "hashing", bits, field, keep: read("keep", 1, whole - 1) })
    }
    case "memo":
      return readMemo(onlyFields(fields, ["kind", "permanent", "fresh"]))
    case "mean":
      return readMean(fields)
    case "key-value":
      return readKeyValue(fields)
    default:
      return refuse("kind")
  }
}

function readKary(fields: Fields): KaryProtocol {
  const read = reader(fields)
  return read.whole({
    kind: "kary",
    values: read("values", 2, valuesMax),
    keep: read("keep", 1, whole - 1),
  })
}

function readUnary(fields: Fields): UnaryProtocol {
  const read = reader(fields)
  const values = read("values", 2, unaryValuesMax)
  return read.whole({
    kind: "unary",
    values,
    one: read("one", 1, whole - 1),
    zero: read("zero", 1, whole - 1),
  })
}

function readMemo(fields: Fields): MemoProtocol {
  const [permanent, fresh] = [fieldsOf(fields["permanent"]), fieldsOf(fields["fresh"])]
  if (permanent["kind"] !== fresh["kind"] || permanent["values"] !== fresh["values"]) refuse("fresh")
  if (fresh["kind"] === "kary") {
    return { kind: "memo", permanent: readKary(permanent), fresh: readKary(fresh) }
  }
  if (fresh["kind"] !== "unary") refuse("fresh")
  return { kind: "memo", permanent: readUnary(permanent), fresh: readUnary(fresh) }
}

function readMean(fields: Fields): SingleProtocol {
  const read = reader(fields)
  const levels = read("levels", 2, 2 ** 16)
  const [least, step] = [read("least", 1, whole), read("step", 1, whole)]
  // Otherwise a sign would not be right on average.
  if (2 * least + levels * step !== whole) refuse("step")
  const window = read("window", 1, levels)
  const near = read("near", 1, whole - 1)
  // Places near the number are the likelier ones.
  if (near * levels <= (whole - near) * window) refuse("near")
  const piecewise = read("piecewise", 0, whole)
  return read.whole({ kind: "mean", levels, piecewise, window, near, least, step })
}

function readKeyValue(fields: Fields): SingleProtocol {
  const read = reader(fields)
  const keys = read("keys", 2, keysMax)
  const absent = read("absent", 2, whole - 2)
  return read.whole({
    kind: "key-value",
    keys,
    pairs: read("pairs", 1, keys),
    present: read("present", absent + 1, whole - 1),
    absent,
    truth: read("truth", whole / 2 + 1, whole - 1),
  })
}

type Fields = Readonly<Record<string, unknown>>

interface Reader {
  (name: string, least: number, most: number): number
  /** The protocol, if the fields had nothing else in them. */
  whole<Read extends object>(protocol: Read): Read
}

function reader(fields: Fields): Reader {
  const read = (name: string, least: number, most: number): number => {
    const value = fields[name]
    const fits = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
    return fits ? value : refuse(name)
  }
  return Object.assign(read, {
    whole: <Read extends object>(protocol: Read): Read => {
      onlyFields(fields, Object.keys(protocol))
      return protocol
    },
  })
}

function fieldsOf(json: unknown): Fields {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return refuse("protocol")
  return Object.fromEntries(Object.entries(json))
}

function onlyFields(fields: Fields, names: readonly string[]): Fields {
  for (const name of Object.keys(fields)) if (!names.includes(name)) refuse(name)
  return fields
}

function refuse(what: string): never {
  return fail("local/not-a-protocol", { what: what.slice(0, 40) })
}
