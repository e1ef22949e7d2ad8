// Asking: what a question would cost, its answer, and several questions planned together.

import { boundingWords } from "@dosimeter/answers/shown/answer-table"
import { z } from "zod"
import { rightTo } from "../../../people/roles.ts"
import { account, amount } from "./common.ts"
import { routes } from "./route.ts"

const sql = z.string().min(1).max(60_000).meta({ example: "SELECT COUNT(*) AS n FROM person" })

/** The value of a parameter. */
export const parameter = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]).meta({
  id: "Parameter",
  description: "The value of $1, $2, ...; a text is like one in quotes: what it stands beside decides.",
})

const wholeNumber = z.int().min(1).max(999_999_999)

const spending = {
  epsilon: amount.optional().meta({ description: "What to spend; the owner's default if left out." }),
  rho: amount
    .optional()
    .meta({ description: "In place of epsilon: the same as rho, where the budget adds up zcdp." }),
  groupsPerUnit: z
    .union([wholeNumber, z.literal("auto")])
    .optional()
    .meta({ description: "In how many groups one person counts; auto learns it first." }),
  rowsPerGroup: wholeNumber.optional(),
  study: z
    .string()
    .max(63)
    .optional()
    .meta({ description: "The study to charge; the only one if left out." }),
}

/** A question as it is sent. A name that is not known is refused: mistyped, it would be left out. */
export const question = z
  .strictObject({
    sql,
    parameters: z.array(parameter).max(100).readonly().optional(),
    ...spending,
    within: z
      .string()
      .regex(
        /^\d{1,20}(\.\d{1,20})?\s*%?$/,
        "an error to reach is a number such as 50, or a share such as 5%",
      )
      .optional()
      .meta({ description: "In place of epsilon: an error to reach, 50 or 5%.", example: "5%" }),
    bounds: z
      .enum(["auto", "all", "declared"])
      .optional()
      .meta({ description: "Learn bounds first: where none are declared, all, or none." }),
    boundsShare: amount.optional().meta({ description: "The share of the loss that learns them." }),
    norm: z
      .enum(["auto", "fixed"])
      .optional()
      .meta({ description: "What people are scaled to: learnt first, or the groups and rows that count." }),
    aim: z
      .enum(["below-noise", "least-error"])
      .optional()
      .meta({
        description:
          "What a learnt norm is for: the least error; below-noise takes a norm up to 1.4 times as long where " +
          "more would be left out than there is noise.",
      }),
    keysDelta: amount
      .optional()
      .meta({ description: "Delta for selecting keys; in proportion to the loss if left out." }),
    quantileIntervals: z
      .boolean()
      .optional()
      .meta({ description: "false: all of a quantile's loss is spent on its value, none on an interval." }),
    keys: z.enum(["more", "counts"]).optional().meta({
      description:
        "Keys from the data beside COUNT(*) or a number of persons: nothing dropped (more), or less noise (counts).",
    }),
    nonNegative: z.boolean().optional().meta({
      description:
        "false: numbers as they were measured, so counts may be negative. true: counts of ROLLUP and its kin as whole numbers from 0 that add up, too.",
    }),
    weights: z
      .record(z.string().max(200), amount)
      .optional()
      .meta({ description: "How much the error of a column counts, by its name; 1 for all others." }),
    reuse: z
      .enum(["auto", "always", "never"])
      .optional()
      .meta({ description: "Whether earlier releases answer: if as good (auto), always, never." }),
  })
  .meta({ id: "Question" })

/** A question as it is sent. */
export type QuestionBody = z.infer<typeof question>

const column = z
  .object({
    name: z.string(),
    type: z.string(),
    kind: z.enum(["key", "noisy", "derived"]),
    mechanism: z.string().optional(),
    scale: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
    grid: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
    sensitivity: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
    bounding: z.enum(boundingWords).optional().meta({
      description:
        "What its intervals say of bounding: everything counts; what is left out is in them, proven or as an estimate; it is too much for that, so an end is open; or they are of the noise only.",
    }),
  })
  .meta({ id: "Column" })

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])

const cell = z
  .object({
    value,
    low: value.optional(),
    high: value.optional(),
    noiseLow: value.optional().meta({ description: "The interval of the noise alone." }),
    noiseHigh: value.optional(),
    leftOut: value.optional().meta({ description: "What bounding may have left out, at most." }),
    state: z.enum(["released", "below-threshold"]),
  })
  .meta({
    id: "Cell",
    description: "A value with its interval. Below the threshold is not zero; an end that is null is open.",
  })

const count = z.int().min(0)
const noteColumns = {
  columns: z.array(z.string()).readonly().meta({ description: "Of which columns; all if none is named." }),
  more: count.meta({ description: "How many columns there are besides." }),
}

/** A note as a kind with values. */
const noteFact = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.enum(["proven", "estimate", "too-much"]), ...noteColumns }),
    z.object({
      kind: z.literal("noise-only"),
      ...noteColumns,
      bounds: z
        .array(
          z.object({
            beyond: z.enum(["scaled", "dropped", "averaged"]),
            groups: z.string().exactOptional(),
            rows: z.string().exactOptional(),
          }),
        )
        .readonly(),
      unit: z.string(),
      isEarlier: z.boolean(),
    }),
    z.object({ kind: z.literal("averages") }),
    z.object({ kind: z.literal("hidden"), hidden: count, rows: count, from: z.string() }),
    z.object({ kind: z.literal("text"), text: z.string() }),
  ])
  .meta({ id: "NoteFact", description: "A note as a kind with values, for screens in other languages." })

