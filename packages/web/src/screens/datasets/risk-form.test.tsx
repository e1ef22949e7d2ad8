import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal } from "../../testing/fake-server.ts"
import { ada, cleo, dataset, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { languages } from "../../testing/shown.tsx"
import { DataPage } from "./datasets.tsx"

const { data } = catalogues.en
const route = "POST /api/v1/datasets/clinic/risk"
const page = (): Response =>
  new Response("<!doctype html>the report", { headers: { "Content-Type": "text/html" } })
const owners = { me: otto, path: "/data" }
const replies = { "GET /api/v1/datasets/clinic": dataset, [route]: page }

test("an owner saves the report of a table as a page", async () => {
  const saved = watchSavedFiles()
  const screen = await openScreen(<DataPage />, { ...owners, replies })
  await screen.type(data.risk.quasi, "sex, year_of_birth")
  await screen.press(data.risk.make)
  await screen.until(() => screen.text().includes(data.risk.saved("risk-person.html")))
  expect(await saved()).toEqual([
    { name: "risk-person.html", text: "<!doctype html>the report", type: "text/html" },
  ])
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { table: "person", language: "en", quasi: ["sex", "year_of_birth"] },
  ])
  // Nothing of the report is shown.
  expect(screen.text()).not.toContain("doctype")
})

test("a second file goes along, with the columns that have another name there", async () => {
  const saved = watchSavedFiles()
  const screen = await openScreen(<DataPage />, { ...owners, replies })
  expect(screen.text()).not.toContain(data.risk.pairs)
  const input = document.querySelector<HTMLInputElement>("input[type=file]")
  const file = new File(["years\n30\n"], "voters.csv", { type: "text/csv" })
  Object.defineProperty(input, "files", { value: [file] })
  input?.dispatchEvent(new Event("change", { bubbles: true }))
  await screen.until(() => screen.text().includes(data.risk.pairs))
  await screen.type(data.risk.pairs, "age=years")
  await screen.press(data.risk.make)
  await screen.until(() => screen.text().includes(data.risk.saved("risk-person.html")))
  expect(await saved()).toHaveLength(1)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    {
      table: "person",
      language: "en",
      link: { name: "voters.csv", csv: "years\n30\n", on: { age: "years" } },
    },
  ])
})

test("a refusal is explained, and nothing is saved", async () => {
  const saved = watchSavedFiles()
  const refused = { ...replies, [route]: refusal("risk/no-quasi") }
  const screen = await openScreen(<DataPage />, { ...owners, replies: refused })
  await screen.press(data.risk.make)
  await screen.until(() => screen.has("alert"))
  expect(screen.one("alert").textContent).toContain("risk/no-quasi")
  expect(await saved()).toEqual([])
})

test.each(languages)(
  "only owners have the form, and it says that the report is not private: %s",
  async (language) => {
    const { risk } = catalogues[language].data
    const owner = await openScreen(<DataPage />, { ...owners, replies, language })
    expect(owner.text()).toContain(risk.warning)
    for (const me of [ada, cleo]) {
      const other = await openScreen(<DataPage />, { ...owners, me, replies, language })
      expect(other.text()).not.toContain(risk.title)
    }
  },
)
