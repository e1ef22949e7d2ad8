// Relations as SQL: a WITH chain of named steps reads from the tables up (all three databases inline a step
// that is used once), and what stands right above a table is one SELECT with it. The only parameter is the
// secret; every constant is written by literal.ts.

import { assert, unreachable } from "@dosimeter/core/errors"
import type { Dialect, DialectSpelling } from "../dialects/dialect.ts"
import { dialects } from "../dialects/dialects.ts"
import { writeConstant } from "../spell/literal.ts"
import { coerce } from "../spell/stored.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { ColumnId } from "../algebra/expr.ts"
import type { Aggregate, Join, Mark, Rel, RelColumn, Sort, Union, Values, WindowRel } from "../algebra/rel.ts"
import { equalColumns, conjunctsOf, inputsOf, ownScan } from "../algebra/walk.ts"
import { joinTotals, type ReadTwice } from "./join-totals.ts"
import { printAs, printCondition, writeColumn, type Place, type PlacedColumn } from "./print-expression.ts"
import { printScan, scanParts } from "./print-scan.ts"
import { nullOf, printAggregate, printOrder, printWindow, varying } from "./print-window.ts"
import { columnName, selectFrom, type SelectItem } from "./select.ts"

/** SQL for a database, with the values that it must be given. */
export interface SqlText {
  readonly text: string
  readonly parameters: readonly PrintedParameter[]
}

/** A value that printed SQL asks for: the secret of the data version, a text. */
export interface PrintedParameter {
  readonly kind: "secret"
}

interface Printing extends Surveyed {
  readonly spelling: DialectSpelling
  /** Steps that are read twice by totals. */
  readonly readTwice: ReadonlyMap<Rel, ReadTwice>
  /** Steps that are written already. A relation that is used twice is one step. */
  readonly names: Map<Rel, string>
  readonly steps: string[]
  /** How many groupings and windows lie on top of one another in a step. */
  readonly depths: Map<Rel, number>
  readonly secretUses: PrintedParameter[]
}

/** Writes a relation. Its columns come in order and are named c and their number. */
export function printRel(asked: Rel, dialect: Dialect): SqlText {
  const spelling = dialects[dialect]
  const isJoined = spelling.relations.totals === "joined"
  const { rel, readTwice } = isJoined
    ? joinTotals(asked)
    : { rel: asked, readTwice: new Map<Rel, ReadTwice>() }
  const printing: Printing = {
    spelling,
    readTwice,
    names: new Map(),
    steps: [],
    depths: new Map(),
    ...survey(rel),
    secretUses: [],
  }
  const body = selectOf(rel, printing)
  const text = printing.steps.length === 0 ? body : `WITH ${printing.steps.join(", ")}\n${body}`
  const [first] = printing.secretUses
  const one = first === undefined ? [] : [first]
  return { text, parameters: printing.spelling.secrets.values === "one" ? one : printing.secretUses }
}

/** All that is asked of the whole tree before it is written. */
interface Surveyed {
  /** The names of steps must not hide a table. */
  readonly prefix: string
  /** Relations that stand in more than one place. */
  readonly shared: ReadonlySet<Rel>
}

function survey(rel: Rel): Surveyed {
  const tables = new Set<string>()
  const open: Rel[] = [rel]
  const seen = new Set<Rel>()
  const shared = new Set<Rel>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) {
      shared.add(next)
      continue
    }
    seen.add(next)
    for (const part of ownScan(next)?.table.path ?? []) tables.add(part.toLowerCase())
    open.push(...inputsOf(next))
  }
  let prefix = "n"
  while (
    [...tables].some((table) => table.startsWith(prefix) && /^[0-9]+$/.test(table.slice(prefix.length)))
  ) {
    prefix += "n"
  }
  return { prefix, shared }
}

/** What a node adds to the depth of groupings and windows. */
const ownDepth: Readonly<Record<Rel["kind"], 0 | 1>> = {
  scan: 0,
  values: 0,
  filter: 0,
  project: 0,
  join: 0,
  mark: 0,
  aggregate: 1,
  window: 1,
  union: 0,
  sort: 0,
  boundary: 0,
  released: 0,
}

