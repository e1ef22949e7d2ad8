// Synthetic rows: what they would cost, and what was made.

import { z } from "zod"
import { rightTo } from "../../../people/roles.ts"
import { account, amount } from "./common.ts"
import { cost } from "./questions.ts"
import { routes } from "./route.ts"

/** More rows than this are made by `dosimeter synth`, which writes them to a file. */
export const rowsMax = 100_000

const name = z.string().min(1).max(200)
const names = z.array(name).min(1).max(40).readonly()

const asked = {
  table: name.optional().meta({ description: "The table that has one row for each person." }),
  sql: z
    .string()
    .min(1)
    .max(60_000)
    .optional()
    .meta({ description: "Or a SELECT that has one row for each person." }),
  columns: names.optional().meta({ description: "Of the table; all that are declared if left out." }),
  rowsOf: z
    .strictObject({
      table: name,
      columns: names.optional(),
      order: name.meta({ description: "The column that puts a person's rows in order." }),
      most: z.int().min(2).max(1000).meta({ description: "More rows of a person count as so many." }),
    })
    .optional()
    .meta({ description: "A second table, of which people have several rows." }),
  rules: z
    .array(z.string().min(1).max(1000))
    .max(100)
    .readonly()
    .optional()
    .meta({ description: "What all rows keep; public.", example: ["age < 16 => employed = no"] }),
  target: name.optional().meta({ description: "The column that matters most." }),
  epsilon: amount.optional().meta({ description: "What to spend on all of it; the default if left out." }),
  rho: amount.optional().meta({ description: "In place of epsilon, where the budget adds up zcdp." }),
  study: z
    .string()
    .max(63)
    .optional()
    .meta({ description: "The study to charge; the only one if left out." }),
}

/** What somebody wants synthetic rows of. */
export const syntheticQuestion = z.strictObject(asked).meta({ id: "SyntheticQuestion" })

/** The same, and which rows. */
const syntheticRows = z
  .strictObject({
    ...asked,
    rows: z
      .int()
      .min(1)
      .max(rowsMax)
      .optional()
      .meta({ description: `As many as there are people, about, if left out; ${rowsMax} at most.` }),
    seed: z.string().max(100).optional().meta({ description: "The same seed makes the same rows." }),
    part: z
      .enum(["units", "rows"])
      .optional()
      .meta({ description: "As CSV: the rows of people (units), or those of the second table (rows)." }),
  })
  .meta({ id: "SyntheticRows" })

/** As it is sent. */
export type SyntheticBody = z.infer<typeof syntheticQuestion>

/** As it is sent, with which rows. */
export type SyntheticRowsBody = z.infer<typeof syntheticRows>

const share = z.number().min(0).max(1)

const quality = z
  .object({
    column: z.number().meta({ description: "The noise in the count of a value: a standard deviation." }),
    roughPair: z.number(),
    closePair: z.number(),
    pairs: z.int(),
    misplaced: z
      .array(z.object({ units: z.int(), share }))
      .readonly()
      .meta({ description: "For so many people: the share that noise puts into a wrong value of a column." }),
  })
  .meta({ id: "ExpectedQuality" })

/** The routes. */
export const syntheticRoutes = routes({
  priceSynthetic: {
    method: "POST",
    path: "/api/v1/synthetic/price",
    access: rightTo.explain,
    summary: "What synthetic rows would cost and how good they would be; free, and reads no data",
    body: syntheticQuestion,
    reply: z.object({
      columns: z.array(z.string()).readonly(),
      cost,
      quality,
      free: z.boolean().meta({ description: "Whether it was measured before, so that it costs nothing." }),
      budget: account,
    }),
  },
  makeSynthetic: {
    method: "POST",
    path: "/api/v1/synthetic",
    access: rightTo.ask,
    summary: "Measure what synthetic rows are made of, charge for it, and make rows",
    about:
      "As JSON what was made: how far the rows are from the data, and the receipt. As text/csv the rows. The " +
      "charge is recorded before data is read and stands whatever happens then; the same question again costs " +
      "nothing, with any number of rows and any seed. The rows protect people as far as the stated loss says, and no further.",
    body: syntheticRows,
    reply: z.object({
      rows: z.int().meta({ description: "How many rows of people were made." }),
      rowsOfSecondTable: z.int().nullable(),
      report: z
        .array(z.object({ columns: z.array(z.string()).readonly(), low: share, guess: share, high: share }))
        .readonly()
        .meta({
          description:
            "By column and by pair: the share of rows that would have to change for the table to be that of the data.",
        }),
      confidence: amount.meta({ description: "Of each interval of the report, by itself." }),
      origin: z.enum(["released", "recorded"]),
      charge: z.int(),
      cost,
      receipt: z.unknown(),
      budget: account,
    }),
    media: "text/csv",
    idempotent: true,
  },
})
