import { expect, test } from "vitest"
import { readAnswer, writeAnswer } from "./answer-text.ts"
import type { AnswerNote } from "./answer-note.ts"
import { noteText } from "./note-words.ts"
import { Unreadable } from "./read-fields.ts"

const all = { columns: [], more: 0 }
const noiseOnly = { kind: "noise-only", ...all, bounds: [], unit: "person", isEarlier: false } as const

const said: readonly (readonly [AnswerNote, string])[] = [
  [
    { kind: "proven", ...all },
    "intervals cover the noise and all that scaling may have left out, by the declared cap",
  ],
  [
    { kind: "estimate", columns: ["a", "b"], more: 2 },
    "intervals of a, b and 2 more cover the noise and an estimate of what scaling left out, which may be more",
  ],
  [
    { kind: "too-much", columns: ["a"], more: 0 },
    "intervals of a have no upper end: scaling may have left out more than can be estimated well",
  ],
  [noiseOnly, "intervals are of the noise only: what bounding left out is not in them"],
  [
    { ...noiseOnly, isEarlier: true },
    "intervals are of the noise only: what the bounds of earlier releases left out is not in them",
  ],
  [
    {
      ...noiseOnly,
      bounds: [
        { beyond: "scaled", groups: "4", rows: "3" },
        { beyond: "scaled", groups: "4" },
        { beyond: "scaled", groups: "1", rows: "3" },
      ],
    },
    "intervals are of the noise only: more than 3 rows in each of 4 groups of a person counts for less; " +
      "more than one row in each of 4 groups of a person counts for less; " +
      "more than 3 rows of a person counts for less, which is not in them",
  ],
  [
    {
      ...noiseOnly,
      bounds: [
        { beyond: "dropped", groups: "4", rows: "3" },
        { beyond: "dropped", groups: "4" },
        { beyond: "dropped", rows: "3" },
      ],
    },
    "intervals are of the noise only: all beyond 4 groups a person and 3 rows a group is dropped; all beyond " +
      "4 groups a person is dropped; all beyond 3 rows a person is dropped, which is not in them",
  ],
  [{ kind: "averages" }, "averages are over the rows that count, and may differ from those of all rows"],
  [
    { kind: "hidden", hidden: 1, rows: 7, from: "10" },
    "1 of 7 rows is below the owner's threshold of 10, and not shown: small numbers that are shown look too high for it",
  ],
  [{ kind: "text", text: "said long ago" }, "said long ago"],
]

test.each(said)("%o", (note, text) => {
  expect(noteText(note)).toBe(text)
})

test("notes are read back from the record as they were written", () => {
  const answer = { columns: [], rows: [], notes: said.map(([note]) => note) }
  expect(readAnswer(writeAnswer(answer))).toEqual(answer)
})

test("a note that an earlier version recorded is a text, and stays one", () => {
  const { notes } = readAnswer('{"columns":[],"rows":[],"notes":["intervals are of the noise only"]}')
  expect(notes?.map((note) => noteText(note))).toEqual(["intervals are of the noise only"])
})

test.each([
  '{"kind":"new"}',
  '{"kind":"averages","more":1}',
  '{"kind":"proven","columns":[],"more":-1}',
  '{"kind":"noise-only","columns":[],"more":0,"bounds":[{"beyond":"cut"}],"unit":"x","isEarlier":false}',
  '{"kind":"noise-only","columns":[],"more":0,"bounds":[],"unit":"x","isEarlier":"no"}',
  "7",
])("what is no note is refused: %s", (note) => {
  expect(() => readAnswer(`{"columns":[],"rows":[],"notes":[${note}]}`)).toThrow(Unreadable)
})
