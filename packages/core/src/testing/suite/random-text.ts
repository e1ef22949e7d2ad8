// Text that is random: hashes, keys and ids. It may hold any short word by accident, so a test that looks
// for a word, to see that it is not there, looks at the rest.

/**
 * A text without its hashes and ids: runs of 16 or more hexadecimal digits, and of 22 or more letters and
 * digits of base64 with a digit or mixed case, become `…`. Words and numbers of people are never as long.
 */
export function withoutRandomText(text: string): string {
  return text
    .replace(/\b[0-9a-f]{16,}\b/gi, "…")
    .replace(/[\w+/-]{22,}={0,2}/g, (run) => (/\d|[a-z][A-Z]/.test(run) ? "…" : run))
}