/** The name of the step that gives a relation's rows. */
function stepOf(rel: Rel, printing: Printing): string {
  const known = printing.names.get(rel)
  if (known !== undefined) return known
  const text = selectOf(rel, printing)
  const name = `${printing.prefix}${printing.steps.length + 1}`
  printing.names.set(rel, name)
  const below = Math.max(0, ...inputsOf(rel).map((input) => printing.depths.get(input) ?? 0))
  const depth = below + ownDepth[rel.kind]
  const twice = printing.readTwice.get(rel)
  const isKept = depth >= printing.spelling.relations.depthMax || twice === "kept"
  const kind = isKept ? "MATERIALIZED " : twice === "stored" ? "NOT MATERIALIZED " : ""
  printing.depths.set(rel, isKept ? 0 : depth)
  // Not indented: a line break may stand inside a quoted text.
  printing.steps.push(`${name} AS ${kind}(\n${text}\n)`)
  return name
}

function selectOf(rel: Rel, printing: Printing): string {
  switch (rel.kind) {
    case "scan":
      return printScan(rel, printing.spelling)
    case "values":
      return printValues(rel, printing)
    case "filter": {
      const place = placeOf(rel.input.columns, printing)
      const from = stepOf(rel.input, printing)
      return selectFrom(kept(rel.columns, place), [
        `FROM ${from}`,
        `WHERE ${printCondition(rel.condition, place)}`,
      ])
    }
    case "project":
      return fromRows(rel.input, printing, ({ place, clauses }) => {
        assert(rel.items.length === rel.columns.length, "a projection has an expression for each column")
        const items = zip(rel.items, rel.columns).map(([item, column]) => ({
          text: printAs(item, column.domain, place),
          name: columnName(column.id),
        }))
        return selectFrom(items, clauses)
      })
    case "join":
      return printJoin(rel, printing)
    case "mark":
      return printMark(rel, printing)
    case "aggregate":
      return printGroups(rel, printing)
    case "window":
      return printWindows(rel, printing)
    case "union":
      return printUnion(rel, printing)
    case "sort":
      return printSort(rel, printing)
    case "boundary":
    case "released":
      assert(false, "only relations below a boundary are printed")
      break
    default:
      return unreachable(rel)
  }
}

/** What a SELECT reads: the columns in reach, and its clauses. */
interface RowSource {
  readonly place: Place
  readonly clauses: readonly string[]
}

/**
 * Writes a SELECT over the rows of a relation: straight over a table where there are only conditions and
 * projections between, so that the stored columns are in reach; or over a step of their own, if a column that
 * is costly to read would be written twice.
 */
function fromRows(rel: Rel, printing: Printing, write: (rows: RowSource) => string): string {
  const flat = overTable(rel, printing)
  const secrets = printing.secretUses.length
  if (flat !== undefined) {
    const where = flat.conditions.length === 0 ? [] : [`WHERE ${flat.conditions.join(" AND ")}`]
    const text = write({ place: flat.place, clauses: [flat.from, ...where] })
    if (flat.costly.every(({ count }) => count <= 1)) return text
  }
  printing.secretUses.length = secrets
  const place = placeOf(rel.columns, printing)
  return write({ place, clauses: [`FROM ${stepOf(rel, printing)}`] })
}

interface FlatRows {
  readonly from: string
  readonly conditions: readonly string[]
  readonly place: Place
  /** How often each column that is costly to write was written. */
  readonly costly: readonly { readonly count: number }[]
}

function overTable(rel: Rel, printing: Printing): FlatRows | undefined {
  if (printing.shared.has(rel)) return undefined
  switch (rel.kind) {
    case "scan": {
      const { from, columns, conditions } = scanParts(rel, printing.spelling)
      const costly: { count: number }[] = []
      const placed = zip(columns, rel.columns).map(([{ text, isCostly, stored }, { id, domain }]) => {
        const uses = { count: 0 }
        if (isCostly) costly.push(uses)
        return [id, { text, domain, uses, ...(stored === undefined ? {} : { stored }) }] as const
      })
      const place = { ...placeOf([], printing), columns: new Map<ColumnId, PlacedColumn>(placed) }
      return { from, conditions, place, costly }
    }
    case "filter": {
      const below = overTable(rel.input, printing)
      if (below === undefined) return undefined
      return { ...below, conditions: [...below.conditions, printCondition(rel.condition, below.place)] }
    }
    case "project": {
      const below = overTable(rel.input, printing)
      if (below === undefined) return undefined
      const costly = [...below.costly]
      const placed = zip(rel.items, rel.columns).map(([item, { id, domain }]) => {
        const known = item.kind === "column" ? below.place.columns.get(item.id) : undefined
        if (known !== undefined) return [id, known] as const
        const computed = writtenLate(() => printAs(item, domain, below.place), domain)
        costly.push(computed.uses)
        return [id, computed] as const
      })
      return { ...below, costly, place: { ...below.place, columns: new Map(placed) } }
    }
    case "values":
    case "join":
    case "mark":
    case "aggregate":
    case "window":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return undefined
    default:
      return unreachable(rel)
  }
}

