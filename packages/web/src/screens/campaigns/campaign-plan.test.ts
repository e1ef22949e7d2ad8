import { describe, expect, test } from "vitest"
import { forecastOf, planOf, type CampaignDraft } from "./campaign-plan.ts"

const fever = {
  key: 1,
  kind: "choice",
  text: "Did you have a fever?",
  options: "No\n Yes \n\n",
  low: "",
  high: "",
} as const
const sleep = { key: 2, kind: "number", text: "睡了几小时？", options: "", low: "0", high: "14" } as const
const draft: CampaignDraft = {
  title: "Winter health",
  id: "",
  summary: "Two questions.",
  epsilon: "1",
  people: "20000",
  widest: "3",
  questions: [fever, sleep],
}

test("a draft becomes the plan that the server takes", () => {
  expect(planOf(draft)).toEqual({
    id: "winter-health",
    title: "Winter health",
    summary: "Two questions.",
    epsilon: "1",
    people: 20_000,
    halfWidthMax: 0.03,
    questions: [
      { kind: "choice", name: "did-you-have-a-fever", text: fever.text, options: ["No", "Yes"] },
      { kind: "number", name: "question-2", text: sleep.text, low: 0, high: 14 },
    ],
  })
  const twice = planOf({ ...draft, questions: [fever, { ...fever, key: 2 }] }).questions
  expect(twice.map(({ name }) => name)).toEqual(["did-you-have-a-fever", "question-2"])
})

describe("the error is known before anybody is asked", () => {
  test("of shares in percentage points, of means in their unit", () => {
    const forecast = forecastOf(draft)
    if (forecast.kind !== "ready") throw new Error(forecast.kind)
    expect(forecast).toMatchObject({ people: 10_000, needed: undefined })
    const [share, mean] = forecast.questions
    // Two values at epsilon 1: the standard error is 1 / (2 sqrt(n) sinh(1/2)), 1.96 of them either way.
    expect(share?.halfWidth).toBeCloseTo((100 * 1.959964) / (2 * 100 * Math.sinh(0.5)), 3)
    // On a scale from -1 to 1 a sign has the variance 1 / tanh(1/2)^2 at most; here are 14 / 2 units.
    expect(mean?.halfWidth).toBeLessThanOrEqual((7 * 1.959965) / (100 * Math.tanh(0.5)))
    expect(mean?.halfWidth).toBeGreaterThan(0.2)
  })

  test("what would help is enough, and one person fewer for each question is not", () => {
    const small = forecastOf({ ...draft, people: "400" })
    if (small.kind !== "ready" || small.needed === undefined) throw new Error("it is too small")
    expect(small.questions.map(({ isEnough }) => isEnough)).toEqual([false, false])
    const with_ = (people: number) => {
      const forecast = forecastOf({ ...draft, people: `${people}` })
      return forecast.kind === "ready" && forecast.needed === undefined
    }
    expect(with_(small.needed.people)).toBe(true)
    expect(with_(small.needed.people - 2)).toBe(false)
    const larger = forecastOf({ ...draft, people: "6000" })
    expect(larger).toMatchObject({ needed: { epsilon: 2 } })
  })
})

test("what cannot be read is said, not guessed", () => {
  const kinds = [
    { questions: [{ ...fever, options: "only" }] },
    { questions: [{ ...fever, options: "a\na" }] },
    { questions: [{ ...sleep, high: "0" }] },
    { people: "many" },
    { widest: "0" },
    { epsilon: "much" },
    { epsilon: "0" },
  ].map((change) => {
    const forecast = forecastOf({ ...draft, ...change })
    return forecast.kind === "wrong" ? forecast.what : forecast.kind
  })
  expect(kinds).toEqual([
    "incomplete",
    "sameNames",
    "badEnds",
    "badPeople",
    "badWidest",
    "refused",
    "refused",
  ])
})
