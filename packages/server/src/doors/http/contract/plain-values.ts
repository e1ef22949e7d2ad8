// Whole numbers of any size inside JSON: as {"bigint": "…"}. With it a catalog and terms cross the network
// and come out the same.

/** A value with every bigint written as text. */
export function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return { bigint: `${value}` }
  if (Array.isArray(value)) return value.map((item: unknown) => toPlain(item))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]))
}

/** The value that `toPlain` was given. */
export function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => fromPlain(item))
  if (typeof value !== "object" || value === null) return value
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === "bigint" && typeof first[1] === "string") return BigInt(first[1])
  return Object.fromEntries(entries.map(([name, field]) => [name, fromPlain(field)]))
}
