// The screens for browsers: the files that the build of packages/web left, held in memory. Only what was
// found when the server started can be asked for, so no path leads out of the folder.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

/** The screens. */
export interface WebApp {
  /**
   * A file, the page itself for the address of a screen, or the way to it from a slash too many; undefined
   * for what is none of these.
   */
  answer(request: Request): Promise<Response | undefined>
}

/** Where the build leaves the screens: beside this package, from its sources and from its build. */
export const webFolder = fileURLToPath(new URL("../../../../../web/dist", import.meta.url))

/** The screens in a folder; undefined if they were not built. */
export function openWebApp(folder: string): WebApp | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined
  const files = new Map(filesIn(folder).map((name) => [`/${name}`, readFile(folder, name)]))
  return {
    answer: async (request) => {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined
      const { pathname, search } = new URL(request.url)
      const plain = pathname.replace(/\/$/, "")
      if (plain !== "" && plain !== pathname && isScreen(plain)) return movedTo(`${plain}${search}`)
      const file = files.get(pathname) ?? (isScreen(pathname) ? files.get("/index.html") : undefined)
      return file === undefined ? undefined : responseOf(file, request)
    },
  }
}

/** Whether a path may be the address of a screen: the page itself knows which there are. */
function isScreen(path: string): boolean {
  return !path.startsWith("/api/") && /^\/(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*)?$/.test(path)
}

/** The same address without the slash at its end, which people type and bookmark. */
function movedTo(address: string): Response {
  return new Response(null, { status: 308, headers: { Location: address, "Cache-Control": "no-cache" } })
}

interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** Its name changes with its content, so it can be kept for ever. */
  readonly isFixed: boolean
  /** Made when it is first wanted. */
  packed?: Promise<Uint8Array<ArrayBuffer>>
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => extname(name) in types)
}

function readFile(folder: string, name: string): WebFile {
  return {
    bytes: Uint8Array.from(readFileSync(join(folder, name))),
    type: types[extname(name)] ?? "application/octet-stream",
    isFixed: name.startsWith("assets/"),
  }
}

const pack = promisify(gzip)

async function responseOf(file: WebFile, request: Request): Promise<Response> {
  const headers = new Headers({
    "Content-Type": file.type,
    "Cache-Control": file.isFixed ? "public, max-age=31536000, immutable" : "no-cache",
    Vary: "Accept-Encoding",
  })
  const isPacked = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")
  if (!isPacked) return new Response(request.method === "HEAD" ? null : file.bytes, { headers })
  file.packed ??= pack(file.bytes).then((bytes) => Uint8Array.from(bytes))
  const bytes = await file.packed
  headers.set("Content-Encoding", "gzip")
  return new Response(request.method === "HEAD" ? null : bytes, { headers })
}
