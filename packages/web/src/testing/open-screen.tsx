// A screen in a document without a browser: opened as somebody, loaded from a server of the test, and used
// with buttons, fields and keys. What is found is found as readers of screens find it: by role and name.

import { act, type ReactNode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { expect, vi } from "vitest"
import { keep } from "../parts/browser/kept.ts"
import { RouterProvider } from "../parts/browser/router.tsx"
import { SessionProvider, type Me } from "../parts/browser/session.tsx"
import { Toasts } from "../parts/widgets/toasts.tsx"
import { LanguageContext, type Language } from "../strings/use-strings.ts"
import { startFakeServer, type FakeServer, type Replies } from "./fake-server.ts"
import { houseReplies } from "./house.ts"
import { linesOf } from "./shown.tsx"

/** As whom, where and in which language a screen is opened, and what the server replies. */
export interface OpenOptions {
  readonly me: Me
  readonly path?: string
  readonly language?: Language
  readonly replies?: Replies
  /** What this browser remembers, by name. */
  readonly kept?: Readonly<Record<string, unknown>>
}

/** A screen that is open. */
export interface OpenScreen {
  readonly server: FakeServer
  /** Everything that can be read, one text a line; dialogs and messages included. */
  readonly text: () => string
  /** The elements with a role and, if given, a name; what lies behind a dialog is not among them. */
  readonly all: (role: Role, name?: string | RegExp) => readonly HTMLElement[]
  /** The one element with a role and a name. */
  readonly one: (role: Role, name?: string | RegExp) => HTMLElement
  readonly has: (role: Role, name?: string | RegExp) => boolean
  /** The text after a term in a list of facts. */
  readonly fact: (term: string) => string
  readonly press: (name: string | RegExp, role?: Role) => Promise<void>
  readonly type: (label: string | RegExp, text: string) => Promise<void>
  /** A key, on what has the focus. */
  readonly key: (name: string) => Promise<void>
  /** Waits until nothing is on its way. */
  readonly settle: () => Promise<void>
  /** Waits for what no request tells of, such as a pause after the last key. */
  readonly until: (isSo: () => boolean) => Promise<void>
}

type Role = keyof typeof selectors

const selectors = {
  button: "button, [role=button]",
  link: "a[href]",
  field: "input:not([type=hidden]), textarea",
  heading: "h1, h2, h3",
  alert: ".notice[role=alert]",
  status: ".notice[role=status]",
  dialog: "[role=dialog]",
  row: "tbody tr",
  switch: "[role=switch]",
  checkbox: "input[type=checkbox]",
  radio: "[role=radio]",
  tab: "[role=tab]",
  option: "[role=option]",
  article: "article",
  meter: "[role=meter], [role='meter progressbar']",
  region: "[role=region], section[aria-label]",
  group: "details",
} as const

interface Opened {
  readonly root: Root
  readonly server: FakeServer
  isClosed: boolean
}

const opened: Opened[] = []

/** Closes everything that a test has opened; setup.ts calls it. */
export async function closeScreens(): Promise<void> {
  const servers = await unmountAll()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // A screen that asks for what no test has thought of shows an error that nobody looks at.
  expect(servers.flatMap(({ unexpected }) => unexpected)).toEqual([])
}

async function unmountAll(): Promise<readonly FakeServer[]> {
  const all = opened.splice(0)
  // Messages belong to the page, not to a screen, and would be read by the next test.
  await act(async () => document.querySelectorAll<HTMLElement>(".toast button").forEach((one) => one.click()))
  for (const one of all) {
    one.isClosed = true
    await act(async () => one.root.unmount())
  }
  document.body.replaceChildren()
  localStorage.clear()
  return all.map(({ server }) => server)
}

/** Opens a part of the pages in place of what was open, and waits until it has loaded. */
export async function openScreen(part: ReactNode, options: OpenOptions): Promise<OpenScreen> {
  const { me, language = "en", replies = {}, ...where } = options
  const inside = (
    <LanguageContext value={language}>
      <RouterProvider>
        <SessionProvider me={me} onSignOut={() => {}}>
          {part}
          <Toasts />
        </SessionProvider>
      </RouterProvider>
    </LanguageContext>
  )
  return showAlone(inside, { ...where, replies: { ...houseReplies, ...replies } })
}

/** The same for a part that has its own session, or none. */
export async function showAlone(
  part: ReactNode,
  { path = "/", replies = {}, kept = {} }: Pick<OpenOptions, "path" | "replies" | "kept">,
): Promise<OpenScreen> {
  const before = await unmountAll()
  expect(before.flatMap(({ unexpected }) => unexpected)).toEqual([])
  const server = startFakeServer(replies)
  vi.stubGlobal("scrollTo", () => {})
  if (!("isSecureContext" in globalThis)) vi.stubGlobal("isSecureContext", false)
  history.replaceState(null, "", path)
  for (const [name, value] of Object.entries(kept)) keep(name, value)
  const root = createRoot(document.body.appendChild(document.createElement("div")))
  const own: Opened = { root, server, isClosed: false }
  opened.push(own)
  await act(async () => root.render(part))
  const screen = screenOn(own)
  await screen.settle()
  return screen
}

function screenOn(own: Opened): OpenScreen {
  const { server } = own
  const all: OpenScreen["all"] = (role, name) =>
    [...document.querySelectorAll<HTMLElement>(selectors[role])].filter(
      (element) =>
        element.closest("[aria-hidden=true], [inert]") === null &&
        (name === undefined || fits(nameOf(element), name)),
    )
  const one: OpenScreen["one"] = (role, name) => {
    const found = all(role, name)
    expect(found, `${role} ${name ?? ""} in:\n${text()}`).toHaveLength(1)
    return found[0] ?? document.body
  }
  const text = (): string => linesOf(document.body.innerHTML)
  const settle = async (): Promise<void> => {
    let quiet = 0
    while (quiet < 3) {
      // A test that was given up must not wait on, beside the tests after it.
      if (own.isClosed) throw new Error("the screen was closed while it was waited for")
      await act(nextTurn)
      quiet = server.waiting() === 0 && document.querySelector(".loading") === null ? quiet + 1 : 0
    }
  }
  const doing = async (work: () => void): Promise<void> => {
    await act(async () => work())
    await settle()
  }
  return {
    server,
    text,
    all,
    one,
    has: (role, name) => all(role, name).length > 0,
    fact: (term) => {
      const found = [...document.querySelectorAll("dt")].filter(({ textContent }) => textContent === term)
      expect(found, `${term} in:\n${text()}`).toHaveLength(1)
      return found[0]?.nextElementSibling?.textContent ?? ""
    },
    press: async (name, role = "button") => {
      const element = one(role, name)
      await doing(() => element.click())
    },
    type: async (label, typed) => {
      const field = one("field", label)
      await doing(() => setValue(field, typed))
    },
    key: async (name) => {
      const target = document.activeElement ?? document.body
      await doing(() => {
        target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }))
        target.dispatchEvent(new KeyboardEvent("keyup", { key: name, bubbles: true, cancelable: true }))
      })
    },
    settle,
    until: async (isSo) => {
      while (!isSo()) await settle()
    },
  }
}

/** Lets everything happen that is due: replies, effects, timers of no delay. */
async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

function fits(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? name === wanted : wanted.test(name)
}

/** The name by which a reader of screens announces an element. */
function nameOf(element: HTMLElement): string {
  const own = element.getAttribute("aria-label")
  if (own !== null) return own
  const by = element.getAttribute("aria-labelledby")?.split(" ") ?? []
  const labels = by.flatMap((id) => document.getElementById(id)?.textContent ?? [])
  if (labels.length > 0) return labels.join(" ").trim()
  const label = element.closest("label") ?? document.querySelector(`label[for="${element.id}"]`)
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
  return ((isField ? label : element)?.textContent ?? "").trim()
}

/** As if it had been typed: React listens to the event, and reads the value behind its own back. */
function setValue(field: HTMLElement, text: string): void {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, text)
  field.dispatchEvent(new Event("input", { bubbles: true }))
}
