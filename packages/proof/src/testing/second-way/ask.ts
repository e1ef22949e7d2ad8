// Runs printed relations on a real database and reads every value back as text: which claims are false, in
// words.

import { rational } from "@dosimeter/core"
import type { Constant } from "../../catalog/constant.ts"
import type { Domain } from "../../catalog/domain.ts"
import { showType } from "../../catalog/sql-type.ts"
import type { Expr } from "../../algebra/expr.ts"
import type { Rel, RelColumn, Values } from "../../algebra/rel.ts"
import { printRel } from "../../print/print.ts"
import { brokenClaim, type WrittenCell } from "./broken-claim.ts"
import type { RealDatabase } from "./real-database.ts"
import type { StoredType } from "../hostile-values.ts"
import type { Slot } from "./slots.ts"

/** The column of the first expression that is asked. */
const askedId = 100

/** A real database, and what it says about claims. */
export class SecondWay {
  readonly #database: RealDatabase

  constructor(database: RealDatabase) {
    this.#database = database
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  /** What is false about reading a column of hostile values; undefined if there is no such type. */
  async askStored(type: StoredType, rel: Rel): Promise<readonly string[] | undefined> {
    return (await this.#database.store(type)) ? this.askRelation(rel) : undefined
  }

  /** What is false about expressions over all combinations of their columns' values. */
  async askAll(exprs: readonly Expr[], slots: readonly Slot[]): Promise<readonly string[]> {
    const found = await this.askRelation(
      project(exprs, slots),
      exprs.map((_, at) => askedId + at),
    )
    const isFailure = found.some((what) => what.startsWith("fails"))
    if (!isFailure || exprs.length === 1) return found
    // One of them fails; the others may be false besides.
    const each: string[] = []
    for (const expr of exprs) each.push(...(await this.askAll([expr], slots)))
    return each.length === 0 ? found : each
  }

  /** What is false about columns of a relation: all of them, if none are named. */
  async askRelation(rel: Rel, ids?: readonly number[]): Promise<readonly string[]> {
    const asked = rel.columns.filter(({ id }) => ids === undefined || ids.includes(id))
    return brokenIn(rel, asked, this.#database)
  }
}

/** What is false about some columns of a relation. */
export async function brokenIn(
  rel: Rel,
  asked: readonly RelColumn[],
  { showing, read }: Pick<RealDatabase, "showing" | "read">,
): Promise<readonly string[]> {
  const text = showing.unguarded(printRel(rel, showing.dialect).text)
  const shown = asked.flatMap(({ id, domain }) => [showing.value(`c${id}`, domain), showing.type(`c${id}`)])
  let columns: readonly (readonly unknown[])[]
  try {
    columns = await read(`SELECT ${shown.join(", ")} FROM (${text.replaceAll("$1", "'secret'")}\n) AS q`)
  } catch (error) {
    return [`fails: ${String(error).slice(0, 300)}\n${text}`]
  }
  return asked.flatMap((column, at) => {
    const cells = (columns[2 * at] ?? []).map(textOrNull)
    const type = textOrNull(columns[2 * at + 1]?.[0]) ?? ""
    const what = brokenColumn(column, cells, { type, wanted: showing.wanted(column.domain) })
    return what === undefined ? [] : [`c${column.id}: ${what}; claimed ${showDomain(column.domain)}\n${text}`]
  })
}

function brokenColumn(
  { domain }: RelColumn,
  cells: readonly WrittenCell[],
  { type, wanted }: { readonly type: string; readonly wanted: string },
): string | undefined {
  if (cells.length === 0) return undefined
  if (type !== wanted) return `of the type ${type} in place of ${wanted}`
  for (const cell of cells) {
    const what = brokenClaim(cell, domain)
    if (what !== undefined) return `${cell} is ${what}`
  }
  return undefined
}

function textOrNull(cell: unknown): WrittenCell {
  return typeof cell === "string" ? cell : null
}

/** The expressions, over all combinations of the slots' values: slot i is column i + 1. */
function project(exprs: readonly Expr[], slots: readonly Slot[]): Rel {
  const [first, ...others] = slots.map((slot, index) =>
    valuesOf(
      [{ id: index + 1, name: "x", domain: slot.domain }],
      slot.values.map((value) => [value]),
    ),
  )
  const input = others.reduce<Rel>(
    (left, right) => ({
      kind: "join",
      type: "inner",
      left,
      right,
      condition: undefined,
      columns: [...left.columns, ...right.columns],
    }),
    first ?? valuesOf([oneColumn], [[one], [one]]),
  )
  const columns = exprs.map(({ domain }, at) => ({ id: askedId + at, name: "x", domain }))
  return { kind: "project", input, items: exprs, columns }
}

const one: Constant = { kind: "number", value: rational(1n) }
const end = { value: rational(1n), declared: true }
const oneColumn: RelColumn = {
  id: 99,
  name: "one",
  domain: { type: { kind: "integer" }, nullable: false, range: { min: end, max: end } },
}

/** Constant rows. */
export function valuesOf(columns: readonly RelColumn[], rows: readonly (readonly Constant[])[]): Values {
  return { kind: "values", columns, rows }
}

/** A claim in words. */
export function showDomain({ type, nullable, range, values, calendar }: Domain): string {
  const ends = range === undefined ? "" : ` ${show(range.min.value)} to ${show(range.max.value)}`
  const list = values === undefined ? "" : `, ${values.length} listed`
  return `${showType(type)}${nullable ? " or NULL" : ""}${ends}${list}${calendar === undefined ? "" : `, by ${calendar}`}`
}

function show({
  numerator,
  denominator,
}: {
  readonly numerator: bigint
  readonly denominator: bigint
}): string {
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`
}
