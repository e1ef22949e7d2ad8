// The Lab: moving a control changes what it should, and the checkers know right from wrong. What is shown is
// compared with the model, which is core's.

import { expect, test } from "vitest"
import { atMostPercent, factorNumber, lossNumber } from "../../parts/figures/format-number.ts"
import { labCatalogues, type ChapterWords } from "../../strings/lab-texts.ts"
import { locales } from "../../strings/use-strings.ts"
import { pia } from "../../testing/house.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { chapters } from "./chapters/all-chapters.ts"
import { bothNoises } from "./chapters/bell.tsx"
import { clampedMean } from "./chapters/clamping.tsx"
import { publish } from "./chapters/coarse-tables.ts"
import { failureChance } from "./chapters/delta.tsx"
import { ownNoise, sharedNoise } from "./chapters/federated.tsx"
import { errorsAt } from "./chapters/governance.tsx"
import { localHalfWidth } from "./chapters/local.tsx"
import { tableLoss } from "./chapters/parallel.tsx"
import { visitCount } from "./chapters/users.tsx"
import { isRight, readNumber } from "./parts/chapter.ts"
import {
  labBelief,
  labEpsilons,
  labHalfWidth,
  labMechanism,
  labRelative,
  labRight,
  labTotal,
} from "./parts/lab-model.ts"
import { showAnswer } from "./parts/show-answer.ts"
import { LabPage } from "./lab.tsx"

const lab = labCatalogues.en
const words = lab.chapters

const open = async (
  chapter: string,
  options: { readonly language?: "en" | "zh"; readonly kept?: object } = {},
) => openScreen(<LabPage />, { me: pia, path: `/lab/${chapter}`, ...options, kept: { ...options.kept } })

/** Moves a slider to the place of a value among its marks. */
const move = async (screen: OpenScreen, label: string, place: number): Promise<void> =>
  screen.type(new RegExp(`^${label.replaceAll(/[()]/g, String.raw`\$&`)}:`), `${place}`)
const toEpsilon = async (screen: OpenScreen, epsilon: string): Promise<void> =>
  move(screen, lab.epsilon, labEpsilons.indexOf(epsilon))
const three = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 })
const two = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 2 })

test.each(languages)("the contents lead to every chapter, and say what is solved: %s", async (language) => {
  const said = labCatalogues[language]
  const screen = await open("", { language, kept: { "lab.solved": ["noise", "delta"] } })
  for (const [index, { id }] of chapters.entries()) {
    const link = screen.one("link", said.chapter(`${index + 1}`, said.chapters[id].title))
    expect(link.getAttribute("href")).toBe(`/lab/${id}`)
  }
  expect(screen.text()).toContain(said.progress("2", `${chapters.length}`))
})

test("every chapter has an idea in three sentences, in both languages", () => {
  for (const language of languages) {
    for (const { id } of chapters) {
      const { idea } = labCatalogues[language].chapters[id]
      expect(idea.match(/。|\.(?=\s|$)/g), `${id} in ${language}: ${idea}`).toHaveLength(3)
    }
  }
})

test.each(chapters.map(({ id }) => id))(
  "%s: a wrong answer gets a hint, the right one is remembered",
  async (id) => {
    const chapter = chapters.find((one) => one.id === id)
    const said: ChapterWords = words[id]
    const screen = await open(id)
    expect(screen.one("heading", lab.exercise).textContent).not.toContain(lab.solved)
    await screen.press(lab.check)
    expect(screen.text()).toContain(lab.cannotRead)
    if (chapter?.exercise.kind === "number") {
      const answer = chapter.exercise.answer()
      await screen.type(lab.answer, `${answer * 1.3 + 1}`)
      await screen.press(lab.check)
      expect(screen.text()).toContain(said.exercise.hint)
      await screen.type(lab.answer, `${Number(answer.toPrecision(3))}`)
    } else if (chapter?.exercise.kind === "choice") {
      const { options, answer } = chapter.exercise
      const wrong = options.find((option) => option !== answer()) ?? ""
      await screen.press(said.exercise.options?.[wrong] ?? wrong, "radio")
      await screen.press(lab.check)
      expect(screen.text()).toContain(said.exercise.hint)
      await screen.press(said.exercise.options?.[answer()] ?? "", "radio")
    }
    await screen.press(lab.check)
    expect(screen.text()).toContain(lab.right)
    expect(localStorage.getItem("dosimeter.lab.solved")).toBe(JSON.stringify([id]))
  },
)

