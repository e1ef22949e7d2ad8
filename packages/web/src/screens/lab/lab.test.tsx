// The Lab: every number on it is the model's, for the epsilon that is chosen.

import { expect, test } from "vitest"
import { atMostPercent, factorNumber, lossNumber } from "../../parts/figures/format-number.ts"
import { catalogues, locales } from "../../strings/use-strings.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { pia } from "../../testing/house.ts"
import { languages } from "../../testing/shown.tsx"
import { publish } from "./coarse-tables.ts"
import {
  labBelief,
  labEpsilonFor,
  labEpsilons,
  labHalfWidth,
  labMechanism,
  labRelative,
  labRight,
  labTotal,
} from "./lab-model.ts"
import { LabPage } from "./lab.tsx"

const { lab } = catalogues.en

const open = async (language: "en" | "zh" = "en") =>
  openScreen(<LabPage />, { me: pia, path: "/lab", language })

const label = new RegExp(`^${lab.epsilon}`)

/** Moves the slider to an epsilon of its marks. */
async function moveTo(screen: OpenScreen, epsilon: string): Promise<void> {
  await screen.type(label, `${labEpsilons.indexOf(epsilon)}`)
}

test.each(languages)("the bar says error and odds of its epsilon: %s", async (language) => {
  const said = catalogues[language].lab
  const screen = await open(language)
  const bar = screen.one("region", said.epsilon).textContent
  const half = labHalfWidth(labMechanism("0.5"))
  expect(bar).toContain(said.plusMinus(half.toLocaleString(locales[language])))
  expect(bar).toContain(said.atMost(factorNumber(labBelief("0.5", "0.5").oddsFactor, locales[language])))
})

test.each(["0.1", "2"])("at epsilon %s every step speaks about that epsilon", async (epsilon) => {
  const screen = await open()
  await moveTo(screen, epsilon)
  const text = screen.text()
  const { lower, upper, oddsFactor } = labBelief(epsilon, "0.1")
  expect(text).toContain(lab.worlds.text(factorNumber(oddsFactor, "en")))
  const low = `${(Math.floor(lower * 1000 + 1e-9) / 10).toLocaleString("en")} %`
  expect(text).toContain(lab.people.words("10 %", low, atMostPercent(upper, "en")))
  expect(text).toContain(lab.people.right(`${Math.ceil(labRight(epsilon) * 100 - 1e-9)}`))
  const total = labTotal(epsilon, 12)
  expect(text).toContain(lab.addUp.text("12", lossNumber(Math.min(total.plain, total.byRho), "en")))
  const off = labRelative(labMechanism(epsilon), 100).toLocaleString("en", { maximumSignificantDigits: 2 })
  expect(screen.fact(lab.sizes.row("100"))).toBe(lab.sizes.off(off))
})

test("a hundred questions cost the lower of the two sums, which is that of rho", async () => {
  const screen = await open()
  await moveTo(screen, "0.1")
  await screen.type(new RegExp(`^${lab.addUp.questions}`), "11")
  const { plain, byRho } = labTotal("0.1", 100)
  expect(byRho).toBeLessThan(plain)
  expect(screen.text()).toContain(lab.addUp.text("100", lossNumber(byRho, "en")))
})

test("the slider speaks the epsilon, not its place", async () => {
  const screen = await open()
  await moveTo(screen, "2")
  expect(screen.one("field", label).getAttribute("aria-valuetext")).toBe("2")
})

/** How many intervals were drawn so far, of how many. */
function drawn(screen: OpenScreen): readonly [number, number] {
  const [, hits, all] = /(\d+) of (\d+) intervals so far/.exec(screen.text()) ?? []
  return [Number(hits), Number(all)]
}

test("asking draws seven more groups, twenty times as many on demand, and another epsilon begins anew", async () => {
  const screen = await open()
  expect(drawn(screen)[1]).toBe(7)
  await screen.press(lab.noise.draw)
  expect(drawn(screen)[1]).toBe(14)
  await screen.press(lab.noise.drawMany)
  const [hits, all] = drawn(screen)
  expect(all).toBe(154)
  expect(hits).toBeLessThanOrEqual(all)
  await moveTo(screen, "2")
  expect(drawn(screen)[1]).toBe(7)
})

test("a belief before the answer is chosen, and the picture has as many people", async () => {
  const screen = await open()
  await screen.press(lab.people.priorOf("30"), "radio")
  const after = Math.ceil(labBelief("0.5", "0.3").upper * 100 - 1e-9)
  const picture = document.querySelector("svg.people")
  expect(picture?.getAttribute("aria-label")).toBe(lab.people.picture("30", `${after}`))
  expect(picture?.querySelectorAll(".person-before")).toHaveLength(30)
  expect(picture?.querySelectorAll(".person-after")).toHaveLength(after - 30)
  expect(picture?.querySelectorAll("g")).toHaveLength(100)
})

test("a wanted accuracy gives an epsilon, which can be used above", async () => {
  const screen = await open()
  await screen.type(lab.choose.size, "100")
  await screen.type(lab.choose.percent, "10")
  const epsilon = labEpsilonFor("100", "10") ?? ""
  expect(epsilon).not.toBe("")
  expect(screen.text()).toContain(lab.choose.answer(epsilon))
  await screen.press(lab.choose.use)
  expect(screen.one("region", lab.epsilon).textContent).toContain(epsilon)
})

test.each(["0", "-3", "many", ""])("a size of %j gives no epsilon, and says so", async (size) => {
  const screen = await open()
  await screen.type(lab.choose.size, size)
  expect(screen.text()).toContain(lab.choose.bad)
  expect(screen.has("button", lab.choose.use)).toBe(false)
})

test.each(["2", "6"])("with k = %s two tables still tell the diagnosis that both have", async (k) => {
  const screen = await open()
  await screen.press(`k = ${k}`, "radio")
  const { tables, common } = publish(Number(k))
  expect(common).toEqual(["hepatitis"])
  expect(screen.text()).toContain(lab.classes.both(lab.classes.diagnoses.hepatitis))
  expect(screen.all("row")).toHaveLength(tables.reduce((sum, { own }) => sum + own.length, 0))
  const marked = screen.all("row").filter(({ className }) => className === "lab-hit")
  expect(marked.length).toBeGreaterThan(0)
  for (const row of marked) expect(row.textContent).toContain(lab.classes.diagnoses.hepatitis)
})
