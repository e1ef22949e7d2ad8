// Generated datasets: schemas with every kind of unit, key and bound, and tables that obey the declared keys
// and nothing else. Every row knows whose it is, so that a person can be taken out or replaced.

import { Dice } from "@dosimeter/proof/testing/dice"
import {
  hostileValue,
  quoted,
  type ColumnKind,
  type StoredType,
} from "@dosimeter/proof/testing/hostile-values"

/** A column of a generated table. */
export interface TestColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly stored: StoredType
  /** Its line in the policy. */
  readonly line: Readonly<Record<string, unknown>>
  /** What it is for: telling units, rows or codes apart; kept from analysts; or to be asked about. */
  readonly role: "unit" | "key" | "link" | "code" | "denied" | "data"
}

/** A generated table. */
export interface TestTable {
  readonly name: string
  readonly unit: "person" | "path" | "row" | "public"
  /** As the policy says it. */
  readonly unitLine: string
  readonly columns: readonly TestColumn[]
  readonly keys: readonly (readonly string[])[]
  readonly rows: readonly TestRow[]
}

/** A row, and whose it is. */
export interface TestRow {
  /** Undefined for rows that are nobody's: public ones, and those whose path or id leads nowhere. */
  readonly owner: number | undefined
  /** Whether it is one of the rows that its owner has after being replaced. */
  readonly other: boolean
  /** A literal for each column. */
  readonly values: readonly string[]
}

/** A generated dataset. */
export interface TestDataset {
  readonly seed: string
  /** The policy, as JSON. */
  readonly policy: string
  readonly neighbours: "add-or-remove" | "replace"
  readonly tables: readonly TestTable[]
  /** Whoever can be taken out. */
  readonly owners: readonly number[]
}

/** The dataset of a seed. */
export function randomDataset(seed: string): TestDataset {
  const dice = new Dice(seed)
  const neighbours = dice.chance(0.5) ? "replace" : "add-or-remove"
  const isByRow = dice.chance(0.15)
  const owners = Array.from({ length: isByRow ? 8 : 4 + dice.below(5) }, (_, index) => index)
  const maker = new Maker(dice, owners)
  const people = isByRow ? maker.recordTables() : maker.personTables()
  const tables = [...people, ...maker.publicTables()]
  return { seed, policy: policyOf(tables, neighbours, dice), neighbours, tables, owners }
}

function policyOf(tables: readonly TestTable[], neighbours: string, dice: Dice): string {
  const accounting = dice.pick(["pure", "zcdp", "gdp"])
  return JSON.stringify({
    dataset: "generated",
    source: { duckdb: "none" },
    neighbours,
    budget: { epsilon: 10, delta: 1e-6, accounting },
    question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 },
    bounding: { groups_per_unit: 1 + dice.below(3), rows_per_group: 1 + dice.below(4) },
    tables: Object.fromEntries(
      tables.map(({ name, unitLine, keys, columns }) => [
        name,
        {
          unit: unitLine,
          ...(keys.length === 0 ? {} : { keys }),
          columns: Object.fromEntries(columns.map((column) => [column.name, column.line])),
        },
      ]),
    ),
  })
}

const codes = ["c1", "c2", "c3", "c4"]
const personIds: Readonly<Record<"BIGINT" | "VARCHAR", readonly string[]>> = {
  BIGINT: ["1", "2", "-3", "9007199254740993", "9223372036854775807", "0", "2147483648", "8"],
  VARCHAR: ["7", "\uFEFF7", " 7", "7.0", "", "a", "A", "😀"],
}

class Maker {
  readonly #dice: Dice
  readonly #owners: readonly number[]
  readonly #idType: "BIGINT" | "VARCHAR"
  #lastKey = 0

  constructor(dice: Dice, owners: readonly number[]) {
    this.#dice = dice
    this.#owners = owners
    this.#idType = dice.chance(0.7) ? "BIGINT" : "VARCHAR"
  }

