// Where a shared store, or a source, is: the URL of a PostgreSQL, checked before anything is sent there. What
// is shown of it holds no password.

import { isIP } from "node:net"
import { fail } from "../errors.ts"

/** An address that can be connected to, and how it is named in messages. */
export interface PostgresAddress {
  readonly url: string
  /** Host, port and database; never the role's password. */
  readonly place: string
  /** Host (or folder of the socket), port and database in one spelling: another server has another one. */
  readonly server: string
  readonly database: string
  /** Who connects; empty where neither the URL nor the environment says it. */
  readonly role: string
  /** Whether the URL itself holds a password. */
  readonly hasPassword: boolean
}

/**
 * Reads a URL such as postgres://dosimeter@db.example.org/dosimeter. To another machine the connection is
 * encrypted and its certificate checked, unless the URL says otherwise (sslmode).
 */
export function postgresAddress(text: string): PostgresAddress {
  return readAddress(text) ?? fail("store/bad-address", {})
}

/** The same; undefined for what is no such URL. */
export function readAddress(text: string): PostgresAddress | undefined {
  const url = readUrl(text)
  if (url === undefined || new Set(url.searchParams.keys()).size < url.searchParams.size) return undefined
  const socket = url.searchParams.get("host") ?? decodeURIComponent(url.hostname)
  const host = socket === "" ? (process.env["PGHOST"] ?? "localhost") : socket
  const ownPort = url.port === "" ? (process.env["PGPORT"] ?? "5432") : url.port
  const port = url.searchParams.get("port") ?? ownPort
  const isSecured =
    (url.searchParams.get("sslmode") ?? "") !== "" || knownModes.has(process.env["PGSSLMODE"] ?? "")
  if (!isHere(host) && !isSecured) url.searchParams.set("sslmode", "verify-full")
  const database = decodeURIComponent(url.pathname.slice(1))
  return {
    url: url.href,
    server: `${host.toLowerCase()} ${port} ${database}`,
    database,
    role: decodeURIComponent(url.username) || (process.env["PGUSER"] ?? ""),
    place: `postgres://${host.startsWith("/") ? "" : `${host}:${port}`}/${database}`,
    hasPassword: url.password !== "" || url.searchParams.has("password"),
  }
}

/** What the driver knows as PGSSLMODE. With any other word it does not encrypt. */
const knownModes: ReadonlySet<string> = new Set([
  "disable",
  "no-verify",
  "prefer",
  "require",
  "verify-ca",
  "verify-full",
])

function readUrl(text: string): URL | undefined {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) return undefined
  // A role without a host is what the address of a socket has, and no URL otherwise.
  const whole = text.replace("@/", "@localhost/")
  return URL.canParse(whole) ? new URL(whole) : undefined
}

function isHere(host: string): boolean {
  return (
    host.startsWith("/") ||
    ["localhost", "[::1]", "::1"].includes(host) ||
    (isIP(host) === 4 && host.startsWith("127."))
  )
}
