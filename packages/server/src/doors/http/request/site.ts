// Where the server is, as browsers see it: that decides on cookies, on headers, and on what counts as our own
// page.

import { networkOf } from "../../../limits/network-of.ts"

/** How the server is reached. */
export interface Site {
  /** Encrypted here, or by a proxy before. */
  readonly secure: boolean
  /** A proxy stands before the server and says who called. */
  readonly behindProxy: boolean
  /** As browsers know it, such as https://data.example.org; from the request if undefined. */
  readonly publicUrl: string | undefined
}

/** The name of the session's cookie. With the prefix, browsers take it over TLS from this host only. */
export function cookieName({ secure }: Site): string {
  return secure ? "__Host-dosimeter" : "dosimeter"
}

/** How long a browser is remembered: a year. */
export const deviceSeconds = 365 * 24 * 3_600

/** The name of the cookie that says with which browser somebody signed in before. */
export function deviceCookie({ secure }: Site): string {
  return secure ? "__Host-dosimeter-device" : "dosimeter-device"
}

/** A cookie that scripts cannot read; without a value it ends. */
export function cookieOf(
  site: Site,
  options: {
    readonly name: string
    readonly value: string
    readonly maxAgeSeconds: number
    readonly sameSite: "Strict" | "Lax"
  },
): string {
  const { name, value, maxAgeSeconds, sameSite } = options
  const secure = site.secure ? "; Secure" : ""
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`
}

/** The value of a cookie that was sent. */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2)
    if (key === name && value !== undefined && /^[A-Za-z0-9_.~-]{1,4000}$/.test(value)) return value
  }
  return undefined
}

/** Whether a request comes from a page of ours, or from no page at all. */
export function isFromHere(request: Request, site: Site): boolean {
  const { headers } = request
  const fetchSite = headers.get("sec-fetch-site")
  if (fetchSite !== null) return fetchSite === "same-origin" || fetchSite === "none"
  const origin = headers.get("origin")
  if (origin === null) return true
  if (origin === site.publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === headers.get("host")
}

/** Who called: the connection's other end, or what the proxy says it was. */
export function addressOf(request: Request, connection: string, { behindProxy }: Site): string {
  if (!behindProxy) return networkOf(connection)
  // The last one was added by the proxy that we trust; the others anybody could have sent.
  const named = (request.headers.get("x-forwarded-for") ?? "").split(",").at(-1)?.trim() ?? ""
  return networkOf(named === "" ? connection : named.slice(0, 100))
}

/** The headers of every reply. */
export function securityHeaders({ secure }: Site): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": [
      "default-src 'self'",
      "img-src 'self' data:",
      "style-src 'self' 'unsafe-inline'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
    ].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(secure ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  }
}
