// The dataset as the owner declared it, and the guided set-up from files to a policy.

import { act } from "react"
import { expect, test } from "vitest"
import type { Dataset } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal } from "../../testing/fake-server.ts"
import { ada, dataset, otto } from "../../testing/house.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { languages } from "../../testing/shown.tsx"
import { DataPage } from "./datasets.tsx"

const { data, guide, app } = catalogues.en

async function open(changes: Partial<Dataset> = {}, me = ada) {
  const replies = { "GET /api/v1/datasets/clinic": { ...dataset, ...changes } }
  return openScreen(<DataPage />, { me, path: "/data", replies })
}

test.each(languages)("the promises are those of the policy: %s", async (language) => {
  const { data: said } = catalogues[language]
  const screen = await openScreen(<DataPage />, { me: ada, path: "/data", language })
  const { budget, question, bounding, unit } = dataset
  for (const promise of [
    said.protects(unit),
    said.neighbours["add-or-remove"],
    said.budget(budget.epsilon, budget.delta),
    said.question(question.epsilonDefault, question.epsilonMax),
    said.bounding(unit, bounding.groupsPerUnit, bounding.rowsPerGroup),
    said.studies,
  ]) {
    expect(screen.text()).toContain(promise)
  }
})

test("a promise that the owner has not made is not shown", async () => {
  const plain = await open({ studies: false })
  for (const promise of [data.shownFrom("10"), data.slot("250"), data.studies]) {
    expect(plain.text()).not.toContain(promise)
  }
  const strict = await open({ shownFrom: "10", slotMs: 250, neighbours: "replace" })
  for (const promise of [data.shownFrom("10"), data.slot("250"), data.neighbours.replace]) {
    expect(strict.text()).toContain(promise)
  }
  // A threshold hides counts of a ladder, and the norm is learnt from it all the same.
  expect(strict.text()).toContain(data.norm.auto("person"))
})

const rowsIn = (screen: OpenScreen): readonly (readonly (string | null)[])[] =>
  screen.all("row").map((row) => [...row.children].map(({ textContent }) => textContent))

test("columns say what was declared about them: values, bounds, free text, references", async () => {
  const screen = await open()
  expect(rowsIn(screen)).toEqual([
    ["person_id", "integer", ""],
    ["sex", "text", data.oneOf("f, m, NULL")],
    ["year_of_birth", "integer", data.between("1900", "2030")],
    ["letter", "text", data.freeText],
    ["concept_id", "integer", data.references("domain.domain_id")],
  ])
  const [person, concept] = screen.all("group").map(({ textContent }) => textContent)
  expect(person).toContain(data.kinds.private)
  expect(person).toContain(data.unitBy("person", "person_id"))
  expect(concept).toContain(data.kinds.public)
  expect(concept).toContain(data.columns("1"))
})

test("of many values the first are shown, and how many more there are", async () => {
  const [table] = dataset.tables
  const [column] = table?.columns ?? []
  if (table === undefined || column === undefined) throw new Error("the fixture has a table")
  const values = Array.from({ length: 11 }, (_, index) => `v${index}`)
  const screen = await open({ tables: [{ ...table, columns: [{ ...column, values }] }] })
  expect(rowsIn(screen)[0]?.[2]).toBe(`${data.oneOf("v0, v1, v2, v3, v4, v5, v6, v7")} ${data.andMore("3")}`)
})

test("the search finds tables with all columns, or the columns that fit, and opens them", async () => {
  const screen = await open()
  const found = async (word: string): Promise<readonly (string | null | undefined)[]> => {
    await screen.type(data.filter, word)
    return rowsIn(screen).map(([name]) => name)
  }
  expect(await found(" BIRTH ")).toEqual(["year_of_birth"])
  expect(screen.one("group").hasAttribute("open")).toBe(true)
  expect(await found("concept")).toEqual(["concept_id"])
  expect(await found("nowhere")).toEqual([])
  expect(screen.text()).toContain(data.nothingFound)
  expect(await found("")).toHaveLength(5)
})

test("a dataset that cannot be read says why; the set-up is the owner's", async () => {
  const refused = { "GET /api/v1/datasets/clinic": refusal("dataset/closed") }
  const screen = await openScreen(<DataPage />, { me: ada, path: "/data", replies: refused })
  expect(screen.one("alert").textContent).toContain("dataset/closed")
  expect(screen.has("link", guide.open)).toBe(false)
  expect((await open({}, otto)).has("link", guide.open)).toBe(true)
  const analyst = await openScreen(<DataPage />, { me: ada, path: "/data/new" })
  expect(analyst.text()).not.toContain(guide.title)
})

