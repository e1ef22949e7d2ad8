// The known word that was probably meant.

/** How a wrong word should have been written: the nearest known one, or the whole list if none is near. */
export function suggest(wrong: string, known: readonly string[]): string {
  const near = closest(wrong, known)
  if (near !== undefined) return near
  if (known.length === 0) return "another name"
  const shown = known.slice(0, listMax)
  const last = shown.at(-1) ?? ""
  const list = shown.length === 1 ? last : `${shown.slice(0, -1).join(", ")} or ${last}`
  return known.length > listMax ? `one of ${known.length} names, such as ${list}` : list
}

const listMax = 12
/** Longer names are not compared: the table of distances would be large. */
const lengthMax = 63

function closest(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > lengthMax) return undefined
  const far = Math.max(1, Math.floor(wrong.length / 3))
  let best: string | undefined
  let least = far + 1
  for (const word of known) {
    if (Math.abs(word.length - wrong.length) >= least) continue
    const away = distance(wrong.toLowerCase(), word.toLowerCase())
    if (away < least) [best, least] = [word, away]
  }
  return best
}

/** How many letters must be added, removed or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
