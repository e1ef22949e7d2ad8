// The analyst's SQL with its four ways to name a place: UTF-8 bytes (what the grammar gives to nodes), code
// points (what it gives to errors), UTF-16 units (JavaScript, editors, our spans), line and column (people).

import type { Span } from "@dosimeter/core"

/** A place for people: both are counted from 1, columns in code points. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A text and the conversions between its offsets. Offsets outside the text are moved to its nearest end. */
export interface SourceText {
  readonly text: string
  /** Its length in UTF-8. */
  readonly byteLength: number
  fromByte(byte: number): number
  toByte(offset: number): number
  fromCodePoint(index: number): number
  toCodePoint(offset: number): number
  position(offset: number): Position
  /** The offset of a place; a column past the end of its line is the end of the line. */
  offsetAt(position: Position): number
  /** The span of a line (counted from 1) without its line break. */
  line(number: number): Span
  readonly lineCount: number
}

/** Wraps a text. Conversions cost nothing for ASCII; otherwise the first one builds tables. */
export function sourceText(text: string): SourceText {
  const byteLength = utf8Length(text)
  const lines = lineStarts(text)
  const tables = byteLength === text.length ? undefined : offsetTables(text, byteLength)
  const inText = (offset: number): number => clampTo(offset, text.length)
  const fromByte = (byte: number): number => {
    const inside = clampTo(byte, byteLength)
    return tables === undefined ? inside : (tables.unitOfByte[inside] ?? text.length)
  }
  const toCodePoint = (offset: number): number =>
    tables === undefined ? inText(offset) : (tables.pointOfUnit[inText(offset)] ?? 0)
  const fromCodePoint = (index: number): number => {
    if (tables === undefined) return inText(index)
    return tables.unitOfPoint[clampTo(index, tables.pointCount)] ?? text.length
  }
  const line = (number: number): Span => {
    const index = clampTo(number - 1, lines.length - 1)
    const start = lines[index] ?? 0
    return { start, end: endOfLine(text, lines[index + 1] ?? text.length, start) }
  }
  return {
    text,
    byteLength,
    lineCount: lines.length,
    fromByte,
    toByte: (offset) =>
      tables === undefined ? inText(offset) : (tables.byteOfUnit[inText(offset)] ?? byteLength),
    fromCodePoint,
    toCodePoint,
    position: (offset) => {
      const inside = inText(offset)
      const index = lastAtMost(lines, inside)
      return { line: index + 1, column: toCodePoint(inside) - toCodePoint(lines[index] ?? 0) + 1 }
    },
    offsetAt: (position) => {
      const { start, end } = line(position.line)
      return Math.min(end, fromCodePoint(toCodePoint(start) + Math.max(0, position.column - 1)))
    },
    line,
  }
}

interface OffsetTables {
  readonly unitOfByte: Uint32Array
  readonly byteOfUnit: Uint32Array
  readonly pointOfUnit: Uint32Array
  readonly unitOfPoint: Uint32Array
  readonly pointCount: number
}

/** A place inside a character is the place where the character begins. */
function offsetTables(text: string, byteLength: number): OffsetTables {
  const unitOfByte = new Uint32Array(byteLength + 1)
  const byteOfUnit = new Uint32Array(text.length + 1)
  const pointOfUnit = new Uint32Array(text.length + 1)
  const unitOfPoint = new Uint32Array(text.length + 1)
  let unit = 0
  let byte = 0
  let point = 0
  while (unit < text.length) {
    const code = text.codePointAt(unit) ?? 0
    const units = code > 0xffff ? 2 : 1
    const bytes = utf8Width(code)
    unitOfByte.fill(unit, byte, byte + bytes)
    byteOfUnit.fill(byte, unit, unit + units)
    pointOfUnit.fill(point, unit, unit + units)
    unitOfPoint[point] = unit
    unit += units
    byte += bytes
    point += 1
  }
  unitOfByte[byte] = unit
  byteOfUnit[unit] = byte
  pointOfUnit[unit] = point
  unitOfPoint[point] = unit
  return { unitOfByte, byteOfUnit, pointOfUnit, unitOfPoint, pointCount: point }
}

/** The number of bytes in UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.codePointAt(unit) ?? 0
    bytes += utf8Width(code)
    if (code > 0xffff) unit += 1
  }
  return bytes
}

function utf8Width(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}

/** Lines end at \n, \r\n or a lone \r, as in PostgreSQL. */
function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: found, index }) => index + found.length)]
}

function endOfLine(text: string, next: number, start: number): number {
  let end = next
  while (end > start && (text[end - 1] === "\n" || text[end - 1] === "\r")) end -= 1
  return end
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function clampTo(value: number, max: number): number {
  return Math.min(max, Math.max(0, value))
}
