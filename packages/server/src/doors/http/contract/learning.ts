// Learning from rows that nobody sees: synthetic rows and models, what they would cost, and what was made.

import { z } from "zod"
import { rightTo } from "../../../people/roles.ts"
import { account, amount, pageOf, pageQuery, time } from "./common.ts"
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

/** What somebody wants a model of. */
const modelQuestion = z
  .strictObject({
    model: name.meta({ description: "Which model.", example: "logistic" }),
    sql: z.string().min(1).max(60_000).meta({
      description: "A SELECT that has one row for each person: the features, and the target if there is one.",
      example: "SELECT gender_concept_id, year_of_birth, year_of_birth < 1960 AS older FROM person",
    }),
    target: name.optional().meta({
      description: "The column of it that is to be told; components and k-means have none.",
    }),
    count: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: "How many components (2 if left out), or groups of k-means (3)." }),
    rounds: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: "How often the data is measured; enough for most models if left out." }),
    epsilon: amount.optional().meta({ description: "What to spend on all of it; the default if left out." }),
    rho: amount.optional().meta({ description: "In place of epsilon, where the budget adds up zcdp." }),
    study: z
      .string()
      .max(63)
      .optional()
      .meta({ description: "The study to charge; the only one if left out." }),
  })
  .meta({ id: "ModelQuestion" })

/** As it is sent. */
export type ModelBody = z.infer<typeof modelQuestion>

const noise = z
  .object({
    part: z.enum(["coefficient", "curve", "component", "centre"]).meta({
      description:
        "Of a coefficient, of one part of a curve, of the variance along a component, or of a number of a group's centre.",
    }),
    of: z
      .enum([
        "log-odds",
        "log of the count",
        "share of the target's range",
        "share of a variance",
        "share of a feature's range",
      ])
      .meta({
        description:
          "In which measure: of a coefficient, for a feature that goes from its lowest to its highest value.",
      }),
    units: z
      .array(
        z.object({
          units: z.int().meta({ description: "If there are so many people." }),
          noise: z.number().meta({ description: "What noise does to a coefficient: a standard deviation." }),
          chance: z.number().meta({ description: "What chance does to it, noise apart." }),
          reached: z.number().meta({
            description:
              "How much of a coefficient is reached; the rest is shrunk away. How much of a direction is kept, " +
              "or how likely a group is found.",
          }),
          auc: z
            .number()
            .optional()
            .meta({ description: "What noise does to the area under the curve: 0.5 is all there is." }),
          share: z.number().optional().meta({
            description: "What noise does to the share of the variance that components or groups hold.",
          }),
        }),
      )
      .readonly(),
  })
  .meta({ id: "ExpectedNoise" })

const target = z.string().nullable().meta({ description: "Null of components and groups." })

const priced = z.object({
  model: z.string(),
  target,
  columns: z.array(z.string()).readonly().meta({ description: "That predictions are made from." }),
  features: z
    .array(z.string())
    .readonly()
    .meta({
      description:
        "What the columns become: a list is one feature for each value but the first, and of components and groups " +
        "for each value, or for the second of two.",
    }),
  rounds: z.int(),
  count: z.int().optional().meta({ description: "How many components or groups." }),
  cost,
  noise,
  free: z.boolean().meta({ description: "Whether it was trained before, so that it costs nothing." }),
})

const modelQuality = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("curve"),
      auc: share,
      aucError: z.number().meta({ description: "By noise alone: a standard deviation." }),
      points: z.array(z.object({ falseAlarms: share, found: share })).readonly(),
    }),
    z.object({ kind: z.literal("explained"), rSquared: z.number(), meanSquare: z.number() }),
    z.object({ kind: z.literal("classes"), accuracy: z.number(), commonest: z.number() }),
    z.object({
      kind: z.literal("spread"),
      share: share.meta({ description: "Of the variance: what the components or groups hold." }),
      shareError: z.number().meta({ description: "By noise alone: a standard deviation." }),
    }),
  ])
  .meta({ id: "ModelQuality", description: "On the rows that it was fitted to, from noisy sums." })

