// Whole numbers of any size inside JSON, as the server writes them: {"bigint": "…"}.

/** The value with every {"bigint": "…"} turned into a bigint. */
export function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => fromPlain(item))
  if (typeof value !== "object" || value === null) return value
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === "bigint" && typeof first[1] === "string") return BigInt(first[1])
  return Object.fromEntries(entries.map(([name, field]) => [name, fromPlain(field)]))
}
