import { adviseEpsilon, boardFacts } from "@dosimeter/core/meaning"
import { showParameter } from "@dosimeter/core"
import { expect, test } from "vitest"
import { adviceTexts } from "../../strings/advice-texts.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { ada } from "../../testing/house.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { bandOf } from "../../parts/figures/demands.ts"
import { adviceOn, firstDraft } from "./advise-draft.ts"
import { AdvisePage } from "./advise.tsx"

const { advise } = catalogues.en

const open = async (language: "en" | "zh" = "en"): Promise<OpenScreen> =>
  openScreen(<AdvisePage />, { me: ada, path: "/advise", language })

/** Without the odds, whose search takes longest. */
async function quick(screen: OpenScreen, words: typeof advise): Promise<void> {
  await screen.type(words.odds, "")
}

async function ask(screen: OpenScreen, words = advise): Promise<void> {
  await screen.press(words.advise)
  await screen.until(() => screen.has("status") || screen.has("alert"))
}

test.each(languages)("a conflict is told with its gap and what would reconcile it: %s", async (language) => {
  const words = catalogues[language].advise
  const screen = await open(language)
  await quick(screen, words)
  await ask(screen, words)
  const text = screen.text()
  const { advice, question } = adviceOf({})
  const { plan } = advice
  expect(text).toContain(words.conflict)
  const [needed, allowed] = [plan.least, plan.most].map((end) => showParameter(end?.epsilon ?? plan.delta))
  expect(screen.one("region", words.band).textContent).toContain(
    words.gapText(needed ?? "", allowed ?? "", "6.55"),
  )
  const { conflict } = boardFacts(advice, question)
  const ways = conflict === undefined ? [] : adviceTexts[language].ways(conflict)
  expect(ways).toHaveLength(4)
  for (const way of ways) expect(screen.one("region", words.reconcile).textContent).toContain(way)
  expect(screen.fact(words.epsilon)).toBe("0.568")
  expect(screen.one("region", words.board).textContent).toContain(
    adviceTexts[language].board(advice, question),
  )
  expect(text).toContain("Israeli Ministry of Health")
})

test("a wider error turns the conflict into a band, and the paragraph is about it", async () => {
  const screen = await open()
  await quick(screen, advise)
  await screen.type(advise.deviation, "80")
  await screen.type(advise.within, "250")
  await screen.type(advise.errorPrice, "1")
  await screen.type(advise.privacyPrice, "100000")
  await ask(screen)
  expect(screen.text()).toContain(advise.range)
  const { advice } = adviceOf({ deviation: "80", within: "250" })
  const { plan } = advice
  const [from, to] = [plan.least, plan.most].map((end) => showParameter(end?.epsilon ?? plan.epsilon))
  expect(screen.one("region", advise.band).textContent).toContain(advise.bandText(from ?? "", to ?? ""))
  expect(screen.one("region", advise.board).textContent).toContain(
    `publish 20 numbers 52 times, about 1,200 of 50,000 people`,
  )
  expect(screen.fact(advise.optimum)).toMatch(/^epsilon 0\.\d+ with Laplace noise/)
})

test("the smaller unit is chosen from a list, and what it sums up to is told", async () => {
  const { advice } = adviceOf({ unit: "person-release" })
  expect(advice.plan.kind).toBe("range")
  expect(showParameter(advice.overAllReleases)).toMatch(/^3\.\d+$/)
})

test("nothing wished for, and what makes no sense, are refused by name", async () => {
  const screen = await open()
  for (const label of [advise.deviation, advise.within, advise.odds, advise.advantage])
    await screen.type(label, "")
  await ask(screen)
  expect(screen.text()).toContain("parameter/empty")
  const refused = adviceOn({ ...firstDraft, delta: "0.5" })
  expect(refused).toMatchObject({ kind: "refused", error: { code: "parameter/out-of-range" } })
  expect(adviceOn({ ...firstDraft, confidence: "x" }).kind).toBe("refused")
})

test("per cent become shares without rounding", () => {
  const { question } = adviceOf({ confidence: "99.9", advantage: "5" })
  expect(question.requirements).toMatchObject([{}, { confidence: "0.999" }, { advantage: "0.05" }])
})

test("demands leave a band, a half-line or a gap", () => {
  const need = { name: "n", side: "accuracy", from: 2 } as const
  const allow = (to: number) => ({ name: "a", side: "privacy", to }) as const
  expect(bandOf([need, allow(3)])).toEqual({ from: 2, to: 3, isOpen: true })
  expect(bandOf([need, allow(1), allow(3)])).toEqual({ from: 2, to: 1, isOpen: false })
  expect(bandOf([need])).toEqual({ from: 2, to: undefined, isOpen: true })
})

test("the paragraph for the board has the same figures in both languages", () => {
  const figures = (text: string): readonly string[] =>
    [...new Set(text.match(/\d[\d.,e-]*\d|\d/g))].toSorted()
  const unitless = { groups: "1", releases: "1", deviation: "80" }
  for (const changes of [{}, { unit: "person-release" }, unitless] as const) {
    const { advice, question } = adviceOf(changes)
    const [en = [], zh = []] = languages.map((language) =>
      figures(adviceTexts[language].board(advice, question)),
    )
    expect(en.length).toBeGreaterThan(10)
    // In English one number is a word.
    expect(new Set([...zh, "1"])).toEqual(new Set([...en, "1"]))
  }
})

test("every kind of wish has its words", () => {
  const wishes = [
    { kind: "mean-error-at-most", error: { numerator: 7n, denominator: 2n } },
    {
      kind: "interval-at-most",
      width: { numerator: 9n, denominator: 1n },
      confidence: { numerator: 9n, denominator: 10n },
    },
    { kind: "mean-noise-at-least", noise: { numerator: 4n, denominator: 1n } },
    {
      kind: "noise-exceeds",
      size: { numerator: 6n, denominator: 1n },
      probability: { numerator: 1n, denominator: 4n },
    },
    {
      kind: "posterior-at-most",
      prior: { numerator: 1n, denominator: 10n },
      posterior: { numerator: 1n, denominator: 5n },
    },
    { kind: "epsilon-at-most", epsilon: { numerator: 1n, denominator: 2n } },
  ] as const
  const shown = languages.map((language) => wishes.map((wish) => adviceTexts[language].wish(wish)))
  const short = languages.map((language) => wishes.map((wish) => adviceTexts[language].short(wish)))
  for (const texts of [...shown, ...short])
    for (const [index, figure] of ["3.5", "90 %", "4", "25 %", "20 %", "0.5"].entries())
      expect(texts[index]).toContain(figure)
})

function adviceOf(changes: Partial<typeof firstDraft>) {
  const made = adviceOn({ ...firstDraft, odds: "", ...changes })
  if (made.kind !== "advice") throw made.error
  expect(adviseEpsilon(made.question).plan.epsilon).toEqual(made.advice.plan.epsilon)
  return made
}
