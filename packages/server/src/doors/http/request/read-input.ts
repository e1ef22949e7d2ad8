// Bytes to checked input: path, query and body, each held to its schema. What is too large is not read.

import type { z } from "zod"
import { fail } from "../../../errors.ts"
import type { Route } from "../contract/route.ts"

/** Of a body, unless a route says otherwise. */
export const bodyMaxDefault = 65_536

/** What came, read by the schemas of a route. */
export interface ReadInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Reads everything; throws what is wrong with it. */
export async function readInput(
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<ReadInput> {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return {
    params: check(route.params, params, "the path"),
    query: check(route.query, query, "the query"),
    body:
      route.body === undefined ? undefined : check(route.body, await readBody(request, route), "the body"),
  }
}

/** The header Idempotency-Key, if there is one. */
export function idempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key")
  if (key === null) return undefined
  return /^[A-Za-z0-9_-]{1,100}$/.test(key) ? key : fail("request/bad-key", {})
}

function check(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (schema === undefined) return undefined
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String).join(".").slice(0, 100)
  // What zod says of a value names types and limits, and never repeats the value.
  fail("request/bad-input", { where: path === "" ? where : `${path} in ${where}`, what: wordsOf(issue) })
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  const text = issue?.message ?? "it cannot be read"
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

async function readBody(request: Request, { bodyMax = bodyMaxDefault }: Route): Promise<unknown> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/json\s*(;|$)/i.test(type)) return fail("request/bad-json", {})
  const text = await readText(request, bodyMax)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // What the parser says quotes the body.
    return fail("request/bad-json", {})
  }
}

async function readText(request: Request, most: number): Promise<string> {
  const tooLarge = (): never => fail("request/too-large", { most: `${most}` })
  if (Number(request.headers.get("content-length") ?? 0) > most) tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  if (request.body === null) return ""
  const body: AsyncIterable<Uint8Array> = request.body
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
