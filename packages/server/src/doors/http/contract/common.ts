// Pieces that several subjects of the contract share: amounts, times, names, pages and errors.

import { z } from "zod"

/** An amount of loss as a decimal text, so that no program rounds it by accident. */
export const amount = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,60})?(e[+-]?\d{1,3})?$/)
  .meta({ id: "Amount", description: "An amount as a decimal text.", example: "0.5" })

/** A point in time. */
export const time = z.iso.datetime().meta({ description: "In UTC.", example: "2026-03-01T09:30:00.000Z" })

/** A day. */
export const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .meta({ description: "A day.", example: "2026-03-01" })

/** The name of an account. */
export const accountName = z.string().min(1).max(63).meta({ example: "ada" })

/** A line that somebody wrote, for everybody to read. */
export const reasons = z.string().max(4000).meta({ description: "Why; everybody can read it." })

/** Which page of a list is wanted. */
export const pageQuery = {
  after: z.string().max(200).optional().meta({ description: "The `next` of the page before." }),
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(1000))
    .optional()
    .meta({ description: "How many at most: 50 if left out, 1000 at most." }),
}

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).readonly(),
    next: z
      .string()
      .nullable()
      .meta({ description: "Give it as `after` for the next page; null at the end." }),
  })
}

const facts = z
  .record(z.string(), z.string())
  .optional()
  .meta({ description: "The names that stand in message and help, for texts in other languages." })

/** Everything that goes wrong looks like this. */
export const problem = z
  .object({
    kind: z.enum(["invalid", "unsupported", "refused", "unavailable", "bug"]),
    code: z.string().meta({ description: "Stable for ever.", example: "privacy/unbounded-sum" }),
    message: z.string(),
    help: z.string().nullable().meta({ description: "What to do, so that it can be typed." }),
    facts,
    position: z
      .object({ offset: z.int(), line: z.int(), column: z.int() })
      .optional()
      .meta({ description: "Where in the SQL." }),
    others: z
      .array(z.object({ code: z.string(), message: z.string(), help: z.string().nullable(), facts }))
      .readonly()
      .optional()
      .meta({ description: "What else is wrong with the same question." }),
  })
  .meta({ id: "Problem" })

/** A problem as it is sent. */
export type Problem = z.infer<typeof problem>

const share = z.number().min(0).max(1)

/** How much of an account is used. */
export const used = z
  .object({
    share: share.meta({ description: "How much is used: the larger of the two. Every page shows it." }),
    loss: share.meta({ description: "Of what is added up." }),
    delta: share.meta({ description: "Of what there is for the deltas of charges." }),
    first: z.enum(["loss", "delta"]).meta({ description: "What runs out first." }),
  })
  .meta({ id: "Used", description: "Shares from 0 to 1, rounded up." })

/** An account of the ledger as it is sent: spent is rounded up, left is rounded down. */
export const account = z
  .object({
    name: z.string().meta({ example: "study:heart" }),
    accounting: z.enum(["pure", "zcdp", "gdp"]),
    epsilon: amount.meta({ description: "The budget." }),
    delta: amount,
    deltaForKeys: amount.meta({
      description: "What of delta is for key selection, and for noise that needs one.",
    }),
    spent: z.object({ epsilon: amount, delta: amount, amount }),
    left: z.object({ epsilon: amount, delta: amount, amount }),
    used,
    defaultQuestionsLeft: z.int().meta({ description: "How many questions of the default price still fit." }),
  })
  .meta({
    id: "Account",
    description: "`amount` is in the measure that is added up: epsilon, rho (zcdp) or mu squared (gdp).",
  })

/** What a request says that two people decide about: who asked and why, where it stands, what people said. */
export const decided = {
  reasons: z.string(),
  requestedBy: z.string(),
  requestedAt: time,
  state: z.enum(["open", "granted", "refused"]),
  agreements: z
    .array(
      z.object({
        name: z.string(),
        role: z.string(),
        decision: z.enum(["agree", "refuse"]),
        reasons: z.string(),
        at: time,
      }),
    )
    .readonly(),
}
