// Reads the reference records under fixtures/ and compares results with them: within the record's tolerance,
// and far more tightly on the side where a difference would understate the loss.

/** One reference record, as the files hold it. */
export interface VectorRecord {
  readonly id: string
  readonly group: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly expected: Readonly<Record<string, unknown>>
  readonly tolerance: Tolerance
  /** "ge": a result below the expected one is a privacy bug; "le": one above. */
  readonly safe_direction?: "ge" | "le"
}

/** How near a result must come. */
export interface Tolerance {
  readonly type: string
  readonly value?: number
  readonly rel?: number
  readonly abs?: number
}

/** A result that can be compared: a number, an exact text such as "1/3", a truth value, or a list of them. */
export type Result = number | bigint | string | boolean | readonly Result[]

/** Returns the records of one group of a fixture; throws when there are none, so that no test is empty by
 * mistake. */
export function recordsOf(
  fixture: { readonly records: readonly unknown[] },
  group: string,
): readonly VectorRecord[] {
  const records = fixture.records.filter(isRecord).filter((record) => record.group === group)
  if (records.length === 0) throw new Error(`there is no record of group ${group}`)
  return records
}

/** Reads a number as the records write it: 0.5, 1e-9, inf, 1/3, 2^-40, 0x1.8p+3, ln(1.5), 2*ln(3). Throws on
 * others. */
export function parseNumber(text: string | number): number {
  if (typeof text === "number") return text
  const product = text.split("*").map(parseFactor)
  return product.reduce((a, b) => a * b)
}

/** Returns one input as a number; throws with the record's id when it is none. */
export function numberInput(record: VectorRecord, field: string): number {
  return numberAt(record, { value: record.inputs[field], place: `inputs.${field}` })
}

/** Returns one expected value as a number; throws with the record's id when it is none. */
export function numberExpected(record: VectorRecord, field: string): number {
  return numberAt(record, { value: record.expected[field], place: `expected.${field}` })
}

/** What to compare: field of the record's `expected` with what was computed. */
export interface RecordCheck {
  readonly record: VectorRecord
  readonly field: string
  readonly got: Result
  /** Relative tolerance on the unsafe side; 1e-12 unless given. */
  readonly unsafeTolerance?: number
}

/** Throws, with the record's id, unless the result is within tolerance and on the safe side. Lists are
 * compared item by item. */
export function checkRecord({ record, field, got, unsafeTolerance = 1e-12 }: RecordCheck): void {
  const place = `expected.${field}`
  const want = record.expected[field]
  if (want === undefined) throw wrong(record, `it has no ${place}`)
  checkValue({ record, place, unsafeTolerance, want, got })
}

interface ValueCheck {
  readonly record: VectorRecord
  readonly place: string
  readonly unsafeTolerance: number
  readonly want: unknown
  readonly got: Result
}

function checkValue(check: ValueCheck): void {
  const { record, place, want, got } = check
  if (Array.isArray(want)) {
    if (!isList(got) || got.length !== want.length)
      throw wrong(record, `${place} is a list of ${want.length}`)
    for (const [index, item] of got.entries()) {
      checkValue({ ...check, place: `${place}[${index}]`, want: want[index], got: item })
    }
  } else if (isList(got)) {
    throw wrong(record, `${place} is not a list`)
  } else if (record.tolerance.type === "exact" || typeof want === "boolean") {
    if (!isSame(want, got)) throw wrong(record, `${place} must be ${String(want)}, and is ${String(got)}`)
  } else {
    const wanted = numberAt(record, { value: want, place })
    checkNumber({ ...check, wanted, given: typeof got === "string" ? parseNumber(got) : Number(got) })
  }
}

