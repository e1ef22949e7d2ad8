// Small CSV files that people give: RFC 4180, commas or whatever the first line uses most.

import { fail } from "../../../errors.ts"

/** A file: the names in its first line, and its records. */
export interface CsvFile {
  readonly names: readonly string[]
  readonly records: readonly (readonly string[])[]
}

/** Reads it. Refused where a quote does not end, or a line has another number of cells than the first. */
export function readCsv(text: string, file: string): CsvFile {
  const whole = text.replace(/^\uFEFF/, "")
  const first = whole.slice(0, whole.search(/[\r\n]|$/))
  const comma = [",", ";", "\t"].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ","
  const [names = [], ...records] = linesOf(whole, comma, file)
  const wrong = records.findIndex((record) => record.length !== names.length)
  if (wrong >= 0) {
    fail("cli/usage", {
      what: `record ${wrong + 1} of ${file} has ${records[wrong]?.length} cells, and its first line has ${names.length}`,
    })
  }
  return { names: names.map((name) => name.trim()), records }
}

function linesOf(text: string, comma: string, file: string): readonly (readonly string[])[] {
  const lines: string[][] = []
  let [line, cell, isQuoted]: [string[], string, boolean] = [[], "", false]
  const endCell = (): void => {
    line.push(cell)
    cell = ""
  }
  const endLine = (): void => {
    endCell()
    if (line.length > 1 || line[0] !== "") lines.push(line)
    line = []
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ""
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === comma) endCell()
    else if (char === "\n") endLine()
    else if (char !== "\r") cell += char
  }
  if (isQuoted) fail("cli/usage", { what: `${file} has a quote that does not end` })
  if (cell !== "" || line.length > 0) endLine()
  return lines
}

/** A line of a CSV file. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(",")}\n`
}
