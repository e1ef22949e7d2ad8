// Generated FROM clauses whose rows each belong to one person: joins, subqueries, windows, groups, unions,
// common table expressions.

import type { Dice } from "@dosimeter/proof/testing/dice"
import { quotedName, type ColumnKind } from "@dosimeter/proof/testing/hostile-values"
import { ExpressionMaker, type Scope, type ScopeColumn } from "./random-expression.ts"
import type { TestDataset, TestTable } from "./random-tables.ts"
import { groupCalls, windowCalls } from "./random-windows.ts"

/** Makes FROM clauses over a dataset. Common table expressions are collected beside them. */
export class SourceMaker {
  /** WITH items, in the order in which they are needed. */
  readonly withItems: string[] = []
  readonly #dice: Dice
  readonly #private: readonly TestTable[]
  readonly #public: readonly TestTable[]
  #names = 0

  constructor(dice: Dice, dataset: TestDataset) {
    this.#dice = dice
    this.#private = dataset.tables.filter(({ unit }) => unit !== "public")
    this.#public = dataset.tables.filter(({ unit }) => unit === "public")
  }

  /** Rows of people. */
  make(depth: number): Scope {
    const dice = this.#dice
    if (depth <= 0 || dice.chance(0.25)) return this.#table()
    if (!this.#private.some(({ unit }) => unit === "person")) {
      return dice.pick([() => this.#publicJoin(depth - 1), () => this.#nested(this.#select(depth - 1))])()
    }
    return dice.pick([
      () => this.#unitJoin(depth - 1),
      () => this.#unitJoin(depth - 1),
      () => this.#keyJoin(),
      () => this.#publicJoin(depth - 1),
      () => this.#nested(this.#select(depth - 1)),
      () => this.#nested(this.#grouped(depth - 1)),
      () => this.#nested(this.#grouped(depth - 1)),
      () => this.#nested(this.#windowed(depth - 1)),
      () => this.#nested(this.#windowed(depth - 1)),
      () => this.#nested(this.#firstRows(depth - 1)),
      () => this.#nested(this.#union(depth - 1)),
      () => this.#nested(this.#pairs(depth - 1)),
    ])()
  }

  /** A condition on the rows of a scope, perhaps one that looks at other rows of the same person. */
  where(scope: Scope): string {
    const dice = this.#dice
    const expressions = new ExpressionMaker(dice, scope)
    if (scope.unit === undefined || dice.chance(0.6)) return expressions.condition(2)
    const other = this.#ownTable()
    const inner = new ExpressionMaker(dice, other)
    const rows = `SELECT 1 FROM ${other.from} WHERE ${other.unit} = ${scope.unit} AND ${inner.condition(1)}`
    const ids = `SELECT ${other.unit} FROM ${other.from} WHERE ${inner.condition(1)}`
    return dice.pick([
      () => `EXISTS (${rows})`,
      () => `NOT EXISTS (${rows})`,
      () => `${scope.unit} IN (${ids})`,
      () => `${scope.unit} NOT IN (${ids})`,
      () => `${scope.unit} ${dice.pick(["= ANY", "<> ALL"])} (${ids})`,
      () => {
        const value = inner.make(dice.pick<ColumnKind>(["integer", "decimal"]), 1)
        const sum = `(SELECT ${dice.pick(["SUM", "MIN", "MAX"])}(${value}) FROM ${other.from} WHERE ${other.unit} = ${scope.unit})`
        return `${sum} ${dice.pick(["<", ">=", "IS DISTINCT FROM"])} ${expressions.make("integer", 1)}`
      },
      () => `${expressions.make("text", 0)} IN (SELECT code FROM codes)`,
      () => {
        const value = `(SELECT ${dice.pick(["COUNT(*)", "MAX(1)"])} FROM ${other.from} WHERE ${other.unit} = ${scope.unit})`
        return `${value} ${dice.pick(["=", "<", ">="])} ${dice.below(4)}`
      },
      () => `${expressions.make("integer", 1)} > (SELECT rate FROM codes WHERE code = 'c1')`,
      () => {
        const value = inner.column("integer") ?? "1"
        const not = dice.pick(["", "NOT "])
        return `${expressions.make("integer", 1)} ${not}IN (SELECT ${value} FROM ${other.from} WHERE ${other.unit} = ${scope.unit})`
      },
    ])()
  }

  #name(): string {
    this.#names += 1
    return `a${this.#names}`
  }

  #table(wanted: (table: TestTable) => boolean = () => true): Scope {
    const fitting = this.#private.filter(wanted)
    return this.#scopeOf(this.#dice.pick(fitting.length === 0 ? this.#private : fitting))
  }

