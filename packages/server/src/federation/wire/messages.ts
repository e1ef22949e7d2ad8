// What nodes and the coordinator say to each other, inside of what is signed.

import { z } from "zod"

/** Longest that a request for letters is held, in seconds: shorter than what proxies wait for. */
export const pollSecondsMax = 25

/** A node that enrols. */
export const enrolSchema = z.strictObject({ proof: z.string().max(100), version: z.string().max(40) })

/** A node that asks for letters after a position. */
export const pollSchema = z.strictObject({
  after: z.int().min(0),
  waitSeconds: z.int().min(0).max(pollSecondsMax),
})

/** The study of a coordinator, as a node that enrols is told: it is shown on terminals. */
export const welcomeSchema = z.strictObject({
  study: z.string().regex(/^[^\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]{1,200}$/u),
})

/** Letters for a node. */
export const lettersSchema = z.strictObject({
  letters: z.array(z.strictObject({ position: z.int().min(1), body: z.string() })).readonly(),
})

/** Whether a letter is whole now, so that its other parts need not be sent. */
export const sentSchema = z.strictObject({ isWhole: z.boolean() })
