// An invitation: one line of text that the coordinator's lead hands to one hospital by a way that both trust.
// It names the coordinator's address and key, and holds a code that enrols one key once. The code itself
// never travels to the coordinator: what travels is its hash together with the key that is enrolled.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { z } from "zod"
import { fail } from "../../errors.ts"
import { publicKeySchema } from "./identity.ts"
import { siteName } from "./sealed.ts"
import { jsonOf } from "./json.ts"

/** What an invitation says. */
export interface Invitation {
  readonly url: string
  readonly coordinator: string
  readonly site: string
  readonly code: string
}

const mark = "dosimeter-invitation-1."
const codeSchema = z.string().regex(/^[A-Za-z0-9_-]{22}$/)
const invitation = z.strictObject({
  url: z.string().max(300),
  coordinator: publicKeySchema,
  site: siteName,
  code: codeSchema,
})

/** A code that nobody guesses. */
export function newCode(): string {
  return randomBytes(16).toString("base64url")
}

/** The line that is handed over. */
export function writeInvitation(given: Invitation): string {
  return `${mark}${Buffer.from(JSON.stringify(given), "utf8").toString("base64url")}`
}

/** Reads the line. */
export function readInvitation(line: string): Invitation {
  const text = line.trim()
  if (!text.startsWith(mark) || text.length > 2000) return fail("federation/bad-invitation", {})
  const json = Buffer.from(text.slice(mark.length), "base64url").toString("utf8")
  const read = invitation.safeParse(jsonOf(json))
  if (!read.success) return fail("federation/bad-invitation", {})
  return { ...read.data, url: coordinatorUrl(read.data.url) }
}

/** The address of a coordinator: HTTPS, or HTTP on this machine. */
export function coordinatorUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url !== undefined && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)
  if (url === undefined || !isSafe || url.username !== "" || url.search !== "" || url.hash !== "") {
    return fail("federation/bad-url", { url: text.slice(0, 200) })
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
}

/** Shows that somebody has the code, for this key, site and coordinator and no other. */
export function enrolmentProof(
  code: string,
  { coordinator, site, key }: { readonly coordinator: string; readonly site: string; readonly key: string },
): string {
  const said = `dosimeter/enrolment/1\n${coordinator}\n${site}\n${key}`
  return createHmac("sha256", code).update(said, "utf8").digest("base64url")
}

/** Compares two proofs in the same time whatever they are. */
export function sameProof(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
