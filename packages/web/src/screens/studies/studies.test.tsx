// The list of studies, and the form that proposes one: what is sent is what was typed.

import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies } from "../../testing/fake-server.ts"
import { account, ada, cleo, dataset } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { heart } from "../../testing/studies.ts"
import { StudiesPage } from "./studies.tsx"

const { studies, meter, purposes } = catalogues.en

const listed = (...items: readonly (typeof heart)[]): Replies => ({ "GET /api/v1/studies": { items } })

test("no studies: what to do, for those who may propose one", async () => {
  const analyst = await openScreen(<StudiesPage />, { me: ada, replies: listed() })
  expect(analyst.text()).toContain(studies.emptyHelp)
  expect(analyst.all("link", studies.propose)).toHaveLength(2)
  const committee = await openScreen(<StudiesPage />, { me: cleo, replies: listed() })
  expect(committee.has("link", studies.propose)).toBe(false)
})

test("a card has title, state, days, who proposed it, and the meter of its own account", async () => {
  const other = { ...heart, id: "lung", title: "Lungs", state: "draft" } as const
  const screen = await openScreen(<StudiesPage />, {
    me: ada,
    replies: {
      ...listed(heart, other),
      "GET /api/v1/budget": { dataset: "clinic", accounts: [account("study:heart", 0.5)] },
    },
  })
  const [first, second] = screen.all("article").map(({ textContent }) => textContent)
  expect(first).toContain(`${heart.title}${studies.states.active}`)
  expect(first).toContain(
    `${studies.dates(heart.starts, heart.ends)} · ${studies.proposedBy(heart.proposedBy)}`,
  )
  expect(first).toContain(meter.used("50 %"))
  expect(second).toContain(`ε ${other.epsilon} · ${studies.noBudget}`)
  expect(screen.one("link", "Lungs").getAttribute("href")).toBe("/studies/lung")
})

test("that nothing is asked outside of studies is said where the owner has said so", async () => {
  const inside = await openScreen(<StudiesPage />, { me: ada, replies: listed() })
  expect(inside.text()).toContain(studies.onlyInside)
  const open = { ...listed(), "GET /api/v1/datasets/clinic": { ...dataset, studies: false } }
  const outside = await openScreen(<StudiesPage />, { me: ada, replies: open })
  expect(outside.text()).toContain(studies.lead)
  expect(outside.text()).not.toContain(studies.onlyInside)
})

const knownPurposes: Replies = {
  "GET /api/v1/purposes": {
    items: [
      { code: "DUO:0000006", name: "health", kind: "permission" },
      { code: "DUO:0000018", name: "no profit", kind: "modifier" },
    ],
  },
}

async function propose(replies: Replies = {}) {
  const made = { ...heart, id: "heart-failure" }
  return openScreen(<StudiesPage />, {
    me: ada,
    path: "/studies/new",
    replies: {
      ...knownPurposes,
      "POST /api/v1/studies": made,
      "GET /api/v1/studies/heart-failure": made,
      ...replies,
    },
  })
}

test("the form sends what was typed, a short name from the title, and the dataset's delta", async () => {
  const screen = await propose()
  await screen.type(studies.name, "Heart failure")
  expect(screen.one("field", studies.id)).toHaveProperty("value", "heart-failure")
  await screen.type(studies.summary, "How many are ill.")
  await screen.type(studies.people, "bob, eve；")
  await screen.type(studies.starts, "2026-03-01")
  await screen.type(studies.ends, "2026-04-01")
  await screen.type(studies.epsilon, " 0.5 ")
  expect(screen.one("field", studies.delta)).toHaveProperty("value", dataset.budget.delta)
  await screen.press(new RegExp(purposes["DUO:0000006"].name), "checkbox")
  await screen.press(studies.airlock, "checkbox")
  await screen.press(studies.propose)
  expect(screen.server.sentTo("POST /api/v1/studies").map(({ body }) => body)).toEqual([
    {
      id: "heart-failure",
      title: "Heart failure",
      summary: "How many are ill.",
      people: ["bob", "eve；"],
      starts: "2026-03-01",
      ends: "2026-04-01",
      epsilon: "0.5",
      delta: dataset.budget.delta,
      purposes: ["DUO:0000006"],
      airlock: true,
    },
  ])
  expect(location.pathname).toBe("/studies/heart-failure")
})

test("what the server refuses is shown, and nothing that was typed is lost", async () => {
  const screen = await propose({ "POST /api/v1/studies": refusal("study/taken", { kind: "invalid" }) })
  await screen.type(studies.name, "Heart failure")
  await screen.type(studies.summary, "How many are ill.")
  await screen.press(studies.propose)
  expect(screen.one("alert").textContent).toContain("study/taken")
  expect(screen.one("field", studies.summary)).toHaveProperty("value", "How many are ill.")
  expect(location.pathname).toBe("/studies/new")
})

test("whoever may not propose sees no form at its address", async () => {
  const screen = await openScreen(<StudiesPage />, {
    me: cleo,
    path: "/studies/new",
    replies: { "GET /api/v1/studies/new": refusal("study/unknown", { status: 404 }) },
  })
  expect(screen.has("field", studies.name)).toBe(false)
  expect(screen.one("alert").textContent).toContain("study/unknown")
})
