// Outbound requests only: HTTPS, through a proxy where the house has one, with a certificate authority of its
// own where the house has one. Nothing listens.

import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type Socket } from "node:net"
import { connect as tlsConnect, rootCertificates } from "node:tls"
import { DosimeterError } from "@dosimeter/core"
import { envelopeLengthMax } from "@dosimeter/engine"
import { fail } from "../../errors.ts"

/** By which way a request leaves the house. */
export interface Route {
  /** Such as http://proxy.example.org:3128; with a name and a password where it wants them. */
  readonly proxy?: string
  /** Certificate authorities in PEM, trusted besides the usual ones. */
  readonly authorities?: string
}

/** What came back. */
export interface Reached {
  readonly status: number
  readonly text: string
  /** Seconds to wait, where they were named. */
  readonly retryAfter: number | undefined
}

interface PostOptions extends Route {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Of a reply, in bytes: a letter of the largest size, quoted twice. */
const replyMax = 3 * envelopeLengthMax

/** Sends JSON and gives the reply, whatever its status. */
export async function postJson(url: string, body: string, options: PostOptions): Promise<Reached> {
  const target = new URL(url)
  const signals = [
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ]
  const signal = AbortSignal.any(signals)
  let socket: Socket | undefined
  try {
    socket = await tunnel(target, options, signal)
    return await post(target, body, { authorities: options.authorities, socket, signal })
  } catch (error) {
    if (error instanceof DosimeterError) throw error
    return fail("federation/unreachable", { url: target.origin, why: whyOf(error, options.timeoutMs) })
  } finally {
    // TLS does not close what it was given.
    socket?.destroy()
  }
}

/** The proxy of the environment for an address, as other programs read it. */
export function proxyOf(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { hostname } = new URL(url)
  const except = (env["NO_PROXY"] ?? env["no_proxy"] ?? "").split(",").map((part) => part.trim())
  const isExcepted = except.some((part) => {
    const name = part.replace(/^\*?\./, "").replace(/:\d+$/, "")
    return part === "*" || (name !== "" && (hostname === name || hostname.endsWith(`.${name}`)))
  })
  const proxy = env["HTTPS_PROXY"] ?? env["https_proxy"] ?? ""
  return isExcepted || proxy === "" || new URL(url).protocol === "http:" ? undefined : proxy
}

interface SendOptions {
  readonly authorities: string | undefined
  readonly socket: Socket | undefined
  readonly signal: AbortSignal
}

async function post(
  target: URL,
  body: string,
  { authorities, socket, signal }: SendOptions,
): Promise<Reached> {
  return new Promise<Reached>((resolve, reject) => {
    const isSecure = target.protocol === "https:"
    const options: RequestOptions = {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        Connection: "close",
      },
      agent: false,
      signal,
    }
    const secure = { ...options, ...tlsOptions(authorities) }
    const tunnelled = {
      ...secure,
      createConnection: () => tlsConnect({ ...tlsOptions(authorities), ...nameOf(target), socket }),
    }
    const request = isSecure
      ? httpsRequest(target, socket === undefined ? secure : tunnelled)
      : httpRequest(target, options)
    request.once("error", reject)
    request.once("response", (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text, retryAfter: retryAfterOf(response) }),
        reject,
      )
    })
    request.end(body)
  })
}

/** A connection through the proxy; undefined where there is none. */
async function tunnel(target: URL, { proxy }: Route, signal: AbortSignal): Promise<Socket | undefined> {
  if (proxy === undefined || target.protocol !== "https:") return undefined
  const by = URL.canParse(proxy) ? new URL(proxy) : fail("federation/bad-proxy", {})
  if (by.protocol !== "http:") return fail("federation/bad-proxy", {})
  const port = target.port === "" ? "443" : target.port
  const place = `${target.hostname}:${port}`
  const user = `${decodeURIComponent(by.username)}:${decodeURIComponent(by.password)}`
  const authorization: Readonly<Record<string, string>> =
    by.username === "" ? {} : { "Proxy-Authorization": `Basic ${Buffer.from(user).toString("base64")}` }
  return new Promise<Socket>((resolve, reject) => {
    const request = httpRequest({
      host: by.hostname,
      port: by.port === "" ? 80 : by.port,
      method: "CONNECT",
      path: place,
      headers: { Host: place, ...authorization },
      agent: false,
      signal,
    })
    request.once("error", reject)
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket)
      else {
        socket.destroy()
        reject(new Error(`the proxy answers with status ${statusCode ?? 0}`))
      }
    })
    request.end()
  })
}

function tlsOptions(authorities: string | undefined) {
  const shared = { minVersion: "TLSv1.2" } as const
  return authorities === undefined ? shared : { ...shared, ca: [...rootCertificates, authorities] }
}

/** An address has no name that a server could be asked for. */
function nameOf({ hostname }: URL): { readonly host: string; readonly servername?: string } {
  const host = hostname.replace(/^\[|\]$/g, "")
  return isIP(host) === 0 ? { host, servername: host } : { host }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const body: AsyncIterable<Buffer> = response
  for await (const chunk of body) {
    size += chunk.length
    if (size > replyMax) throw new Error("the reply is too long")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

function retryAfterOf({ headers }: IncomingMessage): number | undefined {
  const seconds = Number(headers["retry-after"] ?? Number.NaN)
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 3600 ? seconds : undefined
}

function whyOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "no connection"
  if (error.name === "AbortError" || error.name === "TimeoutError") {
    return `no reply in ${Math.round(timeoutMs / 1000)} s`
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  return code === "" ? error.message : `${code.toLowerCase().replaceAll("_", " ")}`
}
