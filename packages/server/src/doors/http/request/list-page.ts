// Pages of lists. A cursor is where the last page ended, written so that nobody relies on what is in it.

import { fail } from "../../../errors.ts"

/** Which page is wanted. */
export interface PageQuery {
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** A page. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

const limitDefault = 50

/** How many items a page has at most. */
export function limitOf({ limit = limitDefault }: PageQuery): number {
  return limit
}

/** The page of items after the cursor: they are one more than the limit, if there are more. */
export function pageFrom<Item, Shown>(
  items: readonly Item[],
  query: PageQuery,
  read: { readonly positionOf: (item: Item) => bigint | number; readonly show: (item: Item) => Shown },
): Page<Shown> {
  const limit = limitOf(query)
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = items.length > limit && last !== undefined
  return { items: shown.map(read.show), next: hasMore ? cursorOf(read.positionOf(last)) : null }
}

/** The position in a cursor; undefined for the first page. */
export function positionIn({ after }: PageQuery): bigint | undefined {
  if (after === undefined) return undefined
  const [, digits] = /^p(\d{1,18})$/.exec(Buffer.from(after, "base64url").toString()) ?? []
  if (digits === undefined) fail("request/bad-input", { where: "after in the query", what: "no such page" })
  return BigInt(digits)
}

function cursorOf(position: bigint | number): string {
  return Buffer.from(`p${position}`).toString("base64url")
}
