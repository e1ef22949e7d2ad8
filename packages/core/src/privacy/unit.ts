// Whose presence is hidden, and what two neighbouring datasets are.

/** Whose presence a release hides: everything that one person owns, or a single record. */
export type PrivacyUnit = { readonly kind: "person"; readonly column: string } | { readonly kind: "record" }

/**
 * Two datasets are neighbours if one unit is added or removed, or (larger) if one unit is replaced by
 * another.
 */
export type Neighbours = "add-or-remove" | "replace"
