import fc from "fast-check"
import { expect, test } from "vitest"
import { sourceText, utf8Length } from "./source.ts"

test("all offsets of an ASCII text are the same", () => {
  const source = sourceText("SELECT 1")
  expect([source.fromByte(3), source.toByte(3), source.fromCodePoint(3), source.toCodePoint(3)]).toEqual([
    3, 3, 3, 3,
  ])
  expect(source.byteLength).toBe(8)
})

test("bytes, code points and UTF-16 units are told apart", () => {
  const source = sourceText("é🏥x") // 2 + 4 + 1 bytes, 1 + 2 + 1 units, 3 code points
  expect(source.byteLength).toBe(7)
  expect([0, 2, 6, 7].map(source.fromByte)).toEqual([0, 1, 3, 4])
  expect([0, 1, 3, 4].map(source.toByte)).toEqual([0, 2, 6, 7])
  expect([0, 1, 2, 3].map(source.fromCodePoint)).toEqual([0, 1, 3, 4])
  expect([0, 1, 3, 4].map(source.toCodePoint)).toEqual([0, 1, 2, 3])
})

test("a place inside a character is where the character begins", () => {
  const source = sourceText("é🏥x")
  expect([1, 3, 4, 5].map(source.fromByte)).toEqual([0, 1, 1, 1])
  expect(source.toByte(2)).toBe(2)
})

test("offsets outside the text are moved to its ends", () => {
  for (const source of [sourceText("ab"), sourceText("é")]) {
    expect(source.fromByte(-5)).toBe(0)
    expect(source.fromByte(99)).toBe(source.text.length)
    expect(source.fromCodePoint(99)).toBe(source.text.length)
    expect(source.toCodePoint(99)).toBe(Array.from(source.text).length)
  }
})

test("lines end at any line break, and columns count characters", () => {
  const source = sourceText("a\nbb\r\n🏥c\rd")
  expect(source.lineCount).toBe(4)
  expect(source.position(0)).toEqual({ line: 1, column: 1 })
  expect(source.position(3)).toEqual({ line: 2, column: 2 })
  expect(source.position(8)).toEqual({ line: 3, column: 2 })
  expect(source.position(10)).toEqual({ line: 4, column: 1 })
  const texts = [1, 2, 3, 4]
    .map((line) => source.line(line))
    .map(({ start, end }) => source.text.slice(start, end))
  expect(texts).toEqual(["a", "bb", "🏥c", "d"])
  expect(source.offsetAt({ line: 3, column: 2 })).toBe(8)
  expect(source.offsetAt({ line: 2, column: 99 })).toBe(4)
})

test("every conversion leads back, and agrees with the platform", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const source = sourceText(text)
      let offset = 0
      for (const [index, character] of Array.from(text).entries()) {
        expect(source.fromByte(source.toByte(offset))).toBe(offset)
        expect(source.fromCodePoint(index)).toBe(offset)
        expect(source.toCodePoint(offset)).toBe(index)
        expect(source.offsetAt(source.position(offset))).toBe(offset)
        offset += character.length
      }
      expect(source.byteLength).toBe(utf8Length(text))
      expect(source.byteLength).toBe(encodeURIComponent(text).replace(/%../g, "x").length)
    }),
  )
})
