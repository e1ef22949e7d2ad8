// The chapters of the Lab: moving a control changes what it should.

import { expect, test } from "vitest"
import { atMostPercent, factorNumber, lossNumber } from "../../parts/figures/format-number.ts"
import { labCatalogues } from "../../strings/lab-texts.ts"
import { locales } from "../../strings/use-strings.ts"
import type { OpenScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { bothNoises } from "./chapters/bell.tsx"
import { clampedMean } from "./chapters/clamping.tsx"
import { publish } from "./chapters/coarse-tables.ts"
import { failureChance } from "./chapters/delta.tsx"
import { ownNoise, sharedNoise } from "./chapters/federated.tsx"
import { errorsAt } from "./chapters/governance.tsx"
import { localHalfWidth } from "./chapters/local.tsx"
import { tableLoss } from "./chapters/parallel.tsx"
import { visitCount } from "./chapters/users.tsx"
import { labBelief, labHalfWidth, labMechanism, labRelative, labRight, labTotal } from "./parts/lab-model.ts"
import { move, openLab as open, toEpsilon } from "../../testing/open-lab.tsx"

const lab = labCatalogues.en
const words = lab.chapters
const three = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 })
const two = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 2 })

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
