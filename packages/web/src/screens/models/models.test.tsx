import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal } from "../../testing/fake-server.ts"
import { account, ada, cleo, dataset } from "../../testing/house.ts"
import { openScreen, type OpenOptions, type OpenScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { languages } from "../../testing/shown.tsx"
import { ModelsPage } from "./models.tsx"

const { models } = catalogues.en
const priceRoute = "POST /api/v1/models/price"
const trainRoute = "POST /api/v1/models"
const listRoute = "GET /api/v1/models"
const cost = { accounting: "zcdp", amount: "0.1", delta: "0", epsilon: "0.1", words: "epsilon 0.1" }
const price = {
  model: "logistic",
  target: "ill",
  columns: ["sex", "year_of_birth"],
  features: ["sex = m", "year_of_birth"],
  rounds: 200,
  cost,
  noise: {
    of: "log-odds",
    part: "coefficient",
    units: [
      { units: 1000, noise: 0.74, chance: 0.25, reached: 0.61, auc: 0.5 },
      { units: 100_000, noise: 0.0074, chance: 0.025, reached: 1, auc: 0.0053 },
    ],
  },
  free: false,
  budget: account("dataset", 0.25),
}
const card = {
  charge: 7,
  model: "logistic",
  target: "ill",
  columns: ["sex", "year_of_birth"],
  rows: 4012,
  quality: {
    kind: "curve",
    auc: 0.781,
    aucError: 0.012,
    points: [
      { falseAlarms: 1, found: 1 },
      { falseAlarms: 0.2, found: 0.7 },
      { falseAlarms: 0, found: 0 },
    ],
  },
  coefficients: [
    { output: "ill", name: "(intercept)", value: -1.5, error: 0.1, low: -1.7, high: -1.3, isShrunk: false },
    {
      output: "ill",
      name: "year_of_birth",
      value: -0.021,
      span: 130,
      error: 0.002,
      low: -0.025,
      high: -0.017,
      noiseShare: 0.42,
      isShrunk: true,
    },
  ],
  confidence: "0.95",
  dose: { epsilon: "0.1", delta: "1e-8", loss: "rho 0.0003", unit: "person", neighbours: "add-or-remove" },
  files: { json: '{"format":"dosimeter-model/1"}\n', onnx: btoa("onnx\u0000\u00ff") },
}
const trained = { ...card, origin: "released", cost, receipt: {}, budget: account("dataset", 0.35) }
const steps = (...events: readonly (readonly [string, unknown])[]): Response =>
  new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""), {
    headers: { "Content-Type": "text/event-stream" },
  })
const replies = {
  "GET /api/v1/datasets/clinic": { ...dataset, studies: false },
  [listRoute]: { items: [], next: null },
  [priceRoute]: price,
  [trainRoute]: () => steps(["planned", price], ["charged", { position: 7 }], ["released", trained]),
}

async function open(options: Partial<OpenOptions> = {}): Promise<OpenScreen> {
  const { replies: more = {}, ...others } = options
  return openScreen(<ModelsPage />, {
    me: ada,
    path: "/models",
    ...others,
    replies: { ...replies, ...more },
  })
}

const asked = {
  model: "logistic",
  sql: "SELECT sex,\n  year_of_birth\nFROM person",
  target: "ill",
  epsilon: "0.1",
}

async function priced(screen: OpenScreen): Promise<void> {
  await screen.type(models.target, "ill")
  await screen.press(models.showPrice)
}

test("a model is priced, paid for by a second press, shown with its dose, and saved", async () => {
  const saved = watchSavedFiles()
  const screen = await open()
  expect(screen.text()).toContain(models.none)
  await priced(screen)
  expect(screen.text()).toContain(models.costs("epsilon 0.1"))
  expect(screen.all("row").map(({ textContent }) => textContent)).toEqual([
    `${models.byNoise}± 0.74± 0.0074`,
    `${models.byChance}± 0.25± 0.025`,
    `${models.reachedOf.coefficient}61 %100 %`,
    `${models.aucNoise}${models.notTold}± 0.0053`,
  ])
  // Nothing was paid yet.
  expect(screen.server.sentTo(trainRoute)).toEqual([])
  const item = { charge: 7, at: "2026-01-02T03:04:05Z", principal: "ada", study: null, title: null }
  screen.server.change({
    [listRoute]: { items: [{ ...item, model: "logistic", target: "ill", rows: 4012 }], next: null },
  })
  await screen.press(models.train)
  await screen.until(() => screen.has("region", models.coefficients))
  expect(screen.text()).toContain(models.paid("epsilon 0.1"))
  expect(screen.fact(models.dose)).toBe(models.doseOf("0.1", "1e-8", "person"))
  expect(screen.text()).toContain(models.auc("0.781", "0.012"))
  const rows = screen.all("row").map(({ textContent }) => textContent)
  expect(rows.slice(0, 2)).toEqual([
    `intercept-1.50${models.range("-1.70", "-1.30")}–`,
    `year_of_birth *-0.0210${models.range("-0.0250", "-0.0170")}42 %`,
  ])
  await screen.press(models.json)
  await screen.press(models.onnx)
  expect((await saved()).map(({ name, type }) => [name, type])).toEqual([
    ["logistic-ill.json", "application/json"],
    ["logistic-ill.onnx", "application/octet-stream"],
  ])
  expect((await saved())[0]?.text).toBe(card.files.json)
  expect(screen.server.sentTo(priceRoute).map(({ body }) => body)).toEqual([asked])
  const [sent] = screen.server.sentTo(trainRoute)
  expect(sent?.body).toEqual(asked)
  expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/)
  // It is in the list now, and the list leads to it.
  expect(screen.one("link", "7").getAttribute("href")).toBe("/models/7")
})

