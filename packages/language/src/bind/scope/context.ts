// What one call of bind carries along: the catalog, the numbers of columns, notes and limits. And how several
// things that are wrong become one error.

import { DosimeterError, type Issue, type Span } from "@dosimeter/core"
import type { Catalog, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { AutoBounds, AutoValue } from "./auto-value.ts"

/** The state of one call of bind. */
export class BindContext {
  readonly catalog: Catalog
  readonly parameters: readonly Constant[]
  readonly tables: ReadonlyMap<string, CatalogTable>
  /** Where an expression stands in the SQL, for those that a later step may complain about. */
  readonly places = new WeakMap<Expr, Span>()
  /** Unit columns of what boundaries read: kept though no expression names them. */
  readonly pinned = new Set<ColumnId>()
  /** Bounds that are learnt, or were; declared ones only if absent. */
  readonly bounds: AutoBounds | undefined
  /** Values whose bounds are to be learnt, with the rows of their boundary. */
  readonly autoValues: { readonly value: AutoValue; readonly input: Rel }[] = []
  readonly #notes = new Set<string>()
  #columns = 0
  #tables = 0

  constructor(catalog: Catalog, parameters: readonly Constant[], bounds?: AutoBounds) {
    this.bounds = bounds
    this.catalog = catalog
    this.parameters = parameters
    this.tables = new Map(catalog.tables.map((table) => [table.name, table]))
  }

  get notes(): readonly string[] {
    return [...this.#notes]
  }

  /** A column that no other is. */
  column(name: string, domain: Domain): RelColumn {
    this.#columns += 1
    return { id: this.#columns, name, domain }
  }

  /** Says something that the analyst should know, once. */
  note(text: string): void {
    this.#notes.add(text)
  }

  /**
   * Counts what stands in FROM. WITH queries are bound at each use, so uses of uses could become very
   * many.
   */
  countTable(at: Span): void {
    this.#tables += 1
    if (this.#tables > limits.tables) {
      const remedy = "ask in several questions"
      fail("sql/too-many", { what: "tables and joins", limit: String(limits.tables), remedy }, at)
    }
  }
}

/** Beyond these a query is hostile or a mistake. */
export const limits = { tables: 400, columns: 1000, items: 1000 } as const

/** Refuses lists beyond a limit. */
export function limitTo(
  limit: number,
  count: number,
  what: { what: string; remedy: string; at: Span },
): void {
  const { at, ...facts } = what
  if (count > limit) fail("sql/too-many", { ...facts, limit: String(limit) }, at)
}

/**
 * Does something for each item, and all of it: what is wrong with any of them becomes one error. Items after
 * a wrong one are looked at too, so that an analyst hears everything at once.
 */
export function gather<Item, Result>(
  items: readonly Item[],
  bindOne: (item: Item, index: number) => Result,
): readonly Result[] {
  const results: Result[] = []
  const errors: DosimeterError[] = []
  for (const [index, item] of items.entries()) {
    const tried = attempt(() => bindOne(item, index))
    if (tried.error === undefined) results.push(tried.result)
    else errors.push(tried.error)
  }
  const [first] = errors
  if (first !== undefined) throw allOf(first, errors)
  return results
}

/** What came of something: a result, or what is wrong with it. */
export type Attempt<Result> =
  | { readonly result: Result; readonly error: undefined }
  | { readonly error: DosimeterError }

/** Does something, and keeps what is wrong with it for later. Bugs and limits are not kept: they end all. */
export function attempt<Result>(act: () => Result): Attempt<Result> {
  // Caught to go on with what comes next. Whoever calls this throws the error again, with all others.
  try {
    return { result: act(), error: undefined }
  } catch (error) {
    if (!(error instanceof DosimeterError) || error.kind === "bug" || error.code === "sql/too-many")
      throw error
    return { error }
  }
}

/** Does several unlike things and reports what is wrong with any of them. */
export function gatherAll(...steps: readonly (() => void)[]): void {
  gather(steps, (step) => step())
}

/** Everything that is wrong, in the order of the SQL; the first says who must act. */
function allOf(first: DosimeterError, errors: readonly DosimeterError[]): DosimeterError {
  const found = new Map<string, { readonly issue: Issue; readonly kind: DosimeterError["kind"] }>()
  for (const { issues, kind } of errors) {
    for (const issue of issues) {
      const key = `${issue.code} ${issue.at?.start} ${issue.at?.end}`
      if (!found.has(key)) found.set(key, { issue, kind })
    }
  }
  const place = ({ at }: Issue): number => at?.start ?? 0
  const [head, ...rest] = [...found.values()].toSorted((a, b) => place(a.issue) - place(b.issue))
  if (head === undefined) return first
  return new DosimeterError(head.kind, [head.issue, ...rest.map(({ issue }) => issue)])
}
