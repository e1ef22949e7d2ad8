// Generated SQL expressions over the columns of a FROM clause, by type: all that people write, and much that
// they should not.

import type { Dice } from "@dosimeter/proof/testing/dice"
import type { ColumnKind } from "@dosimeter/proof/testing/hostile-values"
import { calls, conditions, type Parts } from "./random-calls.ts"
import type { TestColumn } from "./random-tables.ts"

/** A column in reach, as it is written. */
export interface ScopeColumn {
  readonly ref: string
  readonly kind: ColumnKind
  readonly role: TestColumn["role"]
  /** Whether a sum over it needs no bounds of its own. */
  readonly bounded: boolean
}

/** What stands in a FROM clause. */
export interface Scope {
  readonly from: string
  readonly columns: readonly ScopeColumn[]
  /** The unit's id, where the question can name it. */
  readonly unit: string | undefined
  /** About how many rows one person may have in it. */
  readonly rows: number
}

const small = ["0", "1", "2", "3", "7", "-1", "10"]
const days = ["DATE '2020-01-01'", "DATE '2020-02-29'", "DATE '2021-12-31'"]
const moments = ["TIMESTAMP '2020-01-01 00:00:00'", "TIMESTAMP '2020-02-29 23:59:59.5'"]
const words = ["'A'", "'B'", "'x1'", "''", "'it''s'", "'😀'", "'7'"]

/** Makes expressions over one scope. */
export class ExpressionMaker {
  readonly #dice: Dice
  readonly #scope: Scope

  constructor(dice: Dice, scope: Scope) {
    this.#dice = dice
    this.#scope = scope
  }

  /** A column of the kind that is there to be asked about, if there is one. */
  column(kind: ColumnKind, wanted: (column: ScopeColumn) => boolean = () => true): string | undefined {
    const fitting = this.#scope.columns.filter((one) => one.kind === kind && isAsked(one) && wanted(one))
    return fitting.length === 0 ? undefined : this.#dice.pick(fitting).ref
  }

  /** An expression of a kind, at most so deep. */
  make(kind: ColumnKind, depth: number): string {
    const dice = this.#dice
    if (depth <= 0 || dice.chance(0.35)) return this.#leaf(kind)
    if (dice.chance(0.2)) return this.#choice(kind, depth - 1)
    if (kind === "boolean") return this.condition(depth - 1)
    return dice.pick(calls[kind])(this.#parts(depth - 1))
  }

  /** Something that is true, false or NULL of a row. */
  condition(depth: number): string {
    const dice = this.#dice
    const kind = dice.pick<ColumnKind>(["integer", "float", "decimal", "text", "date", "timestamp"])
    const more = depth - 1
    const plain = [
      ...conditions.map((one) => () => one(this.#parts(more), kind)),
      () => this.column("boolean") ?? "TRUE",
      () => this.column("boolean") ?? "FALSE",
      () => this.equality(),
      () => this.equality(),
    ]
    if (depth <= 0 || dice.chance(0.5)) return `(${dice.pick(plain)()})`
    return dice.pick([
      () => `(${this.condition(more)} AND ${this.condition(more)})`,
      () => `(${this.condition(more)} OR ${this.condition(more)})`,
      () => `(NOT ${this.condition(more)})`,
      () =>
        `(${this.condition(more)} IS ${dice.pick(["TRUE", "NOT TRUE", "FALSE", "NOT FALSE", "UNKNOWN", "NOT UNKNOWN"])})`,
    ])()
  }

  /** Two columns, or a column and a constant, that are equal: such conditions say what decides what. */
  equality(): string {
    const kind = this.#dice.pick<ColumnKind>(["integer", "text", "date", "decimal", "timestamp", "float"])
    const [one, two] = [this.column(kind), this.column(kind)]
    return `${one ?? this.#leaf(kind)} = ${this.#dice.chance(0.6) ? (two ?? this.#leaf(kind)) : this.#leaf(kind)}`
  }

  #leaf(kind: ColumnKind): string {
    const column = this.column(kind)
    if (column !== undefined && this.#dice.chance(0.8)) return column
    switch (kind) {
      case "integer":
        return this.#dice.pick(small)
      case "float":
        return "CAST(2.5 AS double precision)"
      case "decimal":
        return this.#dice.pick(["1.25", "0.5", "-2.75"])
      case "text":
        return this.#dice.pick(words)
      case "boolean":
        return this.#dice.pick(["TRUE", "FALSE"])
      case "date":
        return this.#dice.pick(days)
      case "timestamp":
        return this.#dice.pick(moments)
      default:
        return kind satisfies never
    }
  }

  #choice(kind: ColumnKind, depth: number): string {
    const part = (): string => this.make(kind, depth)
    return this.#dice.pick([
      () => `CASE WHEN ${this.condition(depth)} THEN ${part()} ELSE ${part()} END`,
      () => `CASE WHEN ${this.condition(depth)} THEN ${part()} END`,
      () => `COALESCE(${part()}, ${part()})`,
      () => `NULLIF(${part()}, ${this.#leaf(kind)})`,
      () => (kind === "boolean" ? `(NOT ${part()})` : `GREATEST(${part()}, ${part()})`),
      () => (kind === "boolean" ? `(NOT ${part()})` : `LEAST(${part()}, ${part()})`),
    ])()
  }

  #parts(depth: number): Parts {
    return {
      dice: this.#dice,
      part: (kind) => this.make(kind, depth),
      condition: () => this.condition(depth),
    }
  }
}

function isAsked({ role }: ScopeColumn): boolean {
  return role === "data" || role === "code"
}
