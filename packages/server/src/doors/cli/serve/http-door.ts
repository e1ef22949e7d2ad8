// The HTTP door as the command opens it: what the options say, checked.

import { isIP } from "node:net"
import { fail } from "../../../errors.ts"
import type { HttpServer } from "../../http/http-server.ts"
import { openHttpDoor, type HttpDoorOptions } from "../../http/open-http-door.ts"
import { requestLog, type LogLevel } from "../../http/services/request-log.ts"
import { openIdSettings } from "./open-id-settings.ts"
import type { Session } from "../session/session.ts"

/** The options of the door. */
export interface HttpFlags {
  readonly host: string
  readonly httpPort: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly behindProxy?: true
  readonly publicUrl?: string
  readonly requestsPerMinute: string
  readonly connectionsPerAddress?: string
  readonly log?: LogLevel
}

/** Opens the door. */
export async function openHttp(
  services: Omit<HttpDoorOptions, "host" | "port">,
  flags: HttpFlags,
  session: Session,
): Promise<HttpServer> {
  const { host, httpPort, behindProxy, publicUrl } = flags
  const site = publicUrl === undefined ? undefined : originOf(publicUrl)
  const openId = openIdSettings(process.env, site)
  // A person at a terminal sees what is wrong only; a file gets every line.
  const level = flags.log ?? (session.terminal === undefined ? "info" : "warn")
  const options: HttpDoorOptions = {
    ...services,
    host,
    port: portOf("--http-port", httpPort),
    behindProxy: behindProxy === true,
    ...(site === undefined ? {} : { publicUrl: site }),
    ...(openId === undefined ? {} : { openId }),
    ...limitsOf(flags),
    answered: requestLog(level, session.note),
  }
  return openHttpDoor(options).catch((error: unknown) => portTaken(error, httpPort, "--http-port"))
}

/** What the options say about how much one account or address may have. */
export function limitsOf({ requestsPerMinute, connectionsPerAddress }: HttpFlags) {
  const perMinute = countOf("--requests-per-minute", requestsPerMinute, "600")
  if (connectionsPerAddress === undefined) return { requestsPerMinute: perMinute }
  const each = countOf("--connections-per-address", connectionsPerAddress, "250")
  return { requestsPerMinute: perMinute, connectionsPerAddress: each }
}

function countOf(option: string, text: string, example: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  return fail("cli/bad-option", { option, got: text, wanted: `a whole number such as ${example}` })
}

/** The number of a port. */
export function portOf(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    fail("cli/bad-option", { option, got: text, wanted: "a port such as 8080" })
  }
  return Number(text)
}

/** Says which port is taken, if that is what went wrong. */
export function portTaken(error: unknown, port: string, option: string): never {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
  if (isTaken) fail("serve/port-taken", { port, option })
  throw error
}

/** Whether an address is reached from this machine only. */
export function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    const wanted = "an address such as https://data.example.org"
    return fail("cli/bad-option", { option: "--public-url", got: url, wanted })
  }
  return new URL(url).origin
}