function checkNumber(check: ValueCheck & { readonly wanted: number; readonly given: number }): void {
  const { record, place, wanted, given, unsafeTolerance } = check
  if (given === wanted) return
  const shown = `${place} must be ${wanted}, and is ${given}`
  const distance = Math.abs(given - wanted)
  const direction = record.safe_direction
  const isUnsafe = direction === "ge" ? given < wanted : direction === "le" ? given > wanted : false
  if (isUnsafe && distance > unsafeTolerance * Math.abs(wanted)) {
    throw wrong(record, `${shown}: on the unsafe side by ${distance}`)
  }
  if (!isWithin(record, { distance, size: Math.abs(wanted) }))
    throw wrong(record, `${shown}: off by ${distance}`)
}

/** NaN and infinite distances are within nothing. */
function isWithin(record: VectorRecord, off: { readonly distance: number; readonly size: number }): boolean {
  const { type, value = 0, rel = 0, abs = 0 } = record.tolerance
  if (off.size === Infinity) return false
  if (type === "rel") return off.distance <= value * off.size
  if (type === "abs") return off.distance <= value
  if (type === "rel_or_abs") return off.distance <= rel * off.size || off.distance <= abs
  throw wrong(record, `its tolerance "${type}" is not one to compare single values with`)
}

/** Same text, same truth value, same number, or the same fraction written otherwise. */
function isSame(want: unknown, got: number | bigint | string | boolean): boolean {
  if (typeof want === "boolean" || typeof got === "boolean") return want === got
  if (typeof want !== "string" && typeof want !== "number") return false
  if (String(want) === String(got)) return true
  const [a, b] = [fractionOf(String(want)), fractionOf(String(got))]
  if (a !== undefined && b !== undefined) return a.numerator * b.denominator === b.numerator * a.denominator
  if (typeof got === "string") return false
  return isNumeric(want) && parseNumber(want) === Number(got)
}

function fractionOf(text: string): { readonly numerator: bigint; readonly denominator: bigint } | undefined {
  const match = /^(-?\d+)(?:\/(\d+))?$/.exec(text)
  if (match === null) return undefined
  return { numerator: BigInt(match[1] ?? ""), denominator: BigInt(match[2] ?? "1") }
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const infinite = /^([+-]?)inf(inity)?$/i
const hexadecimal = /^([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i
const quotient = /^([^/]+)\/([^/]+)$/
const power = /^(\d+)\^(-?\d+)$/
const logarithm = /^ln\((.+)\)$/

function parseFactor(text: string): number {
  if (decimal.test(text)) return Number(text)
  if (/^nan$/i.test(text)) return Number.NaN
  const sign = infinite.exec(text)
  if (sign !== null) return sign[1] === "-" ? -Infinity : Infinity
  const hex = hexadecimal.exec(text)
  if (hex !== null) return parseHexadecimal(hex)
  const [, above, below] = quotient.exec(text) ?? []
  if (above !== undefined && below !== undefined) return parseFactor(above) / parseFactor(below)
  const [, base, exponent] = power.exec(text) ?? []
  if (base !== undefined) return Number(base) ** Number(exponent)
  const [, argument] = logarithm.exec(text) ?? []
  if (argument !== undefined) return Math.log(parseFactor(argument))
  throw new Error(`not a number: "${text}"`)
}

function parseHexadecimal([, sign, whole = "", fraction = "", exponent]: RegExpExecArray): number {
  const digits = Number(BigInt(`0x${whole}${fraction}`))
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length)
  return sign === "-" ? -value : value
}

function isNumeric(value: string | number): boolean {
  try {
    parseNumber(value)
    return true
  } catch {
    return false
  }
}

function numberAt(record: VectorRecord, at: { readonly value: unknown; readonly place: string }): number {
  if (typeof at.value === "number") return at.value
  if (typeof at.value !== "string" || !isNumeric(at.value)) throw wrong(record, `${at.place} is not a number`)
  return parseNumber(at.value)
}

function isList(result: Result): result is readonly Result[] {
  return Array.isArray(result)
}

function isRecord(value: unknown): value is VectorRecord {
  if (typeof value !== "object" || value === null) return false
  return "id" in value && "group" in value && "inputs" in value && "expected" in value && "tolerance" in value
}

function wrong(record: VectorRecord, what: string): Error {
  return new Error(`${record.id}: ${what}`)
}
