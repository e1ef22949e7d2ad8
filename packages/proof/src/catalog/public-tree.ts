// A public tree of group keys, such as region -> hospital -> ward: which combinations of its levels there can
// be. The owner writes it into the policy; nothing of it comes from the data.

/** A tree by its leaves, in order; every leaf has a value at every level. */
export interface PublicTree {
  readonly name: string
  /** From the top. */
  readonly levels: readonly TreeLevel[]
}

/** One level of a tree. */
export interface TreeLevel {
  readonly name: string
  /** Its different values, as the owner writes them. A value may stand below several others. */
  readonly values: readonly TreeValue[]
  /** For each leaf, the place of its value among these. */
  readonly ofLeaf: readonly number[]
}

/** A value as it is written; in quotes it is a text, whatever it looks like. */
export interface TreeValue {
  readonly text: string
  readonly quoted: boolean
}

/**
 * The level of a tree that a column has. The column's listed values are the level's values, in the same
 * order.
 */
export interface TreePlace {
  readonly tree: PublicTree
  readonly level: number
}
