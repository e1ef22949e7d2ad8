// Pictures in text: bars, sparklines, tables. Plain characters only, so that they survive a pipe.

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/** A horizontal bar: `share` of `width` characters, to an eighth of a character. */
export function bar(share: number, width: number): string {
  const steps = Math.round(Math.max(0, Math.min(1, share)) * width * 8)
  return ("█".repeat(steps >> 3) + (eighths[steps & 7] ?? "")).padEnd(width)
}

/** One character for each value, from the least to the greatest. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values)
  const range = Math.max(...values) - least || 1
  return values.map((value) => levels[Math.round(((value - least) / range) * 7)] ?? " ").join("")
}

/** Rows in columns; `align` has a `<` for each column that goes to the left and a `>` for the others. */
export function columns(align: string, rows: readonly (readonly string[])[]): readonly string[] {
  const widths = Array.from(align, (_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ""
        return align[column] === ">" ? cell.padStart(width) : cell.padEnd(width)
      })
      .join("   ")
      .trimEnd(),
  )
}

/** Two pictures side by side. */
export function beside(left: readonly string[], right: readonly string[]): readonly string[] {
  const width = Math.max(...left.map((line) => line.length))
  return left.map((line, i) => `${line.padEnd(width)}    ${right[i] ?? ""}`.trimEnd())
}

/** A paragraph in lines of at most `width` characters. */
export function wrap(text: string, width = 96): readonly string[] {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ""
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines
}

/** A heading: bold where the terminal can, underlined by dashes where it cannot. */
export function heading(text: string): string {
  const isPlain = !process.stdout.isTTY || (process.env["NO_COLOR"] ?? "") !== ""
  return isPlain ? `${text}\n${"-".repeat(text.length)}` : `\u001B[1m${text}\u001B[0m`
}

/** A share in percent. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

/** A number rounded up to three digits, so that no cost is understated: "0.5", "0.123", "8.54e-7". */
export function roundedUp(value: number): string {
  if (value === 0) return "0"
  const power = Math.floor(Math.log10(value)) - 2
  // A hair below a short number is that number: 0.3 is not to become 0.301.
  const digits = Math.ceil(value / 10 ** power - 1e-9)
  return `${Number(`${digits}e${power}`)}`
}
