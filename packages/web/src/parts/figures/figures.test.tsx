// Released numbers, the dose meter and odds, as people see them.

import { expect, test } from "vitest"
import type { Answer, AnswerCell } from "../../api/answer.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { languages, markupOf, textOf } from "../../testing/shown.tsx"
import { AnswerTable } from "./answer-table.tsx"
import { AnswerView } from "./answer-view.tsx"
import { DoseMeter } from "./dose-meter.tsx"
import { halfWidthOf, NoisyNumber, placesOfColumn } from "./noisy-number.tsx"
import { Odds } from "./odds.tsx"

const cell = (
  value: AnswerCell["value"],
  low?: AnswerCell["low"],
  high?: AnswerCell["high"],
): AnswerCell => ({
  value,
  ...(low === undefined ? {} : { low }),
  ...(high === undefined ? {} : { high }),
  state: "released",
})
const below: AnswerCell = { value: null, state: "below-threshold" }
const shown = (of: AnswerCell): string => textOf(<NoisyNumber cell={of} confidence={0.95} />)

test("a number has its interval, for eyes and for readers of screens", () => {
  expect(shown(cell(1234, 1214, 1254))).toBe("1,234\n± 20\n, between 1,214 and 1,254, 95 % sure")
  expect(shown(cell(2.5, 2.25, 2.75))).toBe("2.50\n± 0.25\n, between 2.25 and 2.75, 95 % sure")
})

test("an interval that is not centred, or open, shows its ends", () => {
  expect(shown(cell(10, 2, 40))).toContain("[2, 40]")
  expect(shown(cell(10, 0, null))).toContain("[0, ?]")
  expect(shown(cell(10, 0, null))).toContain("between 0 and without a bound")
  expect(shown(cell(10, null, null))).toContain("± unknown")
})

test.each(languages)("below the threshold, no value and zero are three different things: %s", (language) => {
  const { number } = catalogues[language]
  const texts = [below, cell(null), cell(0, -4, 4)].map((of) =>
    textOf(<NoisyNumber cell={of} confidence={0.95} />, language),
  )
  expect(texts[0]).toBe(number.below)
  expect(texts[1]).toBe(number.nothing)
  expect(texts[2]).toMatch(/^0\n± 4\n/)
  expect(markupOf(<NoisyNumber cell={below} confidence={0.95} />, language)).toContain(
    `title="${number.belowHelp}"`,
  )
})

test("a column has one number of digits, from its narrowest interval", () => {
  expect(placesOfColumn([cell(1.5, 1, 2), cell(2.123, 2.1, 2.146), below])).toBe(3)
  expect(placesOfColumn([cell(3), cell(4)])).toBe(0)
  expect([halfWidthOf(cell(1, 0, 2)), halfWidthOf(cell(1, null, 2)), halfWidthOf(below)]).toEqual([
    1,
    undefined,
    undefined,
  ])
})

const answer: Answer = {
  columns: [
    { name: "sex_at_birth", type: "text", kind: "key" },
    { name: "n", type: "integer", kind: "noisy" },
  ],
  rows: [
    { sex_at_birth: cell("f"), n: cell(120, 100, 140) },
    { sex_at_birth: cell(null), n: below },
    { sex_at_birth: cell("m") },
  ],
}

test("a table has every row, groups without a name, and nothing in place of what is missing", () => {
  const text = textOf(<AnswerTable answer={answer} confidence={0.9} caption="Answer, 3 rows" />)
  expect(text.split("\n")).toEqual([
    "Answer, 3 rows",
    "sex_at_birth",
    "n",
    "f",
    "120",
    "± 20",
    ", between 100 and 140, 90 % sure",
    "no value",
    "below threshold",
    "m",
    "no value",
  ])
})

