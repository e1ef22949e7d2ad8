// Envelopes as letters and back: what is kept is the text that was signed, unchanged.

import { coordinatorName, parseEnvelope, type Envelope } from "@dosimeter/engine"
import { fail } from "../../errors.ts"
import type { Letter } from "./letters.ts"

/** An envelope that goes out. */
export function letterTo(envelope: Envelope): Letter {
  return { peer: envelope.to, job: envelope.job, step: envelope.step, body: JSON.stringify(envelope) }
}

/** An envelope that came from somebody, who must be its sender. */
export function letterFrom(peer: string, body: string): Letter {
  const { from, to, job, step } = parseEnvelope(body)
  const isBetween = from === peer && (peer === coordinatorName || to === coordinatorName)
  if (!isBetween) return fail("federation/bad-request", { what: "a letter names another sender" })
  return { peer, job, step, body }
}

/** The envelope of a letter. */
export function envelopeOf({ body }: Letter): Envelope {
  return parseEnvelope(body)
}
