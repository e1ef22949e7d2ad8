import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

const text = readFileSync(new URL("./styles/tokens.css", import.meta.url), "utf8")
const pairs = new Map(
  [...text.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
)

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ["paper", "surface", "sunken"]
const texts: readonly (readonly [string, readonly string[]])[] = [
  ["ink", [...grounds, "accent-soft", "dose-soft", "refused-soft", "good-soft"]],
  ["ink-soft", [...grounds, "refused-soft", "dose-soft", "good-soft"]],
  ["accent", [...grounds, "accent-soft"]],
  ["accent-ink", ["accent"]],
  ["dose-now", [...grounds, "dose-soft"]],
  ["refused", [...grounds, "refused-soft"]],
  ["good", [...grounds, "good-soft"]],
  ["code-keyword", grounds],
  ["code-string", grounds],
  ["code-number", grounds],
  ["code-comment", grounds],
]
const shapes: readonly (readonly [string, readonly string[]])[] = [
  ["line-strong", grounds],
  ["dose-spent", grounds],
  ["dose-now", grounds],
]

test.each(["light", "dark"] as const)(
  "in %s, every text has a contrast of 4.5 to 1 and every mark 3 to 1",
  (theme) => {
    const weak = (list: typeof texts, least: number): readonly string[] =>
      list.flatMap(([front, backs]) =>
        backs.flatMap((back) => {
          const ratio = contrast(pairs.get(front)?.[theme] ?? "", pairs.get(back)?.[theme] ?? "")
          return ratio >= least ? [] : [`${front} on ${back}: ${ratio.toFixed(2)}`]
        }),
      )
    expect(weak(texts, 4.5)).toEqual([])
    expect(weak(shapes, 3)).toEqual([])
  },
)