  #ownTable(): Scope {
    return this.#table(({ unit }) => unit === "person")
  }

  #scopeOf(table: TestTable): Scope {
    const name = this.#name()
    const columns = table.columns.map((column): ScopeColumn => {
      const bounded = "max" in column.line
      return { ref: `${name}.${quotedName(column.name)}`, kind: column.kind, role: column.role, bounded }
    })
    const unit = table.unit === "person" ? `${name}.person_id` : undefined
    const counts = new Map<number | undefined, number>()
    for (const { owner } of table.rows) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    return { from: `${table.name} AS ${name}`, columns, unit, rows: Math.max(1, ...counts.values()) }
  }

  #withUnit(depth: number): Scope {
    const made = this.make(depth)
    return made.unit === undefined ? this.#ownTable() : made
  }

  #unitJoin(depth: number): Scope {
    const dice = this.#dice
    const left = this.#withUnit(depth)
    const right = this.#withUnit(dice.chance(0.7) ? 0 : depth)
    const rows = left.rows * right.rows
    if (left.unit === undefined || right.unit === undefined || rows > rowsMax) return left
    const type = dice.pick(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
    const columns = [...left.columns, ...right.columns]
    const both = { from: "", columns, unit: left.unit, rows }
    const using = left.unit.endsWith(".person_id") && right.unit.endsWith(".person_id") && dice.chance(0.3)
    const expressions = new ExpressionMaker(dice, both)
    const more = dice.pick(["", "", ` AND ${expressions.condition(1)}`, ` AND ${expressions.equality()}`])
    const on = using ? "USING (person_id)" : `ON ${left.unit} = ${right.unit}${more}`
    const unit = {
      JOIN: dice.pick([left.unit, right.unit]),
      "LEFT JOIN": left.unit,
      "RIGHT JOIN": right.unit,
      "FULL JOIN": using ? "person_id" : undefined,
    }[type]
    return { from: `${left.from} ${type} ${right.from} ${on}`, columns, unit, rows }
  }

  // On a key that is not the unit's: the unit's equality must be added by the compiler.
  #keyJoin(): Scope {
    const dice = this.#dice
    const keys = ["visit_id", "bill_id"]
    const key = dice.pick(keys)
    const fitting = this.#private.filter(({ columns }) => columns.some(({ name }) => name === key))
    if (fitting.length < 2) return this.#table()
    const [one, two] = dice.shuffled(fitting)
    if (one === undefined || two === undefined) return this.#table()
    const [left, right] = [this.#scopeOf(one), this.#scopeOf(two)]
    const names = [left, right].map(({ from }) => from.split(" AS ")[1])
    const type = dice.pick(["JOIN", "JOIN", "LEFT JOIN"])
    const both = left.unit !== undefined && right.unit !== undefined ? `person_id, ${key}` : key
    const on = dice.pick([
      `ON ${names[0]}.${key} = ${names[1]}.${key}`,
      `USING (${dice.pick([key, both])})`,
      `USING (${both})`,
    ])
    const unit = left.unit ?? (type === "JOIN" ? right.unit : undefined)
    return {
      from: `${left.from} ${type} ${right.from} ${on}`,
      columns: [...left.columns, ...right.columns],
      unit,
      rows: left.rows * right.rows,
    }
  }

  #publicJoin(depth: number): Scope {
    const dice = this.#dice
    const left = this.make(depth)
    const right = dice.chance(0.2) ? this.#firstCodes() : this.#scopeOf(dice.pick(this.#public))
    const code = left.columns.find(({ role }) => role === "code")?.ref
    const columns = [...left.columns, ...right.columns]
    const name = right.from.split(" AS ")[1]
    const rows = left.rows * right.rows
    if (rows > rowsMax) return left
    const both = new ExpressionMaker(dice, { from: "", columns, unit: undefined, rows })
    const text = dice.pick([
      () => `CROSS JOIN ${right.from}`,
      () => `JOIN ${right.from} ON ${both.condition(1)}`,
      () => `JOIN ${right.from} ON ${name}.code = ${code ?? "'c1'"}`,
      () => `JOIN ${right.from} ON ${name}.code = ${code ?? "'c1'"}`,
      () => `LEFT JOIN ${right.from} ON ${name}.code = ${code ?? "'c1'"}`,
    ])()
    return { from: `${left.from} ${text}`, columns, unit: left.unit, rows }
  }

  // Public rows may be cut; ties must not be broken by chance.
  #firstCodes(): Scope {
    const name = this.#name()
    const columns: readonly ScopeColumn[] = [
      { ref: `${name}.code`, kind: "text", role: "code", bounded: false },
      { ref: `${name}.rate`, kind: "integer", role: "data", bounded: true },
    ]
    const order = this.#dice.pick(["ORDER BY rate ", "ORDER BY rate DESC, code ", ""])
    const from = `(SELECT code, rate FROM codes ${order}LIMIT 2) AS ${name}`
    return { from, columns, unit: undefined, rows: 2 }
  }

  // A subquery in FROM, or a CTE, which may be used twice.
  #nested({ sql, columns, rows }: Nested): Scope {
    const name = this.#name()
    const scope = (alias: string): Scope => ({
      from: "",
      columns: columns.map(({ name: column, ...rest }) => ({ ref: `${alias}.${column}`, ...rest })),
      unit: columns.some(({ role }) => role === "unit") ? `${alias}.person_id` : undefined,
      rows,
    })
    if (this.#dice.chance(0.6)) return { ...scope(name), from: `(${sql}) AS ${name}` }
    this.withItems.push(`${name} AS (${sql})`)
    const [one, two] = [this.#name(), this.#name()]
    const [left, right] = [scope(one), scope(two)]
    const isOnce = left.unit === undefined || rows * rows > rowsMax || this.#dice.chance(0.7)
    if (isOnce) return { ...left, from: `${name} AS ${one}` }
    return {
      from: `${name} AS ${one} JOIN ${name} AS ${two} ON ${left.unit} = ${right.unit}`,
      columns: [...left.columns, ...right.columns],
      unit: left.unit,
      rows: rows * rows,
    }
  }

  #select(depth: number): Nested {
    const dice = this.#dice
    const input = this.make(depth)
    const made = this.#items(input, dice.pick(allKinds))
    // Without the unit in sight it must be carried along.
    const isHidden = dice.chance(0.2)
    const columns = isHidden ? made.columns.filter(({ role }) => role !== "unit") : made.columns
    const items = isHidden ? made.items.filter((item) => !item.endsWith(" AS person_id")) : made.items
    const distinct = !isHidden && dice.chance(0.4) ? "DISTINCT " : ""
    const where = dice.chance(0.5) ? ` WHERE ${this.where(input)}` : ""
    const sql = `SELECT ${distinct}${items.join(", ")} FROM ${input.from}${where}`
    return { sql, columns, rows: input.rows }
  }

  #union(depth: number): Nested {
    const dice = this.#dice
    const kinds = dice.pick(allKinds)
    const more = dice.chance(0.3) ? [this.#withUnit(0)] : []
    const inputs = [this.#withUnit(depth), this.#withUnit(0), ...more]
    const made = inputs.map((input) => ({ ...this.#items(input, kinds), from: input.from }))
    const [first] = made
    const word = dice.pick([" UNION ALL ", " UNION ALL ", " UNION "])
    const sql = made.map(({ items, from }) => `SELECT ${items.join(", ")} FROM ${from}`).join(word)
    return { sql, columns: first?.columns ?? [], rows: inputs.reduce((sum, { rows }) => sum + rows, 0) }
  }

  // Two tables side by side, and what is equal in WHERE; or everyone of either, by the id that is there.
  #pairs(depth: number): Nested {
    const dice = this.#dice
    const [left, right] = [this.#withUnit(depth), this.#withUnit(0)]
    const rows = left.rows * right.rows
    if (rows > rowsMax) return this.#select(depth)
    const both: Scope = { from: "", columns: [...left.columns, ...right.columns], unit: left.unit, rows }
    const made = this.#items(both, dice.pick(allKinds))
    const equal = `${left.unit} = ${right.unit}`
    if (dice.chance(0.5)) {
      const sql = `SELECT ${made.items.join(", ")} FROM ${left.from}, ${right.from} WHERE ${equal}`
      return { sql, columns: made.columns, rows }
    }
    const id = `COALESCE(${left.unit}, ${right.unit}) AS person_id`
    const items = [id, ...made.items.filter((item) => !item.endsWith(" AS person_id"))]
    const sql = `SELECT ${items.join(", ")} FROM ${left.from} FULL JOIN ${right.from} ON ${equal}`
    return { sql, columns: made.columns, rows }
  }

  #grouped(depth: number): Nested {
    const dice = this.#dice
    const input = this.#withUnit(depth)
    const make = new ExpressionMaker(dice, input)
    const key = dice.chance(0.5) ? make.make("text", 1) : undefined
    const chosen = dice.shuffled(groupCalls(make, dice)).slice(0, 1 + dice.below(4))
    const columns: Named[] = [
      { name: "person_id", kind: "integer", role: "unit", bounded: false },
      ...(key === undefined ? [] : [data("k", "text")]),
      ...chosen.map(([, kind], index) => data(`x${index}`, kind)),
    ]
    const items = [
      `${input.unit} AS person_id`,
      ...(key === undefined ? [] : [`${key} AS k`]),
      ...chosen.map(([text], index) => `${text} AS x${index}`),
    ]
    const where = dice.chance(0.3) ? ` WHERE ${this.where(input)}` : ""
    const having = dice.chance(0.3) ? ` HAVING COUNT(*) > ${dice.below(3)}` : ""
    const keys = key === undefined ? "1" : "1, 2"
    const sql = `SELECT ${items.join(", ")} FROM ${input.from}${where} GROUP BY ${keys}${having}`
    return { sql, columns, rows: key === undefined ? 1 : input.rows }
  }

  #windowed(depth: number): Nested {
    const dice = this.#dice
    const input = this.#withUnit(depth)
    const make = new ExpressionMaker(dice, input)
    const chosen = dice.shuffled(windowCalls(make, input.unit ?? "", dice)).slice(0, 1 + dice.below(4))
    const made = this.#items(input, dice.pick([[], ["integer", "text"]]))
    const columns = [...made.columns, ...chosen.map(([, kind], index) => data(`w${index}`, kind))]
    const items = [...made.items, ...chosen.map(([text], index) => `${text} AS w${index}`)]
    return { sql: `SELECT ${items.join(", ")} FROM ${input.from}`, columns, rows: input.rows }
  }

  // One row for each person, by its number: a proof that nothing needs to be bounded, if it is right.
  #firstRows(depth: number): Nested {
    const dice = this.#dice
    const input = this.#withUnit(depth)
    const make = new ExpressionMaker(dice, input)
    const made = this.#items(input, ["integer", "text", "date"])
    const order = make.make(dice.pick<ColumnKind>(["integer", "date", "text"]), 0)
    const partition = dice.chance(0.8) ? input.unit : `${input.unit}, ${make.make("text", 0)}`
    const number = dice.pick(["ROW_NUMBER", "ROW_NUMBER", "RANK", "DENSE_RANK"])
    const rows = `SELECT ${made.items.join(", ")}, ${number}() OVER (PARTITION BY ${partition} ORDER BY ${order}) AS r FROM ${input.from}`
    const names = made.columns.map(({ name }) => name).join(", ")
    const first = dice.pick(["r = 1", "r = 1", "r <= 2", "1 = r"])
    const sql = `SELECT ${names} FROM (${rows}) AS z WHERE ${first}`
    return { sql, columns: made.columns, rows: input.rows }
  }

  #items(
    input: Scope,
    kinds: readonly ColumnKind[],
  ): { readonly items: readonly string[]; readonly columns: readonly Named[] } {
    const make = new ExpressionMaker(this.#dice, input)
    const unit = input.unit === undefined ? [] : [`${input.unit} AS person_id`]
    return {
      items: [...unit, ...kinds.map((kind, index) => `${make.make(kind, 1)} AS y${index}`)],
      columns: [
        ...unit.map((): Named => ({ name: "person_id", kind: "integer", role: "unit", bounded: false })),
        ...kinds.map((kind, index) => data(`y${index}`, kind)),
      ],
    }
  }
}

type Named = Omit<ScopeColumn, "ref"> & { readonly name: string }

interface Nested {
  readonly sql: string
  readonly columns: readonly Named[]
  readonly rows: number
}

/** Joins of a person's rows with each other multiply; beyond this, tests take long and show nothing new. */
const rowsMax = 4000

const allKinds: readonly (readonly ColumnKind[])[] = [
  ["integer", "text"],
  ["integer", "float", "date"],
  ["text", "boolean", "integer", "decimal"],
  ["timestamp", "integer"],
]

function data(name: string, kind: ColumnKind): Named {
  return { name, kind, role: "data", bounded: false }
}
