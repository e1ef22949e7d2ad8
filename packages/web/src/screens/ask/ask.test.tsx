// The screen that asks, from the draft in the browser to the answer: what is priced is what is asked.

import { expect, test, vi } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, unreachable, type Replies } from "../../testing/fake-server.ts"
import { account, ada, dataset } from "../../testing/house.ts"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { receipt } from "../../testing/receipt.ts"
import { heart } from "../../testing/studies.ts"
import type { WorkerReply, WorkerRequest } from "../../workers/compile.worker.ts"
import type { Priced, Unpriced } from "../../workers/price.ts"
import { AskPage } from "./ask.tsx"

const { ask, trouble, releases, example, wanted } = catalogues.en
const sql = "SELECT COUNT(*) AS n FROM person"
const used = (share: number) => ({ share, loss: share, delta: 0, first: "loss" }) as const

const priced: Priced = {
  kind: "priced",
  cost: "epsilon 0.1",
  epsilon: 0.1,
  account: "study:heart",
  before: used(0.25),
  after: used(0.3),
  fits: true,
  more: 9,
  unit: "person",
  confidence: 0.9,
  tables: ["person"],
  groups: [],
  bounding: [],
  aggregates: [{ label: "COUNT(*)", error: "± 6", mechanism: "laplace" }],
  notes: [],
  learnsNorm: false,
}

type PriceRequest = Extract<WorkerRequest, { readonly kind: "price" }>

type Pricer = (request: PriceRequest) => Priced | Unpriced | Promise<Priced>

/** The worker of the page: prices by a function, or cannot be loaded. */
function startWorker(price: Pricer | undefined): void {
  class FakeWorker extends EventTarget {
    postMessage(request: WorkerRequest): void {
      if (price === undefined) {
        this.dispatchEvent(new Event("error"))
        return
      }
      const { id } = request
      const tables = [{ name: "person", kind: "private", columns: [{ name: "sex", type: "text" }] }] as const
      const reply = (data: WorkerReply): void => {
        this.dispatchEvent(Object.assign(new Event("message"), { data }))
      }
      if (request.kind === "open") queueMicrotask(() => reply({ id, kind: "opened", tables }))
      else void Promise.resolve(price(request)).then((found) => reply({ id, kind: "price", price: found }))
    }

    terminate(): void {}
  }
  vi.stubGlobal("Worker", FakeWorker)
}

const answer: Reply<"ask"> = {
  columns: [{ name: "n", type: "integer", kind: "noisy" }],
  rows: [{ n: { value: 120, low: 100, high: 140, state: "released" } }],
  receipt,
  origin: "released",
  budget: account("study:heart", 0.3),
}
const askRoute = "POST /api/v1/ask"

function steps(...events: readonly (readonly [string, unknown])[]): () => Response {
  const text = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("")
  return () => new Response(text, { headers: { "Content-Type": "text/event-stream" } })
}

interface Opened {
  readonly replies?: Replies
  readonly path?: string
  readonly draft?: string
  readonly price?: Pricer
  readonly hasWorker?: boolean
}

async function open({
  replies = {},
  path = "/ask",
  draft = sql,
  price = () => priced,
  hasWorker = true,
}: Opened = {}) {
  startWorker(hasWorker ? price : undefined)
  return openScreen(<AskPage />, {
    me: ada,
    path,
    kept: { "draft.ada": draft },
    replies: {
      "GET /api/v1/studies": { items: [heart] },
      "GET /api/v1/datasets/clinic/compile-facts": { catalog: {}, terms: {} },
      "GET /api/v1/budget": {
        dataset: "clinic",
        accounts: [account("dataset", 0.1), account("study:heart", 0.25), account("study:other", 0.9)],
      },
      [askRoute]: steps(["planned", {}], ["charged", {}], ["reading", {}], ["released", answer]),
      ...replies,
    },
  })
}

const mayAsk = (screen: OpenScreen): boolean => {
  const [button] = screen.all("button", ask.run)
  return button instanceof HTMLButtonElement && !button.disabled
}

