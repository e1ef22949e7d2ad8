// Short names for addresses, made from titles.

/** A short name that a title suggests: letters, digits and dashes; empty where it has none of them. */
export function shortName(title: string): string {
  const words =
    title
      .toLowerCase()
      .normalize("NFKD")
      .match(/[a-z0-9]+/g) ?? []
  return words
    .join("-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-$/, "")
}