test("a price is of the question beside it alone: a change takes it away", async () => {
  const screen = await open()
  await priced(screen)
  expect(screen.has("button", models.train)).toBe(true)
  await screen.type(models.epsilon, "0.2")
  expect(screen.has("button", models.train)).toBe(false)
})

test("what was trained before costs nothing, and says so", async () => {
  const screen = await open({ replies: { [priceRoute]: { ...price, free: true } } })
  await priced(screen)
  expect(screen.text()).toContain(models.free)
  expect([screen.has("button", models.train), screen.has("button", models.show)]).toEqual([false, true])
})

test("noise that nothing would be left of is said before anything is paid", async () => {
  const noise = {
    of: "log-odds",
    part: "curve",
    units: [{ units: 100_000, noise: 1.2, chance: 0.02, reached: 0.2 }],
  }
  const screen = await open({ replies: { [priceRoute]: { ...price, noise } } })
  await priced(screen)
  expect(screen.text()).toContain(models.tooNoisy)
})

test.each(languages)("a refusal is explained, and costs nothing: %s", async (language) => {
  const words = catalogues[language]
  const refused = refusal("training/no-target", { help: "put it among the columns" })
  const screen = await open({ language, replies: { [priceRoute]: refused } })
  await screen.type(words.models.target, "ill")
  await screen.press(words.models.showPrice)
  expect(screen.one("alert").textContent).toContain(words.trouble.free)
})

test("what fails after the charge is told, and is not called free", async () => {
  const problem = { kind: "refused", code: "airlock/waiting", message: "it waits", help: null }
  const screen = await open({
    replies: { [trainRoute]: () => steps(["planned", price], ["problem", problem]) },
  })
  await priced(screen)
  await screen.press(models.train)
  await screen.until(() => screen.has("alert"))
  expect(screen.one("alert").textContent).not.toContain(catalogues.en.trouble.free)
  expect(screen.has("region", models.coefficients)).toBe(false)
})

test("one model is opened by its address, also by those who train none", async () => {
  const text = "SELECT sex, ill FROM person"
  const screen = await open({
    me: cleo,
    path: "/models/7",
    replies: { "GET /api/v1/models/7": { ...card, question: text } },
  })
  expect(screen.text()).toContain(text)
  expect(screen.fact(models.rows)).toBe(models.about("4,012"))
  expect(screen.one("link", catalogues.en.releases.receipt).getAttribute("href")).toBe("/releases/7")
  const list = await open({ me: cleo })
  expect([list.has("button", models.showPrice), list.text().includes(models.none)]).toEqual([false, true])
})

test("other models tell how good they are in their own words, and classes are told apart", async () => {
  const [intercept, slope] = card.coefficients
  const several = {
    ...card,
    model: "multinomial",
    quality: { kind: "classes", accuracy: 0.61, commonest: 0.5 },
    coefficients: [
      { ...intercept, output: "II" },
      { ...slope, output: "III", low: undefined, high: undefined, noiseShare: undefined },
    ],
    question: null,
  }
  const screen = await open({ path: "/models/7", replies: { "GET /api/v1/models/7": several } })
  expect(screen.text()).toContain(models.classes("61 %", "50 %"))
  const rows = screen.all("row").map(({ textContent }) => textContent)
  expect(rows[0]).toContain("II: intercept")
  expect(rows[1]).toBe("III: year_of_birth *-0.0210––")
  const linear = { ...several, quality: { kind: "explained", rSquared: 0.41, meanSquare: 12.5 } }
  const other = await open({ path: "/models/8", replies: { "GET /api/v1/models/8": linear } })
  expect(other.text()).toContain(models.explained("0.41", "12.5"))
})

