// Reads nodes of the grammar's tree so that nothing in it can be overlooked: the fields of a node are seen
// only inside `read`, and when it ends, a field that was not taken, or a node that was taken and not read, is
// refused by its name. What PostgreSQL adds to its grammar one day is thus refused, never dropped.

import { isObject, type Json, type JsonObject } from "./tree.ts"

/** A node that has not been read yet. Its kind is the grammar's name for it. */
export class PgNode {
  readonly kind: string
  readonly #json: JsonObject
  #read = false

  private constructor(kind: string, json: JsonObject) {
    this.kind = kind
    this.#json = json
  }

  /** A node of a kind that its place decides, such as the Alias of a table. */
  static ofKind(kind: string, json: Json): PgNode {
    return new PgNode(kind, isObject(json) ? json : { notAnObject: json })
  }

  /** A node that names its kind: `{ "ColumnRef": { ... } }`; `{}` is the grammar's empty node. */
  static wrapped(json: Json): PgNode {
    const [entry, ...others] = isObject(json) ? Object.entries(json) : []
    if (entry === undefined || others.length > 0) return PgNode.ofKind("", json)
    return PgNode.ofKind(entry[0], entry[1])
  }

  /** Where the node begins, or -1; the grammar leaves out the place 0. */
  get location(): number {
    const { location } = this.#json
    return typeof location === "number" ? location : location === undefined ? 0 : -1
  }

  /** Whether the grammar gives nodes of this sort a place at all is not known here: -1 when there is none. */
  get firstPlace(): number {
    return firstLocation(this.#json)
  }

  get wasRead(): boolean {
    return this.#read
  }

  /** Lets `body` take the fields; afterwards calls `refuse` for each field that was left. */
  read<T>(refuse: (field: string, place: number) => never, body: (fields: PgFields) => T): T {
    this.#read = true
    const fields = new PgFields(this.#json)
    const value = body(fields)
    const left = fields.left()
    if (left !== undefined) refuse(left, firstLocation(this.#json[left] ?? null))
    return value
  }
}

/** The fields of a node that is being read. Fields at their default value are absent from the tree. */
export class PgFields {
  readonly #json: JsonObject
  readonly #taken = new Set<string>(["location"])
  readonly #nodes: { readonly field: string; readonly node: PgNode }[] = []

  constructor(json: JsonObject) {
    this.#json = json
  }

  has(field: string): boolean {
    return this.#json[field] !== undefined
  }

  /** A node that names its kind. */
  node(field: string): PgNode | undefined {
    const json = this.#take(field)
    return json === undefined ? undefined : this.#handOut(field, PgNode.wrapped(json))
  }

  /** A node whose kind follows from the field. */
  part(field: string, kind: string): PgNode | undefined {
    const json = this.#take(field)
    return json === undefined ? undefined : this.#handOut(field, PgNode.ofKind(kind, json))
  }

  nodes(field: string): readonly PgNode[] {
    const json = this.#take(field)
    if (json === undefined) return []
    if (!Array.isArray(json)) return [this.#handOut(field, PgNode.ofKind("", json))]
    return json.map((item: Json) => this.#handOut(field, PgNode.wrapped(item)))
  }

  text(field: string): string {
    return this.#plain(field, "", (json) => (typeof json === "string" ? json : undefined))
  }

  integer(field: string): number {
    return this.#plain(field, 0, (json) => (typeof json === "number" ? json : undefined))
  }

  flag(field: string): boolean {
    return this.#plain(field, false, (json) => (typeof json === "boolean" ? json : undefined))
  }

  /** The names in a list of String nodes; undefined when something else is among them. */
  names(field: string): readonly string[] | undefined {
    const json = this.#json[field]
    if (json === undefined) return []
    const texts = Array.isArray(json) ? json.map((item: Json) => stringOf(item)) : [undefined]
    const names = texts.filter((text) => text !== undefined)
    if (names.length < texts.length) return undefined
    this.#take(field)
    return names
  }

  /** The first field that was not taken, or whose node was not read. */
  left(): string | undefined {
    const untaken = Object.keys(this.#json).find((field) => !this.#taken.has(field))
    return untaken ?? this.#nodes.find(({ node }) => !node.wasRead)?.field
  }

  #take(field: string): Json | undefined {
    this.#taken.add(field)
    return this.#json[field]
  }

  #handOut(field: string, node: PgNode): PgNode {
    this.#nodes.push({ field, node })
    return node
  }

  /** A value of the wrong type is left untaken, and so refused. */
  #plain<T>(field: string, missing: T, convert: (json: Json) => T | undefined): T {
    const json = this.#json[field]
    if (json === undefined) return missing
    const value = convert(json)
    if (value === undefined) return missing
    this.#taken.add(field)
    return value
  }
}

/** The text of `{ "String": { "sval": "x" } }`, if it is that and nothing more. */
function stringOf(json: Json): string | undefined {
  if (!isObject(json) || Object.keys(json).length !== 1 || !isObject(json["String"])) return undefined
  const { sval = "", ...others } = json["String"]
  return typeof sval === "string" && Object.keys(others).length === 0 ? sval : undefined
}

/** The place nearest to the top, or -1. */
function firstLocation(json: Json): number {
  let level: readonly Json[] = [json]
  while (level.length > 0) {
    const next: Json[] = []
    for (const item of level) {
      if (isObject(item)) {
        const { location } = item
        if (typeof location === "number" && location >= 0) return location
        for (const value of Object.values(item)) next.push(value)
      } else if (typeof item === "object" && item !== null) for (const value of item) next.push(value)
    }
    level = next
  }
  return -1
}
