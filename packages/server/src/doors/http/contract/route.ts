// A route as plain data: how it is called, who may, what goes in and what comes out. The server, the client
// and the OpenAPI document are made from the same routes. Nothing of Node is in the contract.

import type { z } from "zod"
import type { Right } from "../../../people/roles.ts"

/** Who may call a route: anybody, anybody with an account, or whoever has a right. */
export type RouteAccess = "public" | "signed-in" | Right

/** What comes in the path and in the query: texts. */
export type TextFields = z.ZodObject<Readonly<Record<string, z.ZodType<unknown, string | undefined>>>>

/** A route. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** With names in braces: /api/v1/studies/{id}. */
  readonly path: `/${string}`
  readonly access: RouteAccess
  /** What it does, in one line. */
  readonly summary: string
  /** What else there is to know. */
  readonly about?: string
  readonly params?: TextFields
  readonly query?: TextFields
  readonly body?: z.ZodType
  /** What comes back as JSON; absent where nothing or a text comes back. */
  readonly reply?: z.ZodType
  /** Of a text that comes back, such as text/csv; also beside `reply` where the caller can choose. */
  readonly media?: string
  /** Of a good reply: 200 if absent, 204 where nothing comes back. */
  readonly status?: 200 | 201 | 202 | 204
  /** Whether the header Idempotency-Key makes it safe to send again. */
  readonly idempotent?: true
  /** Whether pages of other sites may call it; nobody's cookie is looked at then. */
  readonly crossOrigin?: true
  /** In bytes; more than other bodies where something is imported. */
  readonly bodyMax?: number
}

/** Routes by name. */
export type Routes = Readonly<Record<string, Route>>

/** Keeps the exact types of routes. */
export function routes<const Given extends Routes>(given: Given): Given {
  return given
}

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type Field<R, Key extends string> = R extends Readonly<Record<Key, infer Schema>> ? Schema : undefined

/** What a handler is given, read and checked. */
export interface RouteInput<R> {
  readonly params: Read<Field<R, "params">>
  readonly query: Read<Field<R, "query">>
  readonly body: Read<Field<R, "body">>
}

/** What a handler gives back. */
export type RouteReply<R> = Sent<Field<R, "reply">>

type Wanted<R, Key extends "params" | "query" | "body"> =
  R extends Readonly<Record<Key, infer Schema>>
    ? Schema extends z.ZodType
      ? Partial<Record<string, never>> extends z.input<Schema>
        ? { readonly [Name in Key]?: z.input<Schema> }
        : { readonly [Name in Key]: z.input<Schema> }
      : unknown
    : unknown

/** What a caller gives. */
export type RouteCall<R> = Wanted<R, "params"> & Wanted<R, "query"> & Wanted<R, "body">

/** What a caller gets. */
export type RouteResult<R> = Read<Field<R, "reply">>
