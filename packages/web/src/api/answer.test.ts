import { expect, test } from "vitest"
import { answerCsv, type Answer } from "./answer.ts"

const answer: Answer = {
  columns: [
    { name: "sex", type: "text", kind: "key" },
    { name: "n", type: "integer", kind: "noisy" },
  ],
  rows: [
    { sex: { value: 'a "b"', state: "released" }, n: { value: 12, low: 8, high: 16, state: "released" } },
    { sex: { value: null, state: "released" }, n: { value: null, state: "below-threshold" } },
  ],
}

test("CSV has every number with its interval, and says beside it what is below the threshold", () => {
  expect(answerCsv(answer)).toBe(
    'sex,n,n_low,n_high,n_state\r\n"a ""b""",12,8,16,released\r\n,,,,below-threshold\r\n',
  )
  expect(answerCsv({ ...answer, rows: answer.rows.slice(0, 1) })).toBe(
    'sex,n,n_low,n_high\r\n"a ""b""",12,8,16\r\n',
  )
})
