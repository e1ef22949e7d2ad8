import { showParameter } from "@dosimeter/core"
import { adviseEpsilon } from "@dosimeter/core/meaning"
import { expect, test } from "vitest"
import { runCommand } from "../../../main.ts"

const weekly =
  "--people 50000 --count 1200 --groups 20 --in 1 --times 52 --delta 1e-7 --deviation 10 --within 100:0.99 --advantage 0.05"

async function run(text: string): Promise<{ readonly code: number; readonly text: string }> {
  let said = ""
  const write = (more: string): void => {
    said += more
  }
  const code = await runCommand(["advise", ...text.split(" ")], { folder: ".", out: write, error: write })
  return { code, text: said }
}

test("weekly for a year: a conflict is told with what would reconcile it, and what others took", async () => {
  const { code, text } = await run(`${weekly} --unit person`)
  expect(code).toBe(0)
  expect(text).toMatch(/^no epsilon meets every wish\n\nepsilon {3}0\.568\ndelta {5}1e-7\n/)
  expect(text).toContain("needs 3.72: a standard deviation of at most 10")
  expect(text).toContain("allows 0.568: an attacker's advantage of at most 5 %")
  expect(text).toMatch(/\| {2}nothing is left: 3\.7\d+ is needed and 0\.568 allowed, 6\.549 times less\n/)
  const words = text.replaceAll(/\s+/g, " ")
  expect(words).toMatch(
    /any one of these resolves it - accept a standard deviation of at most 57\.\d instead of 10 and noise /,
  )
  expect(words).toMatch(
    / and noise within 14\d at 99 % confidence instead of within 100 \(epsilon 0\.568\) - /,
  )
  expect(words).toMatch(/ - allow an attacker's advantage of at most 2\d\.?\d? % instead of 5 % \(epsilon 3/)
  expect(words).toContain(" - publish 1 release at most - hide a person in each release by itself")
  expect(text).toContain("9.98  birth            Israeli Ministry of Health")
})

test("the same week by week is met, and JSON has the same figures", async () => {
  const { text } = await run(`${weekly} --unit person-release --error-price 1 --privacy-price 100`)
  expect(text).toMatch(/^every wish is met\n/)
  expect(text).toContain("a person in each release by itself")
  expect(text).toMatch(/\| +=+ +\| {2}left: epsilon 0\.\d+ to 0\.568\n/)
  expect(text).toMatch(
    /cheapest {2}epsilon [\d.]+ with Laplace noise: error [\d.,]+ \+ privacy [\d.,]+ = [\d.,]+/,
  )
  expect(text).toContain("at 1 for an error of 1 in one number, and 100 for an epsilon of 1")
  expect(text).toContain("Gaussian noise is taken because it alone meets every wish")
  const made: { readonly plan: { readonly asked: readonly object[] } } = JSON.parse(
    (await run(`${weekly} --unit person-release --json`)).text,
  )
  const advice = adviseEpsilon({
    population: 50_000,
    count: 1200,
    groups: 20,
    groupsPerPerson: 1,
    releases: 52,
    unit: "person-release",
    delta: "1e-7",
    requirements: [
      { kind: "deviation-at-most", deviation: 10 },
      { kind: "within", within: 100, confidence: "0.99" },
      { kind: "advantage-at-most", advantage: "0.05" },
    ],
  })
  expect(made).toMatchObject({
    format: "dosimeter-advice/1",
    plan: { noise: "gaussian", kind: "range", halfWidth: Number(advice.plan.error.halfWidth) },
  })
  expect(made.plan.asked).toHaveLength(3)
  expect(made.plan).toMatchObject({ needed: showParameter(advice.plan.epsilon), allowed: "0.568" })
})

test("with one side silent the band is open on it, and JSON tells what either side would have to give up", async () => {
  const base = "--people 50000 --count 1200 --in 1 --unit person --delta 1e-7"
  expect((await run(`${base} --deviation 10`)).text).toContain("nobody said how much is tolerable")
  expect((await run(`${base} --max-epsilon 1`)).text).toContain(
    "left: up to epsilon 1; nobody said which error",
  )
  const { text } = await run(`${base} --deviation 1 --max-epsilon 0.1 --json`)
  expect(JSON.parse(text)).toMatchObject({
    plan: {
      kind: "conflict",
      allowed: "0.1",
      reliefs: [
        { side: "accuracy", epsilon: "0.1", wishes: [{ kind: "deviation-at-most" }] },
        { side: "privacy", wishes: [{ kind: "epsilon-at-most", asked: "an epsilon of at most 0.1" }] },
      ],
    },
  })
})

test("a single count: said in words, and the noise is taken whose limit has the most room", async () => {
  const { text } = await run(
    "--people 50000 --count 1200 --in 1 --delta 1e-7 --unit person --within 20:0.95 --odds 2",
  )
  const words = text.replaceAll(/\s+/g, " ")
  expect(words).toContain("publish one number once, about 1,200 of 50,000 people. We propose Laplace noise")
  expect(words).toContain("which hides what one person adds to it.")
  expect(words).toContain("Gaussian noise instead: meets every wish")
  expect(words).toContain("Laplace noise is taken because it leaves the tightest limit the most room")
})

test("refuses what makes no sense", async () => {
  const base = "--people 100 --count 10 --in 1 --unit person"
  const refused = [
    [`${base} --delta 0.02 --odds 2`, "error[parameter/out-of-range]"],
    [`${base} --delta 1e-6`, "error[cli/usage]: say what is tolerable"],
    [`${base} --delta 1e-6 --odds 2 --count 101`, "error[parameter/too-large]"],
    [`${base} --delta 1e-6 --within 5`, "error[cli/bad-option]"],
    [`${base} --delta 1e-6 --odds 2 --error-price 1`, "error[cli/usage]"],
    ["--people 100 --count 10 --unit person --delta 1e-6 --odds 2", "--in"],
  ] as const
  for (const [text, wanted] of refused) {
    const { code, text: said } = await run(text)
    expect(code).not.toBe(0)
    expect(said).toContain(wanted)
  }
})