test("the answers are what a reader works out by hand", () => {
  const answers = Object.fromEntries(
    chapters.map(({ id, exercise }) => [
      id,
      exercise.kind === "number" ? exercise.answer() : exercise.answer(),
    ]),
  )
  expect(answers).toMatchObject({ clamping: 200, classes: "12", governance: "30", bell: 9 })
  expect(answers["users"]).toBeCloseTo(3, 6)
  expect(answers["selection"]).toBeCloseTo(Math.exp(1.9), 6)
  expect(answers["response"]).toBeCloseTo(75, 2)
  expect(answers["bayes"]).toBeCloseTo((100 * Math.E) / (Math.E + 9), 6)
  expect(answers["parallel"]).toBeCloseTo(1.5, 9)
  expect(answers["post"]).toBeCloseTo(3 * Math.sqrt(2 / 3), 6)
  expect(answers["local"]).toBeCloseTo(10, 6)
  expect(answers["federated"]).toBeCloseTo(40, 6)
  expect(answers["delta"]).toBeCloseTo(100 * (1 - 0.999 ** 1000), 6)
  // P(|noise| > r) = 2 q^(r + 1) / (1 + q) is 5 % at most from these on.
  const half = (epsilon: number): number =>
    Math.ceil(Math.log((0.05 * (1 + Math.exp(-epsilon))) / 2) / -epsilon - 1)
  expect(answers["noise"]).toBe(half(0.04))
  const least = Number(answers["choose"])
  expect(half(least)).toBe(8)
  expect(half(least * 0.999)).toBe(9)
  // rho = 100 times that of randomized response at 0.1, which is a little below 0.1 squared over 2.
  expect(answers["composition"]).toBeGreaterThan(5)
  expect(answers["composition"]).toBeLessThan(0.5 + 2 * Math.sqrt(0.5 * Math.log(1e7)))
})