/** A column that is written when it is first asked for: most of a question's are not, in one extract. */
function writtenLate(
  write: () => string,
  domain: PlacedColumn["domain"],
): PlacedColumn & { readonly uses: { count: number } } {
  let written: string | undefined
  return {
    get text(): string {
      written ??= write()
      return written
    },
    domain,
    uses: { count: 0 },
  }
}

/** An expression over columns of one relation, which may have an alias. */
function placeOf(columns: readonly RelColumn[], printing: Printing, alias = ""): Place {
  const { spelling, secretUses } = printing
  const entries = columns.map(({ id, domain }): readonly [ColumnId, PlacedColumn] => [
    id,
    { text: `${alias}${columnName(id)}`, domain },
  ])
  const reach = new Map(entries)
  assert(reach.size === columns.length, "no two columns of a relation have the same number")
  const secret = (): string => {
    secretUses.push({ kind: "secret" })
    return spelling.secrets.parameter(secretUses.length)
  }
  return { spelling, columns: reach, secret }
}

/** Columns that a node hands on. */
function kept(columns: readonly RelColumn[], place: Place): readonly SelectItem[] {
  return columns.map(({ id, domain }) => {
    const column = place.columns.get(id)
    assert(column !== undefined, `column ${id} comes from below`)
    return {
      text: coerce(writeColumn(column), { from: column.domain, to: domain }, place.spelling),
      name: columnName(id),
    }
  })
}

function printValues({ rows, columns }: Values, { spelling: dialect }: Printing): string {
  const items = columns.map(({ id }) => ({ text: columnName(id), name: columnName(id) }))
  const written = rows.map((row) => {
    assert(row.length === columns.length, "every row of VALUES has all columns")
    const cells = zip(row, columns).map(([value, { domain }]) => {
      if (value.kind === "null") return nullOf(domain, dialect)
      const text = writeConstant(value, domain.type, dialect)
      return coerce(text, { from: literalDomain(value, domain.type), to: domain }, dialect)
    })
    return `(${cells.length === 0 ? "1" : cells.join(", ")})`
  })
  if (written.length === 0) {
    const nulls = columns.map(({ id, domain }) => ({ text: nullOf(domain, dialect), name: columnName(id) }))
    return selectFrom(nulls, ["WHERE FALSE"])
  }
  const names = columns.length === 0 ? '"one"' : items.map(({ name }) => name).join(", ")
  return selectFrom(items, [`FROM (VALUES ${written.join(", ")}) AS v (${names})`])
}

/** Both sides of a join or mark, as l and r. */
function twoSides(
  left: Rel,
  right: Rel,
  printing: Printing,
): { readonly place: Place; readonly names: readonly [string, string] } {
  const [l, r] = [placeOf(left.columns, printing, "l."), placeOf(right.columns, printing, "r.")]
  const columns = new Map([...l.columns, ...r.columns])
  assert(columns.size === l.columns.size + r.columns.size, "the sides of a join share no column")
  return { place: { ...l, columns }, names: [stepOf(left, printing), stepOf(right, printing)] }
}

function printJoin(join: Join, printing: Printing): string {
  const { place, names } = twoSides(join.left, join.right, printing)
  const [left, right] = names
  const condition = join.condition === undefined ? "TRUE" : printCondition(join.condition, place)
  const isPlain = join.type !== "full" || printing.spelling.relations.fullJoin === "any" || isEquality(join)
  const items = kept(join.columns, place)
  if (isPlain) {
    return selectFrom(items, [
      `FROM ${left} AS l ${join.type.toUpperCase()} JOIN ${right} AS r ON ${condition}`,
    ])
  }
  // The left side with what matches, then what is left of the right side.
  const ofRight = new Set(join.right.columns.map(({ id }) => id))
  const rest = zip(items, join.columns).map(([item, { id, domain }]) =>
    ofRight.has(id) ? item : { text: nullOf(domain, printing.spelling), name: item.name },
  )
  const unmatched = `WHERE NOT EXISTS (SELECT 1 FROM ${left} AS l WHERE ${condition})`
  return [
    selectFrom(items, [`FROM ${left} AS l LEFT JOIN ${right} AS r ON ${condition}`]),
    selectFrom(rest, [`FROM ${right} AS r`, unmatched]),
  ].join("\nUNION ALL\n")
}

