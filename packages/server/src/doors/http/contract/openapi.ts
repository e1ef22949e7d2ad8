// The OpenAPI 3.1 document, made from the contract: nothing is described twice.

import { z } from "zod"
import { problem } from "./common.ts"
import type { Route, Routes, TextFields } from "./route.ts"

type Json = Readonly<Record<string, unknown>>

/** The document. */
export interface OpenApiDocument extends Json {
  readonly openapi: "3.1.0"
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json
}

/** One route in it. */
export interface Operation extends Json {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly "x-access": string
}

/** Makes the document of some routes. */
export function openApiDocument(routes: Routes): OpenApiDocument {
  const schemas = new Map<string, unknown>()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const at = (paths[route.path] ??= {})
    at[route.method.toLowerCase()] = operationOf(name, route, schemas)
  }
  schemaOf(problem, "output", schemas)
  return {
    openapi: "3.1.0",
    info: {
      title: "Dosimeter",
      version: "1",
      description:
        "Answers about the group, a metered dose for each person in it. Amounts are decimal texts; times are " +
        "in UTC; lists come in pages. Everything that goes wrong has the shape of Problem.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "dosimeter" },
      },
    },
  }
}

function operationOf(name: string, route: Route, schemas: Map<string, unknown>): Operation {
  const { access, body, idempotent, about } = route
  const parameters = [
    ...parametersOf(route.params, "path", schemas),
    ...parametersOf(route.query, "query", schemas),
    ...(idempotent === true ? [keyParameter] : []),
  ]
  return {
    operationId: name,
    summary: route.summary,
    description: [...(about === undefined ? [] : [about]), accessWords(access)].join("\n\n"),
    tags: [tagOf(route)],
    "x-access": access,
    ...(access === "public" ? { security: [] } : { security: [{ token: [] }, { session: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(body, "input", schemas) } },
          },
        }),
    responses: {
      [`${route.status ?? 200}`]: goodReply(route, schemas),
      default: {
        description: "A problem",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  }
}

const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes it safe to send again: the same key and question give the recorded answer.",
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,100}$" },
}

function goodReply({ reply, media, status }: Route, schemas: Map<string, unknown>): Json {
  if (status === 204) return { description: "Done" }
  const content = {
    ...(reply === undefined ? {} : { "application/json": { schema: schemaOf(reply, "output", schemas) } }),
    ...(media === undefined ? {} : { [media]: { schema: { type: "string" } } }),
  }
  return { description: "As asked", content }
}

function parametersOf(
  fields: TextFields | undefined,
  place: "path" | "query",
  schemas: Map<string, unknown>,
): readonly Json[] {
  if (fields === undefined) return []
  return Object.entries(fields.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || !field.safeParse(undefined).success,
    schema: schemaOf(field, "input", schemas),
  }))
}

/** A schema inline; those with an id are put with the others and referred to. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Map<string, unknown>): unknown {
  const made: Json = z.toJSONSchema(schema, { io, unrepresentable: "any" })
  const { $schema: _schema, $defs, ...rest } = made
  for (const [name, definition] of Object.entries($defs ?? {})) keep(name, definition, schemas)
  const id = rest["id"]
  if (typeof id !== "string") return atComponents(rest)
  keep(id, rest, schemas)
  return { $ref: `#/components/schemas/${id}` }
}

function keep(name: string, definition: unknown, schemas: Map<string, unknown>): void {
  const { id: _id, ...rest } = Object.fromEntries(Object.entries(definition ?? {}))
  schemas.set(name, atComponents(rest))
}

function atComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => atComponents(item))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) =>
      key === "$ref" && typeof field === "string"
        ? [key, field.replace("#/$defs/", "#/components/schemas/")]
        : [key, atComponents(field)],
    ),
  )
}

function accessWords(access: Route["access"]): string {
  if (access === "public") return "Anybody may."
  return access === "signed-in" ? "Anybody with an account may." : `Needs the right \`${access}\`.`
}

/** The first word of the path after the version. */
function tagOf({ path }: Route): string {
  return path.split("/")[3] ?? "server"
}
