// What the printing of a question about catalogs needs to know, and how it reads the grammar's tree: a field
// that nobody asked for is refused by its name, so that nothing in a question can be passed over.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { PgFields, PgNode } from "@dosimeter/language/parse/pg-node"
import { notAnswered, tooMuch } from "./not-answered.ts"

/** Facts about the session that a question may ask for. */
export interface SessionFacts {
  /** The value of a setting, if there is one. */
  setting(name: string): string | undefined
  /** Whether what the question sets was set already: it is shown as it was kept. */
  readonly isSet: boolean
  /** All of them. */
  readonly settings: readonly (readonly [name: string, value: string])[]
}

/** A value as SQL of our own. */
export interface Printed {
  readonly sql: string
  /** The name that an output has by itself, as PostgreSQL gives it. */
  readonly name?: string | undefined
  /** Of a constant: what it says; null for NULL. */
  readonly text?: string | null
  /** All columns. */
  readonly isStar?: true
}

/** A setting that a question sets by set_config. */
export interface SetByQuestion {
  readonly name: string
  /** Back to its first value, if it is NULL. */
  readonly value: string | undefined
  readonly isLocal: boolean
}

/** The printing of parts that hold each other: calls and queries stand in values, and values in them. */
export interface Printers {
  readonly call: (context: CatalogContext, node: PgNode, place: "value" | "rows") => Printed
  readonly query: (context: CatalogContext, node: PgNode) => string
}

/** One question on its way to text. */
export interface CatalogContext {
  readonly print: Printers
  readonly facts: SessionFacts
  readonly parameters: readonly Constant[]
  /** Names of WITH that may stand in FROM. */
  readonly named: ReadonlySet<string>
  /** How much was printed, in all of the question. */
  readonly used: { tables: number; nodes: number; characters: number; hasTables: boolean }
  readonly settings: SetByQuestion[]
  /** Whether this is the list of outputs of a SELECT that is nothing but such a list. */
  readonly isAlone: boolean
}

const tablesMax = 24
const nodesMax = 5_000

/** Reads a node with everything that is in it. */
export function readNode<T>(context: CatalogContext, node: PgNode, body: (fields: PgFields) => T): T {
  context.used.nodes += 1
  if (context.used.nodes > nodesMax) notAnswered("it is too long")
  return node.read((field) => notAnswered(`${node.kind} with ${field}`), body)
}

/** Counts a table in FROM: what joins can cost grows with each of them. */
export function countTable(context: CatalogContext): void {
  context.used.tables += 1
  if (context.used.tables > tablesMax) notAnswered(`it has more than ${tablesMax} tables`)
}

/** The most characters of values that are printed for a question. */
export const printedMax = 200_000
/** The most elements of a list that is written as text. */
export const listItemsMax = 1_000

/** Counts the characters of a constant each time that it is printed: a parameter may be named often. */
export function countCharacters({ used }: CatalogContext, text: string): string {
  used.characters += text.length
  return used.characters > printedMax
    ? tooMuch(`its values have more than ${printedMax} characters, counted each time they are named`)
    : text
}

/** A node that must be there. */
export function required(node: PgNode | undefined): PgNode {
  return node ?? notAnswered("something is missing in it")
}

/** A name in quotes. */
export function nameSql(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
