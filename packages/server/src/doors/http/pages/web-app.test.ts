import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { openWebApp } from "./web-app.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-web-"))
mkdirSync(join(folder, "dist/assets"), { recursive: true })
writeFileSync(join(folder, "secret.html"), "secret")
writeFileSync(join(folder, "dist/index.html"), "<p>page</p>")
writeFileSync(join(folder, "dist/assets/index-abc.js"), "run()")
writeFileSync(join(folder, "dist/notes.txt"), "not for browsers")
afterAll(() => rmSync(folder, { recursive: true }))

const app = openWebApp(join(folder, "dist"))
const get = async (path: string, init: RequestInit = {}): Promise<Response | undefined> =>
  app?.answer(new Request(`http://localhost${path}`, init))

test("there is no application where nothing was built", () => {
  expect(openWebApp(folder)).toBeUndefined()
})

test("the address of a screen gives the page, never kept without asking", async () => {
  for (const path of ["/", "/ask", "/releases/12", "/ask?study=heart"]) {
    const response = await get(path)
    expect(await response?.text()).toBe("<p>page</p>")
    expect(response?.headers.get("cache-control")).toBe("no-cache")
    expect(response?.headers.get("content-type")).toBe("text/html; charset=utf-8")
  }
})

test("a slash at the end leads to the screen, and nowhere else", async () => {
  for (const [path, wanted] of [
    ["/lab/", "/lab"],
    ["/lab/noise/?from=mail", "/lab/noise?from=mail"],
  ] as const) {
    const response = await get(path)
    expect([response?.status, response?.headers.get("location")]).toEqual([308, wanted])
  }
  // Not to another host, and nothing of the interface.
  for (const path of ["//elsewhere.example/", "/api/v1/datasets/", "/assets/gone.js/"])
    expect((await get(path))?.headers.get("location") ?? "nowhere").toBe("nowhere")
})

test("files whose names change with their content are kept for ever, and sent packed", async () => {
  const response = await get("/assets/index-abc.js", { headers: { "accept-encoding": "br, gzip" } })
  expect(response?.headers.get("cache-control")).toContain("immutable")
  expect(response?.headers.get("content-encoding")).toBe("gzip")
  const packed = new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer(0))
  expect(gunzipSync(packed).toString()).toBe("run()")
  const head = await get("/assets/index-abc.js", { method: "HEAD" })
  expect(await head?.text()).toBe("")
})

test("nothing else can be had: other files, other folders, other methods, routes of the interface", async () => {
  for (const path of [
    "/notes.txt",
    "/../secret.html",
    "/assets/..%2f..%2fsecret.html",
    "/assets/gone.js",
    "/api/v1/nothing",
    "/.vite/manifest.json",
  ]) {
    const response = await get(path)
    expect(response === undefined || (await response.text()) === "<p>page</p>").toBe(true)
  }
  expect(await get("/api/v1/nothing")).toBeUndefined()
  expect(await get("/assets/gone.js")).toBeUndefined()
  expect(await get("/", { method: "POST" })).toBeUndefined()
})
