// Aligned tables and short numbers for the terminal.

/** Rows as text in columns: the first column to the left, all others to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  )
  return rows
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? ""
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** A number to three digits or so; a dash where there is none. */
export function short(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-"
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US")
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** A share as a percentage. */
export function percent(share: number | undefined): string {
  if (share === undefined || Number.isNaN(share)) return "-"
  return `${(100 * share).toFixed(1)} %`
}
