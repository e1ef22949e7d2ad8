import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import type { Replies } from "../../testing/fake-server.ts"
import { coco } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { VoicesPage } from "./voices.tsx"

type Proposal = Reply<"listProposals">["items"][number]

const { voices } = catalogues.en
const heart: Proposal = {
  id: "heart",
  title: "Heart failure",
  summary: "How often do people with heart failure come back?",
  purposes: ["health, medical or biomedical research"],
  starts: "2026-01-01",
  ends: "2026-06-30",
  state: "submitted",
  people: 3,
  airlock: true,
  epsilon: "1",
  delta: "0",
  dose: ["Whatever is released, ..."],
  own: null,
  others: [{ view: "oppose", comment: "Not without our say." }],
}
const open = async (items: readonly Proposal[], more: Replies = {}, language: "en" | "zh" = "en") =>
  openScreen(<VoicesPage />, {
    me: coco,
    path: "/proposals",
    language,
    replies: { "GET /api/v1/proposals": { items }, ...more },
  })

test("nothing waits: that is said", async () => {
  expect((await open([])).text()).toContain(voices.empty)
})

test.each(languages)("a proposal stands there in plain words, without an epsilon: %s", async (language) => {
  const words = catalogues[language].voices
  const screen = await open([heart], {}, language)
  const text = screen.one("article").textContent
  expect(text).toContain(heart.summary)
  expect(text).toContain(words.doseText("10 %", "23.2 %"))
  expect(text).toContain("Not without our say.")
  expect(text).not.toMatch(/ε|epsilon/)
})

test("a view needs words, is sent with them, and the list is loaded again", async () => {
  const route = "PUT /api/v1/studies/heart/voice"
  const screen = await open([heart], { [route]: { ...heart, own: { view: "concern", comment: "Slowly." } } })
  expect(screen.one("button", voices.say)).toHaveProperty("disabled", true)
  await screen.press(voices.views.concern, "radio")
  expect(screen.one("button", voices.say)).toHaveProperty("disabled", true)
  await screen.type(voices.comment, "Slowly.")
  await screen.press(voices.say)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { view: "concern", comment: "Slowly." },
  ])
  expect(screen.text()).toContain(voices.said)
})

test("one's own view is there to be changed, and a delta is told as a chance", async () => {
  const own = { view: "support", comment: "Good for us." } as const
  const screen = await open([{ ...heart, delta: "1e-7", own }])
  expect(screen.one("field", voices.comment).textContent).toContain("Good for us.")
  expect(screen.has("button", voices.change)).toBe(true)
  expect(screen.text()).toContain(voices.failure("0.1 %"))
})