async function openPriced(opened: Opened = {}): Promise<OpenScreen> {
  const screen = await open(opened)
  await screen.until(() => mayAsk(screen))
  return screen
}

test("the draft is priced in the browser with the accounts it is charged to, and nothing is sent", async () => {
  const requests: PriceRequest[] = []
  const screen = await openPriced({
    price: (request) => {
      requests.push(request)
      return priced
    },
  })
  expect(requests.at(-1)?.sql).toBe(sql)
  expect(requests.at(-1)?.accounts.map(({ name }) => name)).toEqual(["dataset", "study:heart"])
  expect(screen.text()).toContain(ask.costs("epsilon 0.1"))
  expect(screen.text()).toContain("± 6")
  expect(screen.server.sentTo(askRoute)).toEqual([])
})

test("asking sends the question with its study and a key, and shows the answer with what it cost", async () => {
  const screen = await openPriced()
  await screen.press(ask.run)
  await screen.until(() => screen.has("region", ask.result))
  const [sent] = screen.server.sentTo(askRoute)
  expect(sent?.body).toEqual({ sql, study: "heart" })
  expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/)
  const result = screen.one("region", ask.result).textContent
  expect(result).toContain(ask.origin.released)
  expect(result).toContain(ask.charged(`ε ${receipt.epsilon}`))
  // Spent budget is looked at again.
  expect(screen.server.sentTo("GET /api/v1/budget")).toHaveLength(2)
})

test("intervals hold at the receipt's confidence; without a receipt at the dataset's", async () => {
  const paid = await openPriced()
  await paid.press(ask.run)
  await paid.until(() => paid.has("region", ask.result))
  expect(paid.one("region", ask.result).textContent).toContain(ask.sure("95 %"))
  const free = { ...answer, origin: "reused", receipt: {} } as const
  const reused = await openPriced({ replies: { [askRoute]: steps(["released", free]) } })
  await reused.press(ask.run)
  await reused.until(() => reused.has("region", ask.result))
  expect(Number(dataset.question.confidence)).toBe(0.9)
  expect(reused.one("region", ask.result).textContent).toContain(ask.sure("90 %"))
  expect(reused.one("region", ask.result).textContent).toContain(ask.origin.reused)
})

test("what was asked stands in the list, with its release, and goes when it is cleared", async () => {
  const screen = await openPriced()
  expect(screen.text()).toContain(ask.historyEmpty)
  await screen.press(ask.run)
  await screen.until(() => screen.has("link", releases.one(receipt.ledger.position)))
  expect(screen.one("link", releases.one(receipt.ledger.position)).getAttribute("href")).toBe("/releases/7")
  await screen.press(ask.historyClear)
  expect(screen.text()).toContain(ask.historyEmpty)
  expect(localStorage.getItem("dosimeter.asked.ada")).toBe("[]")
})

test("a refusal before the charge is free; a server that is away may have charged", async () => {
  const refused = { kind: "refused", code: "privacy/no", message: "no", help: null }
  const screen = await openPriced({ replies: { [askRoute]: steps(["planned", {}], ["problem", refused]) } })
  await screen.press(ask.run)
  await screen.until(() => screen.has("alert"))
  expect(screen.one("alert").textContent).toContain("privacy/no")
  expect(screen.one("alert").textContent).toContain(trouble.free)
  const away = await openPriced({ replies: { [askRoute]: unreachable } })
  await away.press(ask.run)
  await away.until(() => away.has("alert"))
  expect(away.one("alert").textContent).toContain(trouble.offline)
  expect(away.one("alert").textContent).not.toContain(trouble.free)
})

test("an answer that ends after the charge looks at the budget again", async () => {
  const screen = await openPriced({ replies: { [askRoute]: steps(["planned", {}], ["charged", {}]) } })
  const before = screen.server.sentTo("GET /api/v1/budget").length
  await screen.press(ask.run)
  await screen.until(() => screen.has("alert"))
  expect(screen.one("alert").textContent).toContain("web/no-answer")
  expect(screen.server.sentTo("GET /api/v1/budget")).toHaveLength(before + 1)
})

