// Generated SQL expressions over the columns of a FROM clause, by type: all that people write, and much that
// they should not.

import type { Dice } from "./dice.ts"
import type { ColumnKind } from "./hostile-values.ts"
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
    switch (kind) {
      case "integer":
        return this.#integer(depth - 1)
      case "float":
        return this.#float(depth - 1)
      case "decimal":
        return dice.pick([
          () => `(${this.make("decimal", depth - 1)} + ${this.make("integer", 0)})`,
          () => `(${this.make("decimal", depth - 1)} * 1.5)`,
          () => `ROUND(${this.make("decimal", depth - 1)}, 1)`,
          () => `CAST(${this.make("integer", depth - 1)} AS decimal(12,2))`,
          () => `ABS(${this.make("decimal", depth - 1)})`,
        ])()
      case "text":
        return this.#text(depth - 1)
      case "boolean":
        return this.condition(depth - 1)
      case "date":
        return dice.pick([
          () => `(${this.make("date", depth - 1)} + ${dice.pick(["1", "30", "-365"])})`,
          () => `CAST(${this.make("timestamp", depth - 1)} AS date)`,
          () => `CAST(DATE_TRUNC('month', ${this.make("date", depth - 1)}) AS date)`,
          () => `CAST(${this.make("date", depth - 1)} + INTERVAL '1 month' AS date)`,
          () => `CAST(${this.make("text", 0)} AS date)`,
        ])()
      case "timestamp":
        return dice.pick([
          () => `(${this.make("timestamp", depth - 1)} + INTERVAL '36 hours')`,
          () =>
            `DATE_TRUNC('${dice.pick(["hour", "day", "week", "quarter"])}', ${this.make("timestamp", depth - 1)})`,
          () => `CAST(${this.make("date", depth - 1)} AS timestamp)`,
        ])()
      default:
        return kind satisfies never
    }
  }

  /** Something that is true, false or NULL of a row. */
  condition(depth: number): string {
    const dice = this.#dice
    const kind = dice.pick<ColumnKind>(["integer", "float", "decimal", "text", "date", "timestamp"])
    const more = depth - 1
    const operator = dice.pick(["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM"])
    const plain = [
      () => `${this.make(kind, more)} ${operator} ${this.make(kind, more)}`,
      () => `${this.make(kind, more)} IS ${dice.pick(["", "NOT "])}NULL`,
      () => this.column("boolean") ?? "TRUE",
      () => this.equality(),
      () =>
        `${this.make("integer", more)} BETWEEN ${dice.pick(["-1", "0", "2"])} AND ${dice.pick(["2", "5"])}`,
      () => `${this.make("text", more)} LIKE '${dice.pick(["%", "A%", "_", "%x_", "\\%%", "%''%"])}'`,
      () =>
        `${this.make("integer", more)} ${dice.pick(["", "NOT "])}IN (1, 2, ${dice.pick(["3", "NULL", "99"])})`,
      () => `${this.make("text", more)} IN ('A', '', 'c1')`,
    ]
    if (depth <= 0 || dice.chance(0.5)) return `(${dice.pick(plain)()})`
    return dice.pick([
      () => `(${this.condition(more)} AND ${this.condition(more)})`,
      () => `(${this.condition(more)} OR ${this.condition(more)})`,
      () => `(NOT ${this.condition(more)})`,
      () => `(${this.condition(more)} IS ${dice.pick(["TRUE", "NOT TRUE", "FALSE"])})`,
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

  #integer(depth: number): string {
    const dice = this.#dice
    const part = (kind: ColumnKind = "integer"): string => this.make(kind, depth)
    return dice.pick([
      () => `(${part()} + ${part()})`,
      () => `(${part()} - ${part()})`,
      () => `(${part()} * ${dice.pick(small)})`,
      () => `(${part()} / ${part()})`,
      () => `(${part()} % ${dice.pick(["3", "0", part()])})`,
      () => `ABS(${part()})`,
      () => `(- ${part()})`,
      () => `SIGN(${part()})`,
      () => `CLAMP(${part()}, ${dice.pick(["0", "-3"])}, ${dice.pick(["5", "8"])})`,
      () => `LENGTH(${part("text")})`,
      () => `POSITION('A' IN ${part("text")})`,
      () => `EXTRACT(${dice.pick(["YEAR", "MONTH", "DAY", "DOW"])} FROM ${part("date")})`,
      () => `EXTRACT(HOUR FROM ${part("timestamp")})`,
      () => `(${part("date")} - ${part("date")})`,
      () => `CAST(${part("text")} AS integer)`,
      () => `CAST(${part("float")} AS integer)`,
      () => `CAST(${part("boolean")} AS integer)`,
    ])()
  }

  #float(depth: number): string {
    const dice = this.#dice
    const part = (kind: ColumnKind = "float"): string => this.make(kind, depth)
    return dice.pick([
      () => `(${part()} ${dice.pick(["+", "-", "*"])} ${part()})`,
      () => `(${part()} / ${part(dice.pick<ColumnKind>(["integer", "decimal", "float"]))})`,
      () => `SQRT(${part()})`,
      () => `LN(${part()})`,
      () => `EXP(CLAMP(${part()}, -5, 5))`,
      () => `POWER(CLAMP(${part()}, -5, 5), 2)`,
      () => `ROUND(${part()})`,
      () => `FLOOR(${part()})`,
      () => `CAST(${part("integer")} AS double precision)`,
      () => `CAST(${part("text")} AS double precision)`,
      () => `CLAMP(${part()}, -1.5, 4)`,
    ])()
  }

  #text(depth: number): string {
    const dice = this.#dice
    const part = (): string => this.make("text", depth)
    return dice.pick([
      () => `LOWER(${part()})`,
      () => `UPPER(${part()})`,
      () => `TRIM(${part()})`,
      () => `SUBSTRING(${part()} FROM ${dice.pick(["1", "2", "0", "-1"])} FOR ${dice.pick(["1", "3"])})`,
      () => `LEFT(${part()}, ${dice.pick(["1", "0", "-1"])})`,
      () => `RIGHT(${part()}, 1)`,
      () => `(${part()} || ${part()})`,
      () => `REPLACE(${part()}, 'A', 'bb')`,
      () => `CAST(${this.make("integer", depth)} AS text)`,
      () => `CAST(${this.make("date", depth)} AS text)`,
    ])()
  }
}

function isAsked({ role }: ScopeColumn): boolean {
  return role === "data" || role === "code"
}
