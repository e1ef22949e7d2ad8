// The Lab: its contents, its exercises and the teacher's page.

import { expect, test } from "vitest"
import { labCatalogues, type ChapterWords } from "../../strings/lab-texts.ts"
import { locales } from "../../strings/use-strings.ts"
import { languages } from "../../testing/shown.tsx"
import { chapters } from "./chapters/all-chapters.ts"
import { isRight, readNumber } from "./parts/chapter.ts"
import { showAnswer } from "./parts/show-answer.ts"
import { openLab as open } from "../../testing/open-lab.tsx"

const lab = labCatalogues.en
const words = lab.chapters

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

/** What is said beside the controls: captions, facts, tables, and the names of pictures. */
function saidAt(place: HTMLElement): string {
  const copy = place.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ""
  for (const control of copy.querySelectorAll("label, [role=radiogroup], button")) control.remove()
  const names = [...copy.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"))
  return [copy.textContent, ...names].join("\n")
}

test.each(chapters.map(({ id }) => id))("%s: each control that is moved changes what is said", async (id) => {
  const screen = await open(id)
  const place = screen.one("region", lab.move)
  const sliders = [...place.querySelectorAll<HTMLInputElement>("input[type=range]")]
  const choices = [...place.querySelectorAll<HTMLElement>("[role=radio][aria-checked=false]")]
  expect(sliders.length + choices.length).toBeGreaterThan(id === "post" ? -1 : 0)
  for (const slider of sliders) {
    const label = slider.labels?.[0]?.querySelector(".label")?.firstChild?.textContent ?? ""
    const before = saidAt(place)
    const end = slider.value === slider.max ? "0" : slider.max
    await screen.type(new RegExp(`^${label.replaceAll(/[()]/g, String.raw`\$&`)}:`), end)
    expect(slider.value).toBe(end)
    expect(saidAt(place), label).not.toBe(before)
  }
  for (const choice of choices) {
    const before = saidAt(place)
    await screen.press(choice.textContent, "radio")
    expect(choice.getAttribute("aria-checked")).toBe("true")
    // One's own answer is not said before it was sent.
    if (id !== "response") expect(saidAt(place), choice.textContent).not.toBe(before)
  }
})

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
