// JSON of others and of our own state, read in one place.

/** What a text says; undefined where it is no JSON. Whoever asks checks its shape. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
