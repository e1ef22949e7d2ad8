// What the policy says about the data: tables, columns, bounds, terms. Never a value of the data.

import { z } from "zod"
import { rightTo } from "../../../people/roles.ts"
import { amount } from "./common.ts"
import { routes } from "./route.ts"

const column = z
  .object({
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    min: z.string().nullable().meta({ description: "Declared by the owner." }),
    max: z.string().nullable(),
    values: z
      .array(z.string().nullable())
      .readonly()
      .nullable()
      .meta({ description: "Public values, all of which a grouping shows; null if none are declared." }),
    freeText: z.boolean(),
    references: z.string().nullable().meta({ example: "concept.concept_id" }),
  })
  .meta({ id: "CatalogColumn" })

const table = z
  .object({
    name: z.string(),
    kind: z.enum(["private", "public"]),
    unit: z.string().nullable().meta({ description: "How a row leads to the unit.", example: "person_id" }),
    keys: z.array(z.array(z.string()).readonly()).readonly(),
    columns: z.array(column).readonly(),
  })
  .meta({ id: "CatalogTable" })

const dataset = z
  .object({
    name: z.string(),
    unit: z.string(),
    neighbours: z.enum(["add-or-remove", "replace"]),
    studies: z.boolean().meta({ description: "Whether questions belong to studies." }),
    budget: z.object({ epsilon: amount, delta: amount, accounting: z.enum(["pure", "zcdp", "gdp"]) }),
    question: z.object({
      epsilonDefault: amount,
      epsilonMax: amount,
      delta: amount,
      confidence: amount,
    }),
    bounding: z.object({
      groupsPerUnit: z.string(),
      groupsPerUnitMax: z.string(),
      rowsPerGroup: z.string(),
      rowsPerGroupMax: z.string(),
      norm: z.enum(["auto", "fixed"]).meta({
        description:
          "What people are scaled to where nobody says it: a norm that is learnt first, or a fixed one.",
      }),
    }),
    shownFrom: z.string().nullable(),
    slotMs: z.number().nullable(),
    tables: z.array(table).readonly(),
  })
  .meta({ id: "Dataset" })

/** The routes about the data. */
export const datasetRoutes = routes({
  listDatasets: {
    method: "GET",
    path: "/api/v1/datasets",
    access: rightTo.seeTables,
    summary: "The datasets that can be asked here",
    reply: z.object({ items: z.array(z.object({ name: z.string(), unit: z.string() })).readonly() }),
  },
  getDataset: {
    method: "GET",
    path: "/api/v1/datasets/{dataset}",
    access: rightTo.seeTables,
    summary: "Tables, columns, bounds and terms, as the owner declared them",
    params: z.object({ dataset: z.string().max(200) }),
    reply: dataset,
  },
  compileFacts: {
    method: "GET",
    path: "/api/v1/datasets/{dataset}/compile-facts",
    access: rightTo.seeTables,
    summary: "What @dosimeter/planner needs to compile and price questions in a browser",
    about: 'Catalog and terms; whole numbers of any size stand as {"bigint": "…"} (plain-values.ts).',
    params: z.object({ dataset: z.string().max(200) }),
    reply: z.object({ catalog: z.unknown(), terms: z.unknown() }),
  },
})