test("who is in no open study sees prices, and cannot ask", async () => {
  for (const study of [
    { ...heart, people: ["bob"] },
    { ...heart, suspended: true },
    { ...heart, ends: "2026-01-02" },
  ]) {
    const screen = await open({ replies: { "GET /api/v1/studies": { items: [study] } } })
    await screen.until(() => screen.text().includes(ask.costs("epsilon 0.1")))
    expect(screen.text()).toContain(ask.studyNone)
    expect(mayAsk(screen)).toBe(false)
  }
})

test("a dataset without studies is asked without one", async () => {
  const screen = await openPriced({
    replies: { "GET /api/v1/datasets/clinic": { ...dataset, studies: false } },
  })
  expect(screen.server.sentTo("GET /api/v1/studies")).toEqual([])
  await screen.press(ask.run)
  await screen.until(() => screen.has("region", ask.result))
  expect(screen.server.sentTo(askRoute)[0]?.body).toEqual({ sql })
})

test("of several studies one is chosen, by the address or by hand, and charged", async () => {
  const items = [heart, { ...heart, id: "other", title: "Other" }]
  const screen = await openPriced({
    path: "/ask?study=other",
    replies: { "GET /api/v1/studies": { items } },
  })
  await screen.press(ask.run)
  await screen.until(() => screen.has("region", ask.result))
  expect(screen.server.sentTo(askRoute)[0]?.body).toEqual({ sql, study: "other" })
  await screen.press(/^Other/)
  await screen.press(heart.title, "option")
  await screen.until(() => mayAsk(screen))
  await screen.press(ask.run)
  await screen.until(() => screen.server.sentTo(askRoute).length === 2)
  expect(screen.server.sentTo(askRoute)[1]?.body).toEqual({ sql, study: "heart" })
})

test("what the compiler objects to is said, and cannot be asked", async () => {
  const issue = {
    code: "sql/unknown-table",
    message: "there is no table persons",
    help: "write person",
    facts: {},
    start: 0,
    end: 1,
  }
  const screen = await open({ price: () => ({ kind: "issues", issues: [issue] }) })
  await screen.until(() => screen.text().includes(issue.message))
  expect(screen.text()).toContain(issue.help)
  expect(mayAsk(screen)).toBe(false)
})

test("without a worker the server prices; its refusal is said, and its silence is no price", async () => {
  const explain = "POST /api/v1/explain"
  const refused = await open({
    hasWorker: false,
    replies: { [explain]: refusal("sql/syntax", { kind: "invalid" }) },
  })
  await refused.until(() => refused.text().includes(ask.cannot))
  expect(refused.server.sentTo(explain)[0]?.body).toEqual({ sql, study: "heart" })
  const silent = await open({ hasWorker: false, replies: { [explain]: unreachable } })
  await silent.until(() => silent.text().includes(ask.noPriceHelp))
  expect(mayAsk(silent)).toBe(false)
})

test("another question has no price until it was worked out: examples go into the editor", async () => {
  let finish = (): void => {}
  const later = new Promise<Priced>((resolve) => {
    finish = () => resolve(priced)
  })
  const screen = await openPriced({ price: (request) => (request.sql === sql ? priced : later) })
  await screen.press(example.count("person"))
  expect(JSON.parse(localStorage.getItem("dosimeter.draft.ada") ?? "")).toContain("COUNT(*)")
  expect(mayAsk(screen)).toBe(false)
  finish()
  await screen.until(() => mayAsk(screen))
})

test("an epsilon that is no number is said beside its field, and stops pricing and asking", async () => {
  const screen = await openPriced()
  await screen.type(ask.epsilon, "much")
  expect(screen.text()).toContain(wanted.wrong.epsilon)
  expect(mayAsk(screen)).toBe(false)
  await screen.type(ask.epsilon, "0.5")
  await screen.until(() => mayAsk(screen))
  await screen.press(ask.run)
  await screen.until(() => screen.has("region", ask.result))
  expect(screen.server.sentTo(askRoute)[0]?.body).toEqual({ sql, study: "heart", epsilon: "0.5" })
})
