// A small hospital behind the real server, and a browser in front of it. Every page is watched: an error in
// the browser's console, or a planted value in what is shown, fails the test.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { chromium, type Browser, type BrowserContext, type Page } from "playwright"
import { withoutRandomText } from "@dosimeter/core/testing"
import { runCommand } from "../packages/server/src/main.ts"
import { canaries, smallHospital, type SmallHospital } from "../packages/server/src/testing/small-hospital.ts"

/** A server with a browser. */
export interface WebHouse {
  readonly url: string
  readonly hospital: SmallHospital
  /** The code that the server printed for the first account. */
  readonly setUpCode: string
  /** A page of somebody who is not signed in. */
  open(path: string): Promise<Page>
  /** Pictures of a screen: phone and desktop, light and dark. */
  picture(page: Page, name: string): Promise<void>
  /** What browsers complained about so far. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** Everybody's password. */
export const password = "a long password"

/** Against hanging only: a busy machine is slow. */
const patienceMs = 300_000
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const
const folder = join(import.meta.dirname, "screenshots")

/** How the hospital is changed before it is served. */
export interface HouseOptions {
  readonly policy?: (policy: string) => string
  readonly prepare?: (hospital: SmallHospital) => Promise<void>
  /** Of `serve`, besides its ports. */
  readonly flags?: readonly string[]
}

/** Opens one. */
export async function openWebHouse(options: HouseOptions = {}): Promise<WebHouse> {
  mkdirSync(folder, { recursive: true })
  const hospital = await smallHospital()
  hospital.rewrite(options.policy ?? ((policy) => policy))
  await options.prepare?.(hospital)
  const server = await startServer(hospital.folder, options.flags ?? [])
  const browser = await startBrowser()
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  return {
    url: server.url,
    hospital,
    setUpCode: server.setUpCode,
    complaints,
    open: async (path) => {
      const context = await browser.newContext({
        viewport: sizes.desktop,
        locale: "en-GB",
        reducedMotion: "reduce",
      })
      contexts.push(context)
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      watch(page, complaints)
      await page.goto(`${server.url}${path}`)
      return page
    },
    picture: async (page, name) => takePictures(page, name),
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
      await browser.close()
      await server.stop()
      hospital.remove()
    },
  }
}

async function startServer(place: string, flags: readonly string[]) {
  const controller = new AbortController()
  let ready: (text: string) => void = () => {}
  const greeting = new Promise<string>((resolve) => {
    ready = resolve
  })
  const ports = ["--pg-port", "0", "--http-port", "0", "--log", "silent"]
  const serving = runCommand(["serve", ...ports, ...flags], {
    folder: place,
    out: (text) => ready(text),
    error: () => {},
    signal: controller.signal,
  })
  const text = await Promise.race([greeting, serving.then(() => "")])
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(text)?.[0] ?? "",
    setUpCode: /code (\w+)/.exec(text)?.[1] ?? "",
    stop: async () => {
      controller.abort()
      await serving
    },
  }
}

async function startBrowser(): Promise<Browser> {
  const executablePath = process.env["E2E_CHROMIUM"] ?? ""
  const args = (process.env["E2E_FLAGS"] ?? "").split(" ").filter((flag) => flag !== "")
  return chromium.launch({ args, ...(executablePath === "" ? {} : { executablePath }) })
}

function watch(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on("console", (message) => {
    // A refusal is an ordinary answer, and browsers log its status.
    if (message.type() !== "error" || message.text().startsWith("Failed to load resource")) return
    complaints.push(`${page.url()}: ${message.text()}`)
  })
}

async function takePictures(page: Page, name: string): Promise<void> {
  const text = withoutRandomText(await page.locator("body").innerText())
  const leaked = canaries.filter((canary) => text.includes(canary))
  if (leaked.length > 0) throw new Error(`${name} shows ${leaked.join(", ")}`)
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport)
      await frame(page)
      await checkWidth(page, `${name} on a ${size}`)
      await page.emulateMedia({ colorScheme })
      await frame(page)
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(sizes.desktop)
  await page.emulateMedia({ colorScheme: "light" })
}

/** Nobody should have to scroll sideways: what is wide scrolls by itself. */
async function checkWidth(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  if (typeof wide !== "number" || wide > 0) throw new Error(`${name} is ${String(wide)} pixels too wide`)
}

/** Until the browser has drawn what changed. */
async function frame(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
}
