// Texts side by side: how wide a text is on a screen, cells that align, lines that fit.

/** How many columns of a screen a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) continue
    width += wide.test(character) ? 2 : 1
  }
  return width
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffe6\u{1f300}-\u{1faff}]/u

/** A text to the left or to the right of so many columns. */
export function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)))
  return align === "left" ? `${text}${space}` : `${space}${text}`
}

/** A text of at most so many columns. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ""
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** What must not reach a terminal is replaced: controls, line breaks, marks that would reverse the line. */
export function safeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, "\ufffd")
}

/** A paragraph in lines, all but the first indented. A sign stays with its number. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines = [""]
  for (const word of text.split(/(?<!±)\s+/)) {
    const line = lines.at(-1) ?? ""
    if (line.trim() !== "" && widthOf(line) + 1 + widthOf(word) > width) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.join("\n")
}

/** A bar of so many columns, of which a share is full. */
export function bar(share: number, width: number, plain: boolean): string {
  const steps = Math.max(0, Math.min(1, share)) * width
  // Something spent is never an empty bar, and something left never a full one.
  const full = share <= 0 ? 0 : share >= 1 ? width : Math.min(width - 1, Math.max(1, Math.round(steps)))
  if (plain) return `[${"#".repeat(full)}${".".repeat(width - full)}]`
  return `${"█".repeat(full)}${"░".repeat(width - full)}`
}
