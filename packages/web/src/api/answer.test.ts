import { expect, test } from "vitest"
import { answerCsv, missing, type Answer } from "./answer.ts"

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

test("CSV has the ends of the noise alone where bounding is in the interval, and says what is in it", () => {
  const whole = {
    columns: [{ name: "n", type: "integer", kind: "noisy", bounding: "estimate" }],
    rows: [{ n: { value: 12, low: 8, high: 30, noiseLow: 9, noiseHigh: 15, state: "released" } }],
  } as const
  expect(answerCsv(whole)).toBe(
    "n,n_low,n_high,n_noise_low,n_noise_high,n_bounding\r\n12,8,30,9,15,estimate\r\n",
  )
  const [column] = whole.columns
  const noise = {
    columns: [{ ...column, bounding: "noise-only" as const }],
    rows: [{ n: answer.rows[0]?.["n"] ?? missing }],
  }
  expect(answerCsv(noise)).toBe("n,n_low,n_high,n_bounding\r\n12,8,16,noise-only\r\n")
})