test("numbers are read as people type them", () => {
  expect(["0,5", " 1 000 ", "25 %", "-3", "x", "", "1e5", "1.2.3"].map(readNumber)).toEqual([
    0.5,
    1000,
    25,
    -3,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(isRight({ kind: "number", answer: () => 10, tolerance: 0.05 }, "10.5")).toBe(true)
  expect(isRight({ kind: "number", answer: () => 10, tolerance: 0.05 }, "10.6")).toBe(false)
  expect(isRight({ kind: "choice", options: ["a", "b"], answer: () => "a" }, "c")).toBeUndefined()
})

test.each(languages)("the teacher's page has all exercises with their answers: %s", async (language) => {
  const said = labCatalogues[language]
  const screen = await open("teacher", { language })
  expect(screen.all("article")).toHaveLength(chapters.length)
  for (const { id, exercise } of chapters) {
    const own: ChapterWords = said.chapters[id]
    const text = screen.one("article", own.title).textContent
    expect(text).toContain(own.exercise.ask)
    expect(text).toContain(own.exercise.right(showAnswer(exercise, own, locales[language])))
  }
})

test.each(languages)("noise: the bar says error and odds of its epsilon: %s", async (language) => {
  const said = labCatalogues[language]
  const screen = await open("noise", { language })
  const bar = screen.one("region", said.epsilon).textContent
  expect(bar).toContain(said.plusMinus(labHalfWidth(labMechanism("0.5")).toLocaleString(locales[language])))
  expect(bar).toContain(said.atMost(factorNumber(labBelief("0.5", "0.5").oddsFactor, locales[language])))
})

/** How many intervals were drawn so far, of how many. */
function drawn(screen: OpenScreen): readonly [number, number] {
  const [, hits, all] = /(\d+) of (\d+) intervals so far/.exec(screen.text()) ?? []
  return [Number(hits), Number(all)]
}

test("noise: asking draws seven more groups, and another epsilon begins anew", async () => {
  const screen = await open("noise")
  expect(drawn(screen)[1]).toBe(7)
  await screen.press(words.noise.draw)
  expect(drawn(screen)[1]).toBe(14)
  await screen.press(words.noise.drawMany)
  const [hits, all] = drawn(screen)
  expect(all).toBe(154)
  expect(hits).toBeLessThanOrEqual(all)
  await toEpsilon(screen, "2")
  expect(drawn(screen)[1]).toBe(7)
  expect(screen.one("field", new RegExp(`^${lab.epsilon}`)).getAttribute("aria-valuetext")).toBe("2")
  expect(screen.fact(words.noise.row("100"))).toBe(words.noise.off(two(labRelative(labMechanism("2"), 100))))
})

test.each(["0.1", "2"])(
  "bayes: at epsilon %s curves and people speak about that epsilon",
  async (epsilon) => {
    const screen = await open("bayes")
    await toEpsilon(screen, epsilon)
    const { lower, upper, oddsFactor } = labBelief(epsilon, "0.1")
    expect(screen.text()).toContain(words.bayes.worlds(factorNumber(oddsFactor, "en")))
    const low = `${(Math.floor(lower * 1000 + 1e-9) / 10).toLocaleString("en")} %`
    expect(screen.text()).toContain(words.bayes.words("10 %", low, atMostPercent(upper, "en")))
    expect(screen.text()).toContain(words.bayes.attacker(`${Math.ceil(labRight(epsilon) * 100 - 1e-9)}`))
  },
)

test("bayes: a belief before the answer is chosen, and the picture has as many people", async () => {
  const screen = await open("bayes")
  await screen.press(words.bayes.priorOf("30"), "radio")
  const after = Math.ceil(labBelief("0.5", "0.3").upper * 100 - 1e-9)
  const picture = document.querySelector("svg.people")
  expect(picture?.getAttribute("aria-label")).toBe(words.bayes.picture("30", `${after}`))
  expect(picture?.querySelectorAll(".person-before")).toHaveLength(30)
  expect(picture?.querySelectorAll(".person-after")).toHaveLength(after - 30)
  expect(picture?.querySelectorAll("g")).toHaveLength(100)
})

test("clamping: a bound far below the chief's salary is the better one", async () => {
  const screen = await open("clamping")
  const text = (upper: number): string => {
    const { noise, leftOut, both } = clampedMean(upper)
    return words.clamping.text(two(noise), two(leftOut), two(both))
  }
  expect(screen.text()).toContain(text(2000))
  await move(screen, words.clamping.upper, 5)
  expect(screen.text()).toContain(text(80))
  expect(clampedMean(80).both).toBeLessThan(clampedMean(2000).both)
  expect(clampedMean(2000).leftOut).toBe(0)
})

test("users: more visits, wider noise for the patient and the same for a visit", async () => {
  const screen = await open("users")
  await move(screen, words.users.most, 29)
  const half = (most: number): string => `${labHalfWidth(visitCount(most))}`
  expect(screen.text()).toContain(words.users.text("30", half(1), half(30)))
  expect(labHalfWidth(visitCount(30))).toBeGreaterThan(25 * labHalfWidth(visitCount(1)))
})

test("composition: the lower sum is told, and all ways of adding are compared on demand", async () => {
  const screen = await open("composition")
  await move(screen, words.composition.questions, 4)
  await toEpsilon(screen, "0.3")
  const { plain, byRho } = labTotal("0.3", 8)
  expect(screen.text()).toContain(words.composition.text("8", lossNumber(Math.min(plain, byRho), "en")))
  await screen.press(words.composition.compare)
  expect(screen.all("row")).toHaveLength(6)
  expect(screen.all("row")[0]?.textContent).toContain(lossNumber(plain, "en"))
  await move(screen, words.composition.questions, 5)
  expect(screen.all("row")).toHaveLength(0)
})

test("parallel: groups cost nothing more, memberships do", async () => {
  const screen = await open("parallel")
  expect(screen.text()).toContain(words.parallel.text("8", "0.5", "4"))
  await move(screen, words.parallel.groups, 6)
  expect(screen.text()).toContain(words.parallel.text("40", "0.5", "20"))
  await move(screen, words.parallel.most, 2)
  expect(screen.text()).toContain(words.parallel.text("40", lossNumber(tableLoss(3), "en"), "20"))
})

test("post: parts add up to all, nothing is negative, and totals never fall", async () => {
  const screen = await open("post")
  await screen.press(words.post.draw)
  const column = screen.all("row").map((row) => Number(row.querySelectorAll("td")[2]?.textContent))
  expect(column).toHaveLength(4)
  expect(Math.min(...column)).toBeGreaterThanOrEqual(0)
  expect(Math.abs((column[0] ?? 0) + (column[1] ?? 0) + (column[2] ?? 0) - (column[3] ?? 0))).toBeLessThan(
    0.21,
  )
})

test("bell: with more groups Gaussian noise wins, and the order decides the epsilon", async () => {
  const screen = await open("bell")
  await move(screen, words.bell.groups, 10)
  const { laplace, gaussian } = bothNoises(100)
  expect(gaussian).toBeLessThan(laplace)
  expect(screen.text()).toContain(words.bell.text("100", three(laplace), three(gaussian)))
  const epsilonOf = (order: string): number =>
    Number(new RegExp(`Order ${order} gives epsilon ([\\d.]+)`).exec(screen.text())?.[1])
  await move(screen, words.bell.order, 1)
  const second = epsilonOf("2")
  await move(screen, words.bell.order, 5)
  expect(epsilonOf("8")).toBeLessThan(second)
})

test("delta: the chance grows with people, and what was drawn is forgotten with it", async () => {
  const screen = await open("delta")
  const text = (people: number): string =>
    words.delta.text(people.toLocaleString("en"), atMostPercent(failureChance(people, 1e-5), "en"))
  expect(screen.text()).toContain(text(10_000))
  await screen.press(words.delta.draw)
  expect(screen.text()).not.toContain(words.delta.notDrawn)
  await move(screen, words.delta.people, 4)
  expect(screen.text()).toContain(text(1_000_000))
  expect(screen.text()).toContain(words.delta.notDrawn)
})

test("selection: at a large epsilon the best one always wins, at a small one it does not", async () => {
  const screen = await open("selection")
  await move(screen, words.selection.epsilon, 7)
  await screen.press(words.selection.again)
  // The second is 4 votes behind: e^-8 at epsilon 2, so 380 of 400 is 19 standard deviations away.
  const share = (): number => Number(/won ([\d.]+) %/.exec(screen.text())?.[1])
  expect(share()).toBeGreaterThan(95)
  await move(screen, words.selection.epsilon, 0)
  expect(share()).toBeLessThan(60)
  await screen.press(words.selection.codes, "radio")
  expect(screen.text()).toContain("I10 won")
})

test("response: your answer is sent through the coin, and the coin is told", async () => {
  const screen = await open("response")
  expect(screen.text()).toContain(words.response.nothing)
  await screen.press(words.response.send)
  expect(screen.text()).toMatch(/What left your device: (yes|no)\. So far [01] of 1 times/)
  await move(screen, words.response.epsilon, 9)
  expect(screen.text()).toContain(words.response.nothing)
  expect(screen.text()).toContain(words.response.coin("99.3"))
})

test("local: more people, more noise on devices and the same at the curator", async () => {
  const screen = await open("local")
  await move(screen, words.local.people, 8)
  const central = labHalfWidth(labMechanism("1"))
  const local = localHalfWidth(1_000_000, 1)
  expect(screen.text()).toContain(
    words.local.text(three(1_000_000), three(central), three(local), three(local / 10_000)),
  )
})

test("federated: shares are nearly as good as one trusted place", async () => {
  const screen = await open("federated")
  await move(screen, words.federated.hospitals, 8)
  await move(screen, words.federated.missing, 1)
  const one = ownNoise(1)
  expect(screen.text()).toContain(
    words.federated.text("20", three(ownNoise(20)), three(sharedNoise(20, 1)), three(one)),
  )
  expect(sharedNoise(20, 1)).toBeLessThan(1.05 * one)
  expect(sharedNoise(20, 0)).toBeGreaterThanOrEqual(one)
})

test.each(["2", "6"])(
  "classes: with k = %s two tables still tell the diagnosis that both have",
  async (k) => {
    const screen = await open("classes")
    await screen.press(`k = ${k}`, "radio")
    const { tables, common } = publish(Number(k))
    expect(common).toEqual(["hepatitis"])
    expect(screen.text()).toContain(words.classes.both(words.classes.diagnoses.hepatitis))
    expect(screen.all("row")).toHaveLength(tables.reduce((sum, { own }) => sum + own.length, 0))
    const marked = screen.all("row").filter(({ className }) => className === "lab-hit")
    expect(marked.length).toBeGreaterThan(0)
    for (const row of marked) expect(row.textContent).toContain(words.classes.diagnoses.hepatitis)
  },
)

test("choose: a stricter board turns the band into a conflict", async () => {
  const screen = await open("choose")
  expect(screen.text()).toContain("no epsilon satisfies both")
  await move(screen, words.choose.epidemiologist, 3)
  expect(screen.text()).toMatch(/Any epsilon from 0\.\d+ to 0\.\d+ satisfies both/)
  await move(screen, words.choose.board, 0)
  expect(screen.text()).toMatch(/needs 0\.\d+ or more, the board allows 0\.\d+ or less/)
})

test("governance: what one community gains the other pays", async () => {
  const screen = await open("governance")
  await move(screen, words.governance.part, 8)
  const { large, small } = errorsAt(90)
  expect(screen.text()).toContain(words.governance.text(two(large), two(small)))
  expect(small).toBeLessThan(errorsAt(50).small)
  expect(large).toBeGreaterThan(errorsAt(50).large)
})