/** Whether a condition is nothing but equalities of a column of each side. */
function isEquality({ condition, left }: Join): boolean {
  const pairs = equalColumns(condition)
  const ofLeft = new Set(left.columns.map(({ id }) => id))
  return (
    pairs.length > 0 &&
    pairs.length === conjunctsOf(condition).length &&
    pairs.every(([a, b]) => ofLeft.has(a) !== ofLeft.has(b))
  )
}

function printMark({ left, right, condition, columns }: Mark, printing: Printing): string {
  const { place, names } = twoSides(left, right, printing)
  const mark = columns.at(-1)
  assert(mark !== undefined && columns.length === left.columns.length + 1, "a mark adds one column")
  const where = condition === undefined ? "" : ` WHERE ${printCondition(condition, place)}`
  const exists = { text: `EXISTS (SELECT 1 FROM ${names[1]} AS r${where})`, name: columnName(mark.id) }
  return selectFrom([...kept(columns.slice(0, -1), place), exists], [`FROM ${names[0]} AS l`])
}

function printGroups({ input, keys, items, columns }: Aggregate, printing: Printing): string {
  assert(columns.length === keys.length + items.length, "an aggregate has its keys, then its items")
  assert(keys.length > 0 || items.length > 0, "an aggregate has keys or items")
  return fromRows(input, printing, ({ place, clauses }) => {
    const dialect = printing.spelling
    const keyItems = zip(keys, columns.slice(0, keys.length)).map(([key, column]) => {
      const source = place.columns.get(key)
      assert(source !== undefined, `key ${key} comes from below`)
      const text = writeColumn(source)
      return {
        text: coerce(text, { from: source.domain, to: column.domain }, dialect),
        name: columnName(column.id),
        key: source.uses === undefined ? text : undefined,
      }
    })
    const measured = zip(items, columns.slice(keys.length)).map(([item, { id, domain }]) => ({
      text: printAggregate(item, domain, place),
      name: columnName(id),
    }))
    // What is computed is named by its place.
    const groups = keyItems.map(({ key }, index) => key ?? `${index + 1}`)
    const grouped = groups.length === 0 ? [] : [`GROUP BY ${groups.join(", ")}`]
    return selectFrom([...keyItems, ...measured], [...clauses, ...grouped])
  })
}

function printWindows({ input, items, columns }: WindowRel, printing: Printing): string {
  assert(columns.length === input.columns.length + items.length, "a window adds a column for each item")
  const place = { ...placeOf(input.columns, printing), input, items }
  const from = stepOf(input, printing)
  const added = zip(items, columns.slice(input.columns.length)).map(([item, { id, domain }]) => ({
    text: printWindow(item, domain, place),
    name: columnName(id),
  }))
  return selectFrom([...kept(columns.slice(0, input.columns.length), place), ...added], [`FROM ${from}`])
}

function printUnion({ inputs, columns }: Union, printing: Printing): string {
  assert(inputs.length > 0, "a union is of something")
  const dialect = printing.spelling
  return inputs
    .map((input) => {
      assert(input.columns.length === columns.length, "all parts of a union have the same columns")
      const items = zip(input.columns, columns).map(([from, to]) => ({
        text: coerce(columnName(from.id), { from: from.domain, to: to.domain }, dialect),
        name: columnName(to.id),
      }))
      return selectFrom(items, [`FROM ${stepOf(input, printing)}`])
    })
    .join("\nUNION ALL\n")
}

/** Rows of equal keys are put in order by all columns, so that a limit always cuts the same ones. */
function printSort({ input, orderBy, limit, offset, columns }: Sort, printing: Printing): string {
  const place = placeOf(input.columns, printing)
  const from = stepOf(input, printing)
  const ties = input.columns.map(({ id, domain }) => ({
    value: { kind: "column" as const, id, domain },
    direction: "ascending" as const,
    nulls: "last" as const,
  }))
  const keys = varying([...orderBy, ...ties])
  return selectFrom(kept(columns, place), [
    `FROM ${from}`,
    ...(keys.length === 0 ? [] : [`ORDER BY ${printOrder(keys, place)}`]),
    ...(offset === undefined ? [] : [`OFFSET ${whole(offset)}`]),
    ...(limit === undefined ? [] : [`LIMIT ${whole(limit)}`]),
  ])
}

function whole(value: bigint): bigint {
  assert(value >= 0n && value < 2n ** 63n, "LIMIT and OFFSET are whole numbers from 0")
  return value
}

/** Two lists of equal length as pairs. */
function zip<A, B>(a: readonly A[], b: readonly B[]): readonly (readonly [A, B])[] {
  assert(a.length === b.length, "lists that belong together have equal lengths")
  return a.flatMap((first, index) => b.slice(index, index + 1).map((second) => [first, second] as const))
}
