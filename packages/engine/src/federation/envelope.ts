// What travels between a coordinator and its sites: one signed message about one job. Whoever carries it
// needs to know nothing of what is in it.

import { objectOf, readText, Unreadable, type Read } from "@dosimeter/answers/shown/read-fields"
import { fail } from "../errors.ts"
import { isSigned, type Signer } from "./signing.ts"

/** A signed message about a job. */
export interface Envelope {
  /** The id of the job. */
  readonly job: string
  /** What the message is: "job", "approve", "refuse", "result", or a step of the sum. */
  readonly step: string
  /** The name of a site, or "coordinator". */
  readonly from: string
  readonly to: string
  /** Of this sender to this receiver about this job: 0, 1, 2, ... */
  readonly sequence: number
  /** Plain JSON; whoever receives the step decodes it. */
  readonly body: unknown
  /** Ed25519 of the sender over the canonical text of all other fields. */
  readonly signature: string
}

/** What the coordinator is called in every job. */
export const coordinatorName = "coordinator"

/** Longer envelopes, as JSON in UTF-16 units, are refused: a vector of a million numbers fits. */
export const envelopeLengthMax = 48 * 1024 * 1024

/** More messages of one sender to one receiver about one job are refused. */
const sequenceMax = 100_000

const label = "dosimeter envelope 1"

/** Signs a message. */
export function sealed(message: Omit<Envelope, "signature">, signer: Signer): Envelope {
  return { ...message, signature: signer.sign(label, message) }
}

/** Whether an envelope was signed with the private half of a key. */
export function isSealedBy(envelope: Envelope, publicKey: string): boolean {
  const { signature, ...message } = envelope
  return isSigned(label, message, { publicKey, signature })
}

/** Reads an envelope from JSON text. */
export function parseEnvelope(text: string): Envelope {
  if (text.length > envelopeLengthMax) fail("federation/bad-message", { what: "is too long" })
  try {
    return readEnvelope(JSON.parse(text), "the message")
  } catch {
    return fail("federation/bad-message", { what: "is no envelope" })
  }
}

/** Reads an envelope from parsed JSON: whatever is not known is refused. The signature is not looked at. */
export function decodeEnvelope(value: unknown): Envelope {
  try {
    const envelope = readEnvelope(value, "the message")
    if (JSON.stringify(envelope).length > envelopeLengthMax) throw new Unreadable("the message is too long")
    return envelope
  } catch (error) {
    if (error instanceof Unreadable) return fail("federation/bad-message", { what: "is no envelope" })
    throw error
  }
}

const readEnvelope: Read<Envelope> = objectOf(({ need }) => ({
  job: need("job", readHash),
  step: need("step", textLike(/^[a-z][a-z0-9-]{0,39}$/)),
  from: need("from", readName),
  to: need("to", readName),
  sequence: need("sequence", readSequence),
  body: need("body", (found) => found),
  signature: need("signature", textLike(/^[A-Za-z0-9_-]{86}$/)),
}))

/** A text of one form. */
export function textLike(form: RegExp): Read<string> {
  return (found, at) => {
    const text = readText(found, at)
    if (!form.test(text)) throw new Unreadable(`${at} has another form`)
    return text
  }
}

/** 64 hexadecimal digits. */
export const readHash: Read<string> = textLike(/^[0-9a-f]{64}$/)

/** The name of a site: lower-case letters, digits and hyphens. */
export const readName: Read<string> = textLike(/^[a-z0-9][a-z0-9-]{0,62}$/)

const readSequence: Read<number> = (found, at) => {
  if (typeof found !== "number" || !Number.isInteger(found) || found < 0 || found > sequenceMax) {
    throw new Unreadable(`${at} is no place in a sequence`)
  }
  return found
}
