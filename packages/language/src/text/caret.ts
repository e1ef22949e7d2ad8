// Draws issues under the SQL that they are about, the same way in every front end:
//   error[code]: message, the line with its number, carets under the place, then the help.

import type { DosimeterError, Issue, Span } from "@dosimeter/core"
import type { SourceText } from "./source.ts"

const widthMax = 100
const tabWidth = 4
const cut = "..."

/** Draws every issue of an error. */
export function drawError(error: DosimeterError, source: SourceText): string {
  return error.issues.map((issue) => drawIssue(issue, source)).join("\n")
}

/** Draws one issue: what is wrong, where, notes with their places, and what to do. */
export function drawIssue(issue: Issue, source: SourceText): string {
  const lines = [`error[${issue.code}]: ${issue.message}`, ...placed(issue.at, source)]
  for (const note of issue.notes ?? []) lines.push(`note: ${note.message}`, ...placed(note.at, source))
  if (issue.help !== undefined) lines.push(`help: ${issue.help}`)
  return lines.join("\n")
}

/** A span over several lines is marked to the end of its first line. */
function placed(at: Span | undefined, source: SourceText): readonly string[] {
  if (at === undefined) return []
  const { line: number } = source.position(at.start)
  const line = source.line(number)
  const text = source.text
  const end = Math.max(at.start, Math.min(at.end, line.end))
  const before = cellsOf(text.slice(line.start, at.start), 0)
  const marked = cellsOf(text.slice(at.start, end), widthOf(before))
  const after = cellsOf(text.slice(end, line.end), widthOf(before) + widthOf(marked))
  const { shown, indent, carets } = cutAround({ before, marked, after })
  const gutter = String(number).padStart(3)
  return [
    `${gutter} | ${shown}`.trimEnd(),
    `${" ".repeat(gutter.length)} | ${" ".repeat(indent)}${"^".repeat(Math.max(1, carets))}`,
  ]
}

/** What stands on the screen for one character, and how many columns it takes. */
interface Cell {
  readonly shown: string
  readonly width: number
}

interface Parts {
  readonly before: readonly Cell[]
  readonly marked: readonly Cell[]
  readonly after: readonly Cell[]
}

interface Cut {
  readonly shown: string
  readonly indent: number
  readonly carets: number
}

/** Keeps the marked part in view: first what follows is cut, then what comes before, then the mark itself. */
function cutAround({ before, marked, after }: Parts): Cut {
  const whole = widthOf(before) + widthOf(marked) + widthOf(after)
  if (whole <= widthMax) {
    return {
      shown: textOf([...before, ...marked, ...after]),
      indent: widthOf(before),
      carets: widthOf(marked),
    }
  }
  const mark = takeFirst(marked, widthMax - 2 * cut.length)
  const markCut = mark.length < marked.length
  const room = widthMax - widthOf(mark) - 2 * cut.length
  const head = takeLast(before, markCut ? room : Math.max(Math.floor(room / 2), room - widthOf(after)))
  const tail = markCut ? [] : takeFirst(after, room - widthOf(head))
  const left = head.length < before.length ? cut : ""
  const right = markCut || tail.length < after.length ? cut : ""
  return {
    shown: `${left}${textOf([...head, ...mark, ...tail])}${right}`,
    indent: left.length + widthOf(head),
    carets: widthOf(mark),
  }
}

function takeFirst(cells: readonly Cell[], room: number): readonly Cell[] {
  let used = 0
  let count = 0
  for (const cell of cells) {
    used += cell.width
    if (used > room) break
    count += 1
  }
  return cells.slice(0, count)
}

function takeLast(cells: readonly Cell[], room: number): readonly Cell[] {
  return takeFirst(cells.toReversed(), room).toReversed()
}

function cellsOf(text: string, startColumn: number): readonly Cell[] {
  const cells: Cell[] = []
  let column = startColumn
  for (const character of text) {
    const cell = cellOf(character, column)
    cells.push(cell)
    column += cell.width
  }
  return cells
}

function cellOf(character: string, column: number): Cell {
  if (character === "\t") {
    const width = tabWidth - (column % tabWidth)
    return { shown: " ".repeat(width), width }
  }
  const code = character.codePointAt(0) ?? 0
  // Controls, and marks that would reverse the line or hide in it, must not reach a terminal.
  if (/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(character))
    return { shown: "\ufffd", width: 1 }
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return { shown: character, width: 0 }
  return { shown: character, width: isWide(code) ? 2 : 1 }
}

/** East Asian wide and full-width characters and emoji, by block. */
function isWide(code: number): boolean {
  return wideRanges.some(([first, last]) => code >= first && code <= last)
}

const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
]

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0)
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ shown }) => shown).join("")
}
