// Where a Trino is, and how we show who we are: a password, a token or a certificate. What is shown of an
// address holds none of them.

import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import { resolve } from "node:path"
import { fail } from "../../errors.ts"

/** An address that can be connected to. */
export interface TrinoAddress {
  /** Scheme, host and port. */
  readonly origin: string
  /** The user that queries run as. */
  readonly user: string
  readonly catalog: string
  readonly schema: string
  /** Host, port, catalog and schema, in one spelling. */
  readonly place: string
  readonly tls: TlsFiles
  /** The header that shows who we are; undefined where a certificate or nothing does. */
  readonly authorization: () => string | undefined
}

/** What a connection is encrypted with. */
export interface TlsFiles {
  /** Authorities that are trusted in place of the system's. */
  readonly ca?: string
  /** Our own certificate and its key. */
  readonly cert?: string
  readonly key?: string
}

/**
 * Reads the address of a source; files are relative to a folder. A password or token is sent over an
 * encrypted connection only, and an unencrypted one leaves this machine never.
 */
export function trinoAddress(source: TrinoSource, folder: string): TrinoAddress {
  const url = new URL(source.url)
  const isEncrypted = url.protocol === "https:"
  if (!isEncrypted && !isHere(url.hostname)) unusable("an address of another machine begins with https://")
  const { passwordFile, tokenFile, certificateFile, keyFile, caFile } = source
  const read = (file: string): string => readSecret(file, folder)
  const password = passwordFile === undefined ? process.env["TRINO_PASSWORD"] : read(passwordFile)
  const hasSecret = password !== undefined || tokenFile !== undefined || certificateFile !== undefined
  if (!isEncrypted && hasSecret) unusable("a password, token or certificate needs https://")
  const user = url.username === "" ? "dosimeter" : decodeURIComponent(url.username)
  const port = url.port === "" ? (isEncrypted ? "443" : "80") : url.port
  return {
    origin: url.origin,
    user,
    catalog: source.catalog,
    schema: source.schema,
    place: `trino://${url.hostname.toLowerCase()}:${port}/${source.catalog}/${source.schema}`.toLowerCase(),
    tls: {
      ...(caFile === undefined ? {} : { ca: read(caFile) }),
      ...(certificateFile === undefined ? {} : { cert: read(certificateFile) }),
      ...(keyFile === undefined ? {} : { key: read(keyFile) }),
    },
    authorization: () => {
      // Tokens are short-lived, and whoever renews them writes the file anew.
      if (tokenFile !== undefined) return `Bearer ${read(tokenFile)}`
      if (password === undefined || certificateFile !== undefined) return undefined
      return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
    },
  }
}

function readSecret(file: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8").trim()
  } catch {
    return fail("dataset/not-found", { file })
  }
}

function unusable(what: string): never {
  return fail("dataset/unreachable", { what })
}

function isHere(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."))
}