/** A table, rows by the names of their columns. */
export const namedTable = z.object({
  columns: z.array(column).readonly(),
  rows: z.array(z.record(z.string(), cell).readonly()).readonly(),
  notes: z
    .array(z.string())
    .readonly()
    .optional()
    .meta({ description: "What the intervals cover, and what is not shown." }),
  noteFacts: z
    .array(noteFact)
    .readonly()
    .optional()
    .meta({ description: "The same notes, as kinds with values." }),
})

const origin = z.enum(["released", "recorded", "reused", "public", "explained"]).meta({
  description:
    "Paid now, from the record, worked out from earlier releases, about nobody, or what EXPLAIN tells.",
})

/** An answer. */
export const answer = namedTable
  .extend({
    origin,
    from: z.array(z.int()).readonly().optional().meta({ description: "The releases that it came from." }),
    receipt: z.unknown(),
    reached: z
      .object({ inside: z.int(), of: z.int() })
      .optional()
      .meta({ description: "How many numbers of a column are within the error that was wanted, at least." }),
    bounds: z
      .array(z.object({ label: z.string(), low: z.number(), high: z.number() }))
      .readonly()
      .optional(),
    stages: z
      .array(z.object({ name: z.string(), origin, receipt: z.unknown() }))
      .readonly()
      .optional(),
    budget: account,
  })
  .meta({ id: "Answer" })

const amounts = z.object({
  accounting: z.enum(["pure", "zcdp", "gdp"]),
  amount,
  delta: amount,
  epsilon: amount.nullable(),
})

/** What something costs. */
export const cost = amounts
  .extend({ words: z.string().meta({ description: "Of this alone; empty if it costs nothing." }) })
  .meta({ id: "Cost" })

const aggregate = z.object({ label: z.string(), mechanism: z.string(), error: z.string() })

/** What a question would do. */
export const explanation = z
  .object({
    dataset: z.string(),
    unitName: z.string(),
    neighbours: z.string(),
    tables: z.array(z.string()).readonly(),
    columns: z.array(column).readonly(),
    releases: z
      .array(
        z.object({
          groups: z.string(),
          bounding: z.string(),
          scaled: z.enum(["fixed", "learnt"]).optional().meta({
            description: "Where people are scaled: to a fixed norm, or to one that a ladder chose.",
          }),
          form: z.string(),
          aggregates: z.array(aggregate).readonly(),
        }),
      )
      .readonly(),
    confidence: amount,
    cost,
    firstLook: z
      .object({
        epsilon: amount,
        more: z.array(amount).readonly(),
        thenAtMost: amount,
        cost: amounts.optional().meta({ description: "Of all looks and the question together, at most." }),
      })
      .optional()
      .meta({ description: "What tells how large the answer is; more follow if it tells too little." }),
    free: z
      .boolean()
      .meta({ description: "Whether earlier releases answer it, so that asking it now costs nothing." }),
    notes: z.array(z.string()).readonly(),
    text: z.string().meta({ description: "All of it in words." }),
    budget: account,
  })
  .meta({ id: "Explanation" })

const plannedQuestion = z.object({
  sql: z.string(),
  alone: z.number(),
  inPlan: z.number(),
  errors: z
    .array(z.object({ label: z.string(), error: z.number(), kind: z.enum(["value", "rows", "mean"]) }))
    .readonly()
    .meta({
      description:
        "Half the width of the interval (value); rows of the order (rows); of a mean what is to be divided by " +
        "its number of values (mean).",
    }),
})

/** Several questions together. */
export const workload = z
  .strictObject({
    questions: z
      .array(z.strictObject({ sql, weight: amount.optional() }))
      .min(1)
      .max(200)
      .readonly(),
    ...spending,
    groupsPerUnit: wholeNumber.optional(),
  })
  .meta({ id: "Workload" })

/** Several questions as they are sent. */
export type WorkloadBody = z.infer<typeof workload>

/** The routes about questions. */
export const questionRoutes = routes({
  explain: {
    method: "POST",
    path: "/api/v1/explain",
    access: rightTo.explain,
    summary: "What a question would cost and how exact it would be; free, and reads no data",
    body: question,
    reply: explanation,
  },
  ask: {
    method: "POST",
    path: "/api/v1/ask",
    access: rightTo.ask,
    summary: "Answer a question and charge for it",
    about:
      "The charge is recorded before data is read, and stands whatever happens then. With `Accept: " +
      "text/event-stream` the steps come as they happen: planned, charged, reading, released (the answer) or " +
      "problem. A question goes on when its caller leaves, and its answer is in the record.",
    body: question,
    reply: answer,
    media: "text/event-stream",
    idempotent: true,
  },
  plan: {
    method: "POST",
    path: "/api/v1/plan",
    access: rightTo.ask,
    summary: "What several questions would cost together; free, and reads no data",
    body: workload,
    reply: z.object({ questions: z.array(plannedQuestion).readonly(), cost, budget: account }),
  },
  releasePlan: {
    method: "POST",
    path: "/api/v1/plan/release",
    access: rightTo.ask,
    summary: "Answer several questions together under one charge",
    body: workload,
    reply: z.object({
      questions: z.array(plannedQuestion).readonly(),
      cost,
      answers: z.array(namedTable).readonly(),
      origin,
      receipt: z.unknown(),
      budget: account,
    }),
    idempotent: true,
  },
})
