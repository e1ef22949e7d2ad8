// Every entry is tied to all entries before it: its hash covers its own text and the hash before.

import { createHash } from "node:crypto"

/** The hash of a ledger without entries. */
export const emptyHash: string = sha256("dosimeter/ledger/1/empty")

/** The hash after one more entry: SHA-256 of a label, the hash before, and the entry's text. */
export function chainHash(before: string, body: string): string {
  // The label and the hash before have fixed lengths, so no two pairs make the same bytes.
  return createHash("sha256").update(`dosimeter/ledger/1/entry\n${before}\n${body}`, "utf8").digest("hex")
}

/** The hash that stands in a settlement for the release that it recorded. */
export function releaseHash(release: {
  readonly answer: string
  readonly receipt: string
  readonly kept?: readonly { readonly subject: string; readonly text: string }[]
}): string {
  const { answer, receipt, kept = [] } = release
  // Each part is hashed by itself, so that text cannot move from one to the other.
  const tables = kept.map(({ subject, text }) => `\n${sha256(subject)} ${sha256(text)}`).join("")
  return sha256(`dosimeter/ledger/1/release\n${sha256(answer)}\n${sha256(receipt)}${tables}`)
}

/** Whether a text is a hash as written here. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex")
}
