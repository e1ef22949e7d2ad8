import { expect, test } from "vitest"
import { refusal } from "../testing/ledger-fixtures.ts"
import { answerOfRelease, receiptOfRelease } from "./read-release.ts"
import { recordedAnswer, recordedAnswers, textsOfAnswer, textsOfAnswers } from "./recorded.ts"

const table = { columns: [{ name: "n", type: "integer", kind: "noisy" }], rows: [] } as const
const one = { ...textsOfAnswer(table, {}), charge: 7n }
const several = { ...textsOfAnswers([table, table], {}), charge: 8n }

test("what is recorded is read as it was", () => {
  expect(recordedAnswer(one)).toEqual({ answer: table, receipt: {}, origin: "recorded", charge: 7n })
  expect(recordedAnswers(several)).toMatchObject({ answers: [table, table], charge: 8n })
})

test("ledger/unknown-form: what another version wrote is refused, with its place and no value", async () => {
  const reasons = [
    () => answerOfRelease({ ...one, answer: '{"columns":[],"rows":[],"secret":"CANARY"}' }),
    () => answerOfRelease({ ...one, answer: '{"columns":[{"name":"n"}],"rows":[]}' }),
    () => receiptOfRelease({ ...one, receipt: '{"format":"dosimeter-receipt/9"}' }),
    () => receiptOfRelease({ ...one, receipt: "CANARY" }),
    () => recordedAnswer(several),
    () => recordedAnswers(one),
  ]
  for (const read of reasons) {
    const error = await refusal((async () => read())())
    expect(error.code).toBe("ledger/unknown-form")
    expect(error.message).toMatch(/^the release at entry [78] has a form/)
    expect(error.message).not.toContain("CANARY")
  }
})
