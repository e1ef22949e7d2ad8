// Purposes as a tree: what contains what.

/** A purpose with those inside of it. */
export interface PurposeNode<Item> {
  readonly item: Item
  readonly inside: readonly PurposeNode<Item>[]
}

/** The tree of some purposes; a purpose whose wider one is not among them is at the top. */
export function purposeTree<Item extends { readonly code: string; readonly wider: string | null }>(
  items: readonly Item[],
  within: string | null = null,
): readonly PurposeNode<Item>[] {
  const isHere = ({ wider }: Item): boolean =>
    within === null ? !items.some(({ code }) => code === wider) : wider === within
  return items.filter(isHere).map((item) => ({ item, inside: purposeTree(items, item.code) }))
}
