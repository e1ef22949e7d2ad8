// Holds the names in the code to docs/glossary.md.

import { expect, test } from "vitest"
import { slipsIn, termsTwice, wordsNotSaid, wordsOf } from "./glossary.ts"
import { readRepoFile, typescriptFiles } from "./repo.ts"

/** Names that say such a word all the same, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "packages/core/src/meaning/best-epsilon.ts#PrivacyCost":
    "what a loss is worth to people, beside the worth of an error",
  "packages/core/src/testing/check-privacy.ts#expectViolation":
    "of privacy, planted by a test; no issue in a text",
  "packages/language/src/parse/tokens.ts#RawToken": "of the grammar's scanner; no value of the data",
  "packages/server/src/doors/pgwire/wire/protocol-violation.ts": "PostgreSQL's word for the condition 08P01",
  "packages/server/src/doors/pgwire/wire/protocol-violation.ts#ProtocolViolation":
    "PostgreSQL's word, as above",
}

const words = wordsNotSaid(readRepoFile("docs/glossary.md").text)

test("no word has two rows, unless each says of what", () => {
  expect(termsTwice(readRepoFile("docs/glossary.md").text)).toEqual([])
  const page =
    "| term | meaning | do not say |\n|---|---|---|\n| share (of a loss), a | x | |\n| share (of noise) | y | |\n" +
    "| a | z | |\n| b | z | |\n| b (of c) | z | |\n| d (of e) | z | |\n| d (of e) | z | |\n"
  expect(termsTwice(page)).toEqual(["a", "b", "d"])
})

test("no folder, file or export says what the glossary does not say", () => {
  const slips = slipsIn(typescriptFiles(), words).filter(({ at }) => exceptions[at] === undefined)
  expect(slips.map(({ word, at }) => `${at}: ${word}`)).toEqual([])
})

test("every exception is still needed, and has a reason", () => {
  const needed = new Set(slipsIn(typescriptFiles(), words).map(({ at }) => at))
  expect(Object.keys(exceptions).filter((at) => !needed.has(at))).toEqual([])
  expect(Object.values(exceptions).filter((why) => why.length < 10)).toEqual([])
})

test("the words are those of the last column, without remarks", () => {
  const page =
    "| term | meaning | do not say |\n|---|---|---|\n| clamp | a, b | clip (kept for gradients) |\n| x | y | |\n" +
    "| key selection | z | partition selection, tau |\n"
  expect(wordsNotSaid(page)).toEqual(["clip", "partition selection", "tau"])
  expect(words.length).toBeGreaterThan(30)
})

test("a word is found in types, functions, files and folders, and only as a whole", () => {
  const text =
    "export interface PrivacyId {}\nexport const clipped = 1\nexport function clip() {}\nfunction uid() {}\n"
  const slips = slipsIn(
    [{ path: "packages/core/src/bucket/a.ts", text }],
    ["clip", "privacy id", "bucket", "uid"],
  )
  expect(slips).toEqual([
    { word: "bucket", at: "packages/core/src/bucket/a.ts" },
    { word: "privacy id", at: "packages/core/src/bucket/a.ts#PrivacyId" },
    { word: "clip", at: "packages/core/src/bucket/a.ts#clip" },
  ])
  expect(wordsOf("doors/kept-tableOfX")).toEqual(["doors", "kept", "table", "of", "x"])
})