test("curves have their parts in their own tables, and no form in ONNX", async () => {
  const [, slope] = card.coefficients
  const part = { ...slope, span: undefined, isShrunk: false, output: "age" }
  const curves = {
    ...card,
    model: "boosting",
    quality: { ...card.quality, aucError: 0.5 },
    coefficients: [
      { ...part, name: "20 to 50", from: 20, to: 50 },
      { ...part, name: "missing" },
    ],
    files: { ...card.files, onnx: null },
    question: null,
  }
  const screen = await open({ path: "/models/7", replies: { "GET /api/v1/models/7": curves } })
  expect(screen.has("region", models.curves)).toBe(true)
  expect(screen.text()).toContain(models.aucUnknown)
  expect(screen.all("row").map(({ textContent }) => textContent)).toEqual([
    `20 to 50-0.0210${models.range("-0.0250", "-0.0170")}42 %`,
    `${models.missing}-0.0210${models.range("-0.0250", "-0.0170")}42 %`,
  ])
  expect([screen.has("button", models.json), screen.has("button", models.onnx)]).toEqual([true, false])
})

test("groups are asked for by their number, without a target, and listed with their centres", async () => {
  const noise = {
    of: "share of a feature's range",
    part: "centre",
    units: [{ units: 1000, noise: 0.4, chance: 0.01, reached: 0.12, share: 0.5 }],
  }
  const placed = { ...price, model: "k-means", target: null, count: 4, noise }
  const part = { output: "group 1", error: 1, isShrunk: false, noiseShare: 0.2 }
  const groups = {
    ...trained,
    model: "k-means",
    target: null,
    quality: { kind: "spread", share: 0.61, shareError: 0.02 },
    coefficients: [
      { ...part, name: "(people)", value: 812, low: 800, high: 824 },
      { ...part, name: "year_of_birth", value: 1950, low: 1948, high: 1952 },
    ],
    files: { ...card.files, onnx: null },
  }
  const saved = watchSavedFiles()
  const screen = await open({
    replies: { [priceRoute]: placed, [trainRoute]: () => steps(["planned", placed], ["released", groups]) },
  })
  await screen.press(/Logistic: yes or no/)
  await screen.press(models.kinds["k-means"], "option")
  expect(screen.has("field", models.target)).toBe(false)
  await screen.type(models.count, "4")
  await screen.press(models.showPrice)
  expect(screen.server.sentTo(priceRoute).map(({ body }) => body)).toEqual([
    { model: "k-means", sql: asked.sql, count: 4, epsilon: "0.1" },
  ])
  expect(screen.all("row").map(({ textContent }) => textContent)).toEqual([
    `${models.byNoise}± 0.4`,
    `${models.byChance}± 0.01`,
    `${models.reachedOf.centre}12 %`,
    `${models.shareNoise}${models.notTold}`,
  ])
  expect(screen.text()).toContain(models.hidden)
  await screen.press(models.train)
  await screen.until(() => screen.has("region", models.group("1")))
  expect(screen.text()).toContain(models.holds("61 %", "2 %"))
  expect(screen.all("row").map(({ textContent }) => textContent)).toEqual([
    `${models.people}812${models.range("800", "824")}20 %`,
    `year_of_birth1,950${models.range("1,948", "1,952")}20 %`,
  ])
  await screen.press(models.json)
  expect((await saved()).map(({ name }) => name)).toEqual(["k-means.json"])
})

test.each(languages)("components say what goes into them, and how much they hold: %s", async (language) => {
  const words = catalogues[language].models
  const part = { output: "component 1", error: 0.1, isShrunk: false, noiseShare: 0.5 }
  const components = {
    ...card,
    model: "components",
    target: null,
    quality: { kind: "spread", share: 0.2, shareError: 0.3 },
    coefficients: [
      { ...part, name: "(share of the variance)", value: 0.5, low: 0.3, high: 0.7 },
      { ...part, name: "year_of_birth", value: 0.8, low: 0.6, high: 1 },
    ],
    files: { ...card.files, onnx: null },
    question: null,
  }
  const screen = await open({
    language,
    path: "/models/7",
    replies: { "GET /api/v1/models/7": components },
  })
  expect(screen.has("region", words.component("1"))).toBe(true)
  expect(screen.text()).toContain(words.shareUnknown)
  expect(screen.all("row")[0]?.textContent).toContain(words.shareOfVariance)
  const item = { charge: 7, at: "2026-01-02T03:04:05Z", principal: "ada", study: null, title: null }
  const listed = { ...item, model: "components", target: null, rows: 4012 }
  const list = await open({ language, replies: { [listRoute]: { items: [listed], next: null } } })
  expect(list.all("row").at(-1)?.textContent).toContain(`${words.kinds.components}–`)
})

test("somebody without a study is told how to get one", async () => {
  const screen = await open({
    replies: {
      "GET /api/v1/datasets/clinic": dataset,
      "GET /api/v1/studies": { items: [], next: null },
    },
  })
  expect(screen.text()).toContain(models.noStudy)
  expect(screen.has("button", models.showPrice)).toBe(false)
})
