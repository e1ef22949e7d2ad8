import { adviseEpsilon } from "@dosimeter/core/meaning"
import { showParameter } from "@dosimeter/core"
import { expect, test } from "vitest"
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
  expect(text).toContain(words.conflict)
  expect(text).toContain(words.gapText("3.72", "0.5679"))
  expect(text).toContain(words.fewer("1"))
  expect(text).toContain(words.allow("3.72"))
  expect(screen.fact(words.epsilon)).toBe("0.568")
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

test("the paragraph for the board names the same facts in both languages", () => {
  const names = [
    "numbers",
    "times",
    "count",
    "population",
    "noise",
    "epsilon",
    "delta",
    "hidden",
    "half",
    "from",
    "to",
    "right",
  ] as const
  const facts = Object.fromEntries(names.map((name) => [name, `{${name}}`])) as Parameters<
    typeof advise.boardText
  >[0]
  for (const language of languages) {
    const text = catalogues[language].advise.boardText(facts)
    for (const name of names) expect(text).toContain(`{${name}}`)
  }
})

function adviceOf(changes: Partial<typeof firstDraft>) {
  const made = adviceOn({ ...firstDraft, odds: "", ...changes })
  if (made.kind !== "advice") throw made.error
  expect(adviseEpsilon(made.question).plan.epsilon).toEqual(made.advice.plan.epsilon)
  return made
}