const patients = "person_id,age,sex\n1,30,f\n2,40,m\n"

async function choose(screen: OpenScreen, ...files: readonly File[]): Promise<void> {
  const input = document.querySelector("input[type=file]")
  if (input === null) throw new Error("there is no field for files")
  Object.defineProperty(input, "files", { value: files, configurable: true })
  await act(async () => input.dispatchEvent(new Event("change", { bubbles: true })))
  await screen.until(() => screen.has("row"))
}

async function setUp(...files: readonly File[]) {
  const screen = await openScreen(<DataPage />, { me: otto, path: "/data/new" })
  await choose(screen, ...files)
  return screen
}

test("without a file there is no next step", async () => {
  const screen = await openScreen(<DataPage />, { me: otto, path: "/data/new" })
  expect(screen.one("button", guide.next)).toHaveProperty("disabled", true)
})

test("a file is a table, of which columns and rows are counted; it can be taken away again", async () => {
  const screen = await setUp(new File([patients], "patients.csv"))
  expect(rowsIn(screen)[0]?.slice(0, 4)).toEqual(["patients.csv", "patients", "3", guide.allRows("2")])
  expect(screen.one("field", guide.name)).toHaveProperty("value", "patients")
  await screen.press(`${guide.remove} patients.csv`)
  expect(screen.has("row")).toBe(false)
  expect(screen.one("button", guide.next)).toHaveProperty("disabled", true)
})

test("files that cannot be used are named with why, and leave the others", async () => {
  const screen = await setUp(
    new File([patients], "patients.csv"),
    new File(["x"], "notes.docx"),
    new File([""], "empty.csv"),
    new File(['{"a":1}\n'], "more.ndjson"),
  )
  expect(screen.all("row")).toHaveLength(1)
  const why = screen.one("alert").textContent
  expect(why).toContain(guide.problems.ending("notes.docx"))
  expect(why).toContain(guide.problems.empty("empty.csv"))
  expect(why).toContain(guide.problems.mixed("more.ndjson"))
})

test("five steps from a file to a policy that is downloaded as it is shown; nothing is sent", async () => {
  const files = watchSavedFiles()
  const screen = await setUp(new File([patients], "patients.csv"))
  const before = screen.server.sent.length
  const current = (): string | undefined => document.querySelector("[aria-current=step]")?.textContent
  const [, units = "", budget = "", columns = "", policy = ""] = guide.steps
  await screen.press(guide.next)
  expect(current()).toContain(units)
  expect(
    screen.one("button", new RegExp(guide.unitOf("patients").replace("?", "\\?"))).textContent,
  ).toContain(guide.units.column("person_id"))
  await screen.press(guide.next)
  expect(current()).toContain(budget)
  await screen.type(guide.epsilon, "2")
  await screen.press(guide.next)
  expect(current()).toContain(columns)
  await screen.press(guide.next)
  expect(current()).toContain(policy)
  expect(screen.one("status").textContent).toContain(guide.sound)
  expect(screen.one("status").textContent).toContain(guide.tablesOpen("1"))
  const shown = [...document.querySelectorAll(".policy-lines code")].map(({ textContent }) => textContent)
  await screen.press(guide.save)
  const [saved] = await files()
  expect(saved?.name).toBe("dosimeter.yaml")
  expect(saved?.text.trimEnd().split("\n")).toEqual(shown.map((line) => (line === " " ? "" : line)))
  expect(saved?.text).toMatch(/epsilon: 2\b/)
  expect(screen.text()).toContain('dosimeter explain "SELECT COUNT(*) FROM patients"')
  expect(screen.server.sent).toHaveLength(before)
  await screen.press(app.back)
  expect(current()).toContain(columns)
})

test("what is wrong is said in every step, at its line in the last, and cannot be downloaded", async () => {
  const screen = await setUp(new File([patients], "patients.csv"))
  await screen.press(guide.next)
  await screen.press(guide.next)
  await screen.type(guide.epsilon, "nothing")
  expect(screen.one("status").textContent).toContain(guide.wrong("1"))
  await screen.press(guide.next)
  await screen.press(guide.next)
  expect(screen.one("status").textContent).toBe(guide.wrong("1"))
  const wrong = document.querySelector(".policy-problem")?.closest("li")?.querySelector("code")
  expect(wrong?.textContent).toContain("nothing")
  expect(screen.one("button", guide.save)).toHaveProperty("disabled", true)
  expect(screen.text()).not.toContain(guide.afterHelp)
})
