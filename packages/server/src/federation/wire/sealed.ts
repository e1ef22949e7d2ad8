// Requests of nodes and replies of the coordinator: a text and its signature. The signed text says what it is
// for, to whom, when, and with a number that is used once, so that none can be sent again, to another
// coordinator, or as something else. TLS hides the texts; these signatures do not depend on it, so a proxy
// that looks into TLS can neither speak for a node nor for the coordinator.

import { coordinatorName, isSigned, type Signer } from "@dosimeter/engine"
import { randomBytes } from "node:crypto"
import { z } from "zod"
import { fail } from "../../errors.ts"
import { publicKeySchema } from "./identity.ts"
import { jsonOf } from "./json.ts"

/** What travels. */
export interface Sealed {
  readonly text: string
  readonly signature: string
}

/** What a node can ask a coordinator for. */
export type RequestKind = "enrol" | "poll" | "send"

/** A request that was opened: of whom, and what it holds. */
export interface OpenedRequest {
  readonly site: string
  readonly key: string
  readonly nonce: string
  readonly content: unknown
}

/** How far two clocks may be apart, in milliseconds. */
export const clockTolerance = 5 * 60_000

/** Who is named as the sender of what the coordinator's clock says: no site. */
export const clockPeer = "clock"

/** The name of a site: of one node at one coordinator. */
export const siteName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/)
  .refine((name) => name !== coordinatorName && name !== clockPeer)

const protocol = "dosimeter/federation/1"
const requestLabel = "dosimeter request 1"
const replyLabel = "dosimeter reply 1"
const nonce = z.string().regex(/^[A-Za-z0-9_-]{22}$/)
const requestText = z.strictObject({
  protocol: z.literal(protocol),
  kind: z.enum(["enrol", "poll", "send"]),
  coordinator: publicKeySchema,
  site: siteName,
  key: publicKeySchema,
  at: z.iso.datetime(),
  nonce,
  content: z.unknown(),
})
const replyText = z.strictObject({
  protocol: z.literal(protocol),
  kind: z.literal("reply"),
  nonce,
  content: z.unknown(),
})

/** To whom a request goes, and from which site. */
export interface RequestHead {
  readonly kind: RequestKind
  readonly coordinator: string
  readonly site: string
  readonly at: Date
}

/** Signs a request; its nonce is what the reply must name. */
export function sealRequest(
  signer: Signer,
  { kind, coordinator, site, at }: RequestHead,
  content: unknown,
): { readonly sealed: Sealed; readonly nonce: string } {
  const own = randomBytes(16).toString("base64url")
  const head = { protocol, kind, coordinator, site, key: signer.publicKey }
  const text = JSON.stringify({ ...head, at: at.toISOString(), nonce: own, content })
  return { sealed: { text, signature: signer.sign(requestLabel, text) }, nonce: own }
}

/** Opens a request; that its key is the site's, and its nonce unused, is for whoever knows the sites. */
export function openRequest(
  sealed: Sealed,
  { kind, coordinator, at }: Omit<RequestHead, "site">,
): OpenedRequest {
  const read = requestText.safeParse(jsonOf(sealed.text))
  if (!read.success) return fail("federation/bad-request", { what: "its text is not one" })
  const { site, key, nonce: used, content } = read.data
  if (read.data.kind !== kind) return fail("federation/bad-request", { what: "it is for something else" })
  if (read.data.coordinator !== coordinator) return fail("federation/other-coordinator", {})
  if (!isSigned(requestLabel, sealed.text, { publicKey: key, signature: sealed.signature })) {
    return fail("federation/bad-request", { what: "its signature does not fit" })
  }
  if (Math.abs(Date.parse(read.data.at) - at.getTime()) > clockTolerance) {
    return fail("federation/clock", { now: at.toISOString() })
  }
  return { site, key, nonce: used, content }
}

/** Signs the reply to a request. */
export function sealReply(signer: Signer, request: { readonly nonce: string }, content: unknown): Sealed {
  const text = JSON.stringify({ protocol, kind: "reply", nonce: request.nonce, content })
  return { text, signature: signer.sign(replyLabel, text) }
}

/** What a reply holds, if the coordinator signed it for this very request. */
export function openReply(
  sealed: Sealed,
  { coordinator, nonce: asked }: { readonly coordinator: string; readonly nonce: string },
): unknown {
  const read = replyText.safeParse(jsonOf(sealed.text))
  const by = { publicKey: coordinator, signature: sealed.signature }
  const isReply = read.success && read.data.nonce === asked && isSigned(replyLabel, sealed.text, by)
  return isReply ? read.data.content : fail("federation/not-the-coordinator", {})
}
