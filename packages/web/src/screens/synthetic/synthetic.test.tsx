import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal } from "../../testing/fake-server.ts"
import { account, ada, dataset } from "../../testing/house.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { languages } from "../../testing/shown.tsx"
import { SyntheticPage } from "./synthetic.tsx"

const { synthetic } = catalogues.en
const priceRoute = "POST /api/v1/synthetic/price"
const makeRoute = "POST /api/v1/synthetic"
const cost = { accounting: "zcdp", amount: "0.1", delta: "0", epsilon: "0.1", words: "epsilon 0.1" }
const price = {
  columns: ["sex", "year_of_birth"],
  cost,
  quality: {
    column: 12.34,
    roughPair: 20,
    closePair: 30,
    pairs: 1,
    misplaced: [{ units: 1000, share: 0.21 }],
  },
  free: false,
  budget: account("dataset", 0.25),
}
const line = (columns: readonly string[], guess: number) => ({
  columns,
  low: guess / 2,
  guess,
  high: guess * 2,
})
const made = {
  rows: 480,
  rowsOfSecondTable: null,
  report: [line(["sex"], 0.02), line(["year_of_birth"], 0.13), line(["sex", "year_of_birth"], 0.31)],
  confidence: "0.9",
  origin: "released",
  charge: 7,
  cost,
  receipt: {},
  budget: account("dataset", 0.35),
}
const reply = ({ headers }: { readonly headers: Headers }): unknown =>
  headers.get("accept") === "text/csv"
    ? new Response("sex,year_of_birth\nf,1950\n", { headers: { "Content-Type": "text/csv" } })
    : made
const replies = {
  "GET /api/v1/datasets/clinic": { ...dataset, studies: false },
  [priceRoute]: price,
  [makeRoute]: reply,
}

async function open(
  language: "en" | "zh" = "en",
  more: Readonly<Record<string, unknown>> = {},
): Promise<OpenScreen> {
  return openScreen(<SyntheticPage />, {
    me: ada,
    path: "/synthetic",
    language,
    replies: { ...replies, ...more },
  })
}

const asked = { table: "person", columns: ["sex", "year_of_birth"], epsilon: "0.1" }

test("rows are priced, paid for by a second press, compared with the data, and saved", async () => {
  const saved = watchSavedFiles()
  const screen = await open()
  await screen.press(synthetic.showPrice)
  expect(screen.text()).toContain(synthetic.costs("epsilon 0.1"))
  expect(screen.fact(synthetic.noise)).toBe(synthetic.noiseOf("12.3"))
  // Nothing was paid yet.
  expect(screen.server.sentTo(makeRoute)).toEqual([])
  await screen.press(synthetic.measure)
  await screen.until(() => screen.has("region", synthetic.report))
  expect(screen.text()).toContain(synthetic.paid("epsilon 0.1"))
  const rows = screen.all("row").map(({ textContent }) => textContent)
  expect(rows).toEqual([
    `sex2 %${synthetic.range("1 %", "4 %")}`,
    `year_of_birth13 %${synthetic.range("7 %", "26 %")}`,
    `sex · year_of_birth31 %${synthetic.range("16 %", "62 %")}`,
  ])
  await screen.type(synthetic.rows, "7")
  await screen.press(synthetic.csv)
  expect(await saved()).toEqual([
    { name: "synthetic-person.csv", text: "sex,year_of_birth\nf,1950\n", type: "text/csv" },
  ])
  expect(screen.server.sentTo(makeRoute).map(({ body }) => body)).toEqual([
    asked,
    { ...asked, rows: 7, seed: "1", part: "units" },
  ])
  const [first] = screen.server.sentTo(makeRoute)
  expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/)
})

test("a price is of the question beside it alone: a change takes it away", async () => {
  const screen = await open()
  await screen.press(synthetic.showPrice)
  await screen.type(synthetic.rules, "year_of_birth < 1950 => sex = f\n\n")
  expect(screen.has("button", synthetic.measure)).toBe(false)
  await screen.press(synthetic.showPrice)
  expect(screen.server.sentTo(priceRoute).at(-1)?.body).toEqual({
    ...asked,
    rules: ["year_of_birth < 1950 => sex = f"],
  })
  for (const box of screen.all("checkbox"))
    await screen.press(box.closest("label")?.textContent?.trim() ?? "", "checkbox")
  expect(screen.text()).toContain(synthetic.noColumn)
})

test("what was measured before costs nothing, and says so", async () => {
  const screen = await open("en", { [priceRoute]: { ...price, free: true } })
  await screen.press(synthetic.showPrice)
  expect(screen.text()).toContain(synthetic.free)
  expect(screen.has("button", synthetic.measure)).toBe(false)
  expect(screen.has("button", synthetic.make)).toBe(true)
})

test.each(languages)("a refusal is explained, and costs nothing: %s", async (language) => {
  const words = catalogues[language]
  const refused = refusal("synthetic/rules-contradict", { help: "leave out a rule" })
  const screen = await open(language, { [priceRoute]: refused })
  await screen.press(words.synthetic.showPrice)
  expect(screen.one("alert").textContent).toContain(words.trouble.free)
})

test.each(languages)("the rows are never called anonymous, and more is said of it: %s", async (language) => {
  const words = catalogues[language].synthetic
  const screen = await open(language)
  expect(screen.text()).toContain(words.warning)
})

test("somebody without a study is told how to get one", async () => {
  const screen = await open("en", {
    "GET /api/v1/datasets/clinic": dataset,
    "GET /api/v1/studies": { items: [], next: null },
  })
  expect(screen.text()).toContain(synthetic.noStudy)
  expect(screen.has("button", synthetic.showPrice)).toBe(false)
})