test("one number alone is large, and a name breaks after its underscores", () => {
  const one: Answer = { columns: answer.columns.slice(1), rows: [{ n: cell(7, 3, 11) }] }
  expect(markupOf(<AnswerTable answer={one} confidence={0.9} caption="" />)).toContain('data-size="large"')
  const html = markupOf(<AnswerTable answer={answer} confidence={0.9} caption="" />)
  expect(html).toContain("sex_<wbr/>at_<wbr/>birth")
})

test.each(languages)("an answer says how many rows it has and how sure it is: %s", (language) => {
  const { ask } = catalogues[language]
  const view = <AnswerView answer={answer} confidence={0.9} name="release-1" receipt={{}} />
  const text = textOf(view, language)
  expect(text).toContain(ask.resultRows("3"))
  expect(text).toContain(ask.sure("90 %"))
  for (const button of [ask.csv, ask.json, ask.receipt]) expect(text).toContain(button)
})

test.each(languages)(
  "what must be known to read it is said in the language of the screen: %s",
  (language) => {
    const { notes } = catalogues[language]
    const noteFacts: Answer["noteFacts"] = [
      { kind: "estimate", columns: ["n"], more: 0 },
      { kind: "hidden", hidden: 1, rows: 3, from: "10" },
    ]
    const view = <AnswerView answer={{ ...answer, noteFacts }} confidence={0.9} name="x" receipt={{}} />
    const text = textOf(view, language)
    expect(text).toContain(notes.estimate(notes.intervalsOf("n")))
    expect(text).toContain(notes.hidden("1", "3", "10"))
  },
)

const used = (share: number, delta = 0) => ({ share, loss: share, delta, first: "loss" }) as const

test.each(languages)("the meter says what is spent, what this takes and what is left: %s", (language) => {
  const { meter } = catalogues[language]
  const html = markupOf(<DoseMeter label="x" used={used(0.25)} after={used(0.5)} />, language)
  expect(html).toContain(meter.text("25 %", "25 %", "50 %"))
  const idle = markupOf(<DoseMeter label="x" used={used(0.25)} />, language)
  expect(idle).toContain(meter.textShort("25 %", "75 %"))
  expect(idle).toContain(meter.used("25 %"))
})

test("what does not fit says so, and leaves what is left", () => {
  const meter = <DoseMeter label="x" used={used(0.9)} after={used(1)} fits={false} />
  expect(markupOf(meter)).toContain('data-fits="no"')
  expect(markupOf(meter)).toContain("90 % spent, does not fit any more for this question, 10 % left")
})

test("a spent budget is spent, and almost none is not none", () => {
  expect(textOf(<DoseMeter label="x" used={used(1)} />)).toContain("100 %")
  const little = textOf(<DoseMeter label="x" used={used(0.00001)} />)
  expect(little).not.toMatch(/^0 %$/m)
})

test("where delta runs out as well, both are said; epsilon alone adds up by itself", () => {
  const two = <DoseMeter label="x" used={used(0.2, 0.1)} after={used(0.3, 0.2)} accounting="zcdp" />
  expect(textOf(two)).toContain("Two things run out: ")
  expect(textOf(two)).toContain("δ 10 % → 20 %")
  expect(textOf(<DoseMeter label="x" used={used(0.2)} accounting="pure" />)).not.toContain("adds up")
})

test("odds stay between their bounds, rounded outwards", () => {
  expect(textOf(<Odds epsilon="1" delta="0" />)).toBe(
    ["1 %", "10 %", "50 %"]
      .map((from, place) => {
        const { consent } = catalogues.en
        const ends = [
          ["0.3 %", "2.7 %"],
          ["3.9 %", "23.2 %"],
          ["26.8 %", "73.2 %"],
        ][place]
        return `${consent.from(from)}\n${consent.to(ends?.[0] ?? "", ends?.[1] ?? "")}`
      })
      .join("\n"),
  )
  const none = textOf(<Odds epsilon="0" delta="0" />)
  expect(none).toContain(catalogues.en.consent.to("10 %", "10 %"))
})
