// Which known name a mistyped one was perhaps meant to be.

/** The closest names, as a list for people; empty if none is close. */
export function nearNames(wanted: string, known: Iterable<string>): string {
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const found: { readonly name: string; readonly distance: number }[] = []
  for (const name of new Set(known)) {
    if (Math.abs(name.length - wanted.length) > limit) {
      if (wanted.length >= 4 && (name.endsWith(`_${wanted}`) || name.startsWith(`${wanted}_`))) {
        found.push({ name, distance: limit + 1 })
      }
      continue
    }
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase())
    if (distance <= limit) found.push({ name, distance })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
    .join(" or ")
}

/** Insertions, deletions, changes and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + change,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