  personTables(): readonly TestTable[] {
    const dice = this.#dice
    const hasKey = dice.chance(0.8)
    const person = this.#table("person", {
      columns: [this.#unitColumn(), codeColumn(), ...this.#dataColumns("p")],
      keys: hasKey ? [["person_id"]] : [],
      rowsOf: () => (hasKey ? Math.min(dice.below(8), 1) : dice.below(3)),
      link: () => [this.#someCode()],
    })
    const visits = this.#table("visits", {
      columns: [this.#unitColumn(), idColumn("visit_id", "key"), ...this.#dataColumns("v")],
      keys: [["visit_id"]],
      rowsOf: (owner) => (owner === 0 ? 30 : dice.below(5)),
      link: () => [this.#nextKey()],
    })
    const drugs = this.#table("drugs", {
      columns: [
        this.#unitColumn(),
        idColumn("visit_id", "link"),
        codeColumn(),
        idColumn("seq", "link"),
        ...this.#dataColumns("d"),
      ],
      keys: dice.chance(0.7) ? [["person_id", "seq"]] : [],
      rowsOf: (owner) => (owner === 0 ? 12 : dice.below(4)),
      link: (row) => [this.#someKey(visits, row), this.#someCode(), this.#nextKey()],
    })
    const bills = this.#pathTable("bills", visits, "visit_id")
    const lines = this.#pathTable("lines", bills, "bill_id")
    return [person, visits, drugs, bills, lines]
  }

  /** Every row is a unit. */
  recordTables(): readonly TestTable[] {
    const columns = [idColumn("event_id", "key"), codeColumn(), ...this.#dataColumns("e")]
    const keys = this.#dice.chance(0.5) ? [["event_id"]] : []
    const rows = [false, true].flatMap((other) =>
      this.#owners.map((owner) => {
        const ids = [this.#nextKey(), this.#someCode()]
        return { owner, other, values: [...ids, ...this.#values(columns.slice(2))] }
      }),
    )
    return [{ name: "events", unit: "row", unitLine: "row", columns, keys, rows }]
  }

  publicTables(): readonly TestTable[] {
    const label: TestColumn = plain("label", "text", "VARCHAR", { type: "text", values: ["A", "B", "C"] })
    const rate = plain("rate", "integer", "INTEGER", { type: "integer", min: 0, max: 9 })
    const list = [codeColumn(), label, rate]
    const rows = codes.map((code) => publicRow([quoted(code, "VARCHAR"), ...this.#values([label, rate])]))
    const many = [codeColumn(), plain("part", "text", "VARCHAR", { type: "text" })]
    const parts = [...codes, "c1", "c1", "c2"].map((code, index) =>
      publicRow([quoted(code, "VARCHAR"), quoted(`p${index % 3}`, "VARCHAR")]),
    )
    const table = { unit: "public", unitLine: "public" } as const
    return [
      { name: "codes", ...table, columns: list, keys: [["code"]], rows },
      { name: "parts", ...table, columns: many, keys: [], rows: parts },
    ]
  }

  // A table with the unit's id in it: rows of everyone, now and after being replaced, and some of nobody.
  #table(
    name: string,
    shape: {
      readonly columns: readonly TestColumn[]
      readonly keys: readonly (readonly string[])[]
      readonly rowsOf: (owner: number) => number
      /** The literals after the unit's id and before the data. */
      readonly link: (row: {
        readonly owner: number | undefined
        readonly other: boolean
      }) => readonly string[]
    },
  ): TestTable {
    const { columns, keys, rowsOf, link } = shape
    const nobody = keys.some((key) => key.includes("person_id")) ? 0 : 2
    const places = [
      ...[false, true].flatMap((other) =>
        this.#owners.flatMap((owner) => Array.from({ length: rowsOf(owner) }, () => ({ owner, other }))),
      ),
      ...Array.from({ length: nobody }, () => ({ owner: undefined, other: false })),
    ]
    const sparse = this.#sparse(columns)
    const rows = places.map((place) => {
      const id = place.owner === undefined ? "NULL" : quoted(this.#idOf(place.owner), this.#idType)
      const links = link(place)
      const values = this.#values(columns.slice(1 + links.length))
      return { ...place, values: sparse(place.owner, [id, ...links, ...values]) }
    })
    return { name, unit: "person", unitLine: "person_id", columns, keys, rows }
  }

  // A table whose rows belong to whoever the row of `to` belongs to that they point at.
  #pathTable(name: string, to: TestTable, column: string): TestTable {
    const own = `${name.slice(0, -1)}_id`
    const columns = [idColumn(own, "key"), idColumn(column, "link"), ...this.#dataColumns(name.slice(0, 1))]
    const place = to.columns.findIndex((one) => one.name === column)
    const pointed = to.rows.flatMap((row) => (this.#dice.chance(0.5) ? [row] : []))
    const rows = [...pointed, ...pointed.filter(() => this.#dice.chance(0.3))].map(
      ({ owner, other, values }) => {
        const ids = [this.#nextKey(), values[place] ?? "NULL"]
        return { owner, other, values: [...ids, ...this.#values(columns.slice(2))] }
      },
    )
    const lost = ["NULL", "'-7'::BIGINT"].map((target) => ({
      owner: undefined,
      other: false,
      values: [this.#nextKey(), target, ...this.#values(columns.slice(2))],
    }))
    const path =
      to.unit === "path"
        ? "bill_id -> bills.bill_id -> visit_id -> visits.visit_id"
        : "visit_id -> visits.visit_id"
    return {
      name,
      unit: "path",
      unitLine: `${path} -> person_id`,
      columns,
      keys: [[own]],
      rows: [...rows, ...lost],
    }
  }

  // In some columns only one person has a value: what a database knows of a column may not change others.
  #sparse(
    columns: readonly TestColumn[],
  ): (owner: number | undefined, values: readonly string[]) => readonly string[] {
    const only = columns.map(({ role }) =>
      role === "data" && this.#dice.chance(0.15) ? this.#dice.pick(this.#owners) : undefined,
    )
    return (owner, values) =>
      values.map((value, place) => (only[place] === undefined || only[place] === owner ? value : "NULL"))
  }

  #values(columns: readonly TestColumn[]): readonly string[] {
    return columns.map(({ stored }) => hostileValue(stored, this.#dice))
  }

  #nextKey(): string {
    this.#lastKey += 1
    return quoted(`${this.#lastKey}`, "BIGINT")
  }

  // Mostly a visit of the same person, sometimes of another: only the unit's equality keeps them apart.
  #someKey(visits: TestTable, row: { readonly owner: number | undefined; readonly other: boolean }): string {
    if (this.#dice.chance(0.1)) return "NULL"
    const own = visits.rows.filter(({ owner, other }) => owner === row.owner && other === row.other)
    const from = this.#dice.chance(0.25) || own.length === 0 ? visits.rows : own
    return this.#dice.pick(from).values[1] ?? "NULL"
  }

  #someCode(): string {
    return this.#dice.chance(0.1) ? "NULL" : quoted(this.#dice.pick([...codes, "other"]), "VARCHAR")
  }

  #idOf(owner: number): string {
    return personIds[this.#idType][owner] ?? `${100 + owner}`
  }

  #unitColumn(): TestColumn {
    const type = this.#idType === "BIGINT" ? "integer" : "text"
    return { name: "person_id", kind: type, stored: this.#idType, line: { type }, role: "unit" }
  }

  #dataColumns(prefix: string): readonly TestColumn[] {
    const pick = <T>(items: readonly T[]): T => this.#dice.pick(items)
    const bounds = pick([
      { min: 0, max: 10 },
      { min: -5, max: 5 },
      { min: 2, max: 6 },
    ])
    const days = { min: "2020-01-01", max: pick(["2020-12-31", "2020-03-31"]) }
    const listed = { values: ["A", "B", "C"] }
    const dates = pick<StoredType>(["DATE", "DATE", "TIMESTAMP"])
    const times = pick<StoredType>(["TIMESTAMP", "TIMESTAMP", "DATE", "TIMESTAMP_S", "TIMESTAMP_NS"])
    const column = (name: string, ...rest: [ColumnKind, StoredType, object]): TestColumn =>
      plain(`${prefix}_${name}`, ...rest)
    return [
      column("int", "integer", pick(["INTEGER", "BIGINT", "SMALLINT", "HUGEINT"]), {
        type: "integer",
        ...bounds,
      }),
      column("few", "integer", "INTEGER", { type: "integer", values: [0, 1, 2, 3] }),
      column("big", "integer", pick(["BIGINT", "BIGINT", "HUGEINT", "UBIGINT"]), {
        type: "integer",
        ...pick([{}, {}, { min: -100_000 }]),
      }),
      column("num", "float", pick(["DOUBLE", "DOUBLE", "REAL", "DECIMAL(38,10)", "HUGEINT"]), {
        type: "float",
        ...bounds,
        ...pick([{}, { grid: 0.01 }, { grid: 0.25 }, { grid: 1 }]),
      }),
      column("any", "float", "DOUBLE", { type: "float" }),
      column("dec", "decimal", pick(["DECIMAL(12,2)", "DECIMAL(38,10)", "DOUBLE", "BIGINT"]), {
        type: "decimal(2)",
        ...pick([bounds, bounds, {}]),
      }),
      column("cat", "text", "VARCHAR", { type: "text", ...pick([listed, listed, {}]) }),
      column("txt", "text", "VARCHAR", { type: "text", ...pick([{ text: "free" }, {}, {}]) }),
      column("ok", "boolean", "BOOLEAN", { type: "boolean" }),
      column("day", "date", dates, { type: "date", ...pick([days, days, {}]) }),
      column("at", "timestamp", times, { type: "timestamp", ...pick([days, {}]) }),
      column(`"; DROP TABLE visits; -- it's`, "integer", "INTEGER", { type: "integer", ...bounds }),
      { ...column("sec", "text", "VARCHAR", { type: "text", access: "deny" }), role: "denied" },
    ]
  }
}

function plain(name: string, ...[kind, stored, line]: [ColumnKind, StoredType, object]): TestColumn {
  return { name, kind, stored, line: { ...line }, role: "data" }
}

function idColumn(name: string, role: "key" | "link"): TestColumn {
  return { name, kind: "integer", stored: "BIGINT", line: { type: "integer" }, role }
}

function codeColumn(): TestColumn {
  return { name: "code", kind: "text", stored: "VARCHAR", line: { type: "text" }, role: "code" }
}

function publicRow(values: readonly string[]): TestRow {
  return { owner: undefined, other: false, values }
}
