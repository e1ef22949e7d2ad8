// Reading what was written by us as JSON and has no type any more: receipts above all.

/** A field of something that was read. */
export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined
}