const coefficient = z
  .object({
    output: z.string().meta({
      description:
        "Of several classes: which one it is for. Of curves: the feature. Of components and groups: which one.",
    }),
    name: z.string(),
    value: z.number(),
    from: z.number().optional().meta({ description: "Of curves: the part that the effect is of." }),
    to: z.number().optional(),
    span: z
      .number()
      .optional()
      .meta({ description: "How far its feature goes, from its lowest to its highest value." }),
    error: z.number().optional(),
    low: z.number().optional(),
    high: z.number().optional(),
    noiseShare: z.number().optional().meta({ description: "The share of the squared error that is noise." }),
    isShrunk: z.boolean(),
  })
  .meta({ id: "Coefficient" })

const card = z
  .object({
    charge: z.int().meta({ description: "The position of its charge in the ledger." }),
    model: z.string(),
    target,
    columns: z.array(z.string()).readonly(),
    rows: z.int().meta({ description: "About how many rows it was fitted to: a noisy number." }),
    quality: modelQuality,
    coefficients: z.array(coefficient).readonly(),
    confidence: amount.meta({ description: "Of each interval by itself; they cover chance and noise." }),
    dose: z.object({
      epsilon: amount,
      delta: amount,
      loss: z.string().meta({ description: "In the measure of the account." }),
      unit: z.string(),
      neighbours: z.enum(["add-or-remove", "replace"]),
    }),
    files: z.object({
      json: z.string().meta({ description: "The model as `dosimeter predict` reads it." }),
      onnx: z
        .string()
        .nullable()
        .meta({ description: "The same for other programs: ONNX, in base64. Null of all but regressions." }),
    }),
  })
  .meta({ id: "ModelCard" })

const listed = z
  .object({
    charge: z.int(),
    at: time,
    principal: z.string(),
    study: z.string().nullable(),
    title: z.string().nullable(),
    model: z.string(),
    target,
    rows: z.int(),
  })
  .meta({ id: "ListedModel" })

/** The routes. */
export const modelRoutes = routes({
  priceModel: {
    method: "POST",
    path: "/api/v1/models/price",
    access: rightTo.explain,
    summary: "What a model would cost and how much noise it would have; free, and reads no data",
    body: modelQuestion,
    reply: priced.extend({ budget: account }),
  },
  trainModel: {
    method: "POST",
    path: "/api/v1/models",
    access: rightTo.ask,
    summary: "Train a model and charge for it",
    about:
      "The charge is recorded before data is read and stands whatever happens then; the same question again " +
      "costs nothing. With `Accept: text/event-stream` the steps come as they happen: planned, charged, " +
      "reading, released (the model) or problem. How far a training is, is not told: its speed depends on " +
      "how many rows there are. It goes on when its caller leaves, and the model is in the record.",
    body: modelQuestion,
    reply: card.extend({
      origin: z.enum(["released", "recorded"]),
      cost,
      receipt: z.unknown(),
      budget: account,
    }),
    media: "text/event-stream",
    idempotent: true,
  },
  listModels: {
    method: "GET",
    path: "/api/v1/models",
    access: "see-releases",
    summary: "The models that were trained, newest first",
    about: "Analysts see their own and those of their studies; what waits for an approval is not among them.",
    query: z.object(pageQuery),
    reply: pageOf(listed),
  },
  getModel: {
    method: "GET",
    path: "/api/v1/models/{position}",
    access: "see-releases",
    summary: "One model with its coefficients, its quality and its files; free",
    about: "Its receipt is that of the release at the same position.",
    params: z.object({ position: z.string().regex(/^\d{1,15}$/) }),
    reply: card.extend({
      question: z.string().nullable().meta({
        description: "The SELECT of its rows; null where it is withheld, and then not in the files.",
      }),
    }),
  },
})
