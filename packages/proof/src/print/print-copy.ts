// The query that makes a prepared copy: every column by its reading rule, what is computed from them, and
// places by keyed hash. The hash is the database's cheapest for orders, else SHA-256; privacy does not rest
// on it, since for every secret places are a function of the unit's own rows. It only has to spread them,
// and to be nobody's choice, which the secret sees to.

import { assert } from "@dosimeter/core/errors"
import type { PreparedTable } from "../units/prepared-table.ts"
import { columnNamed, placeMax, type StoredPlace } from "../catalog/catalog.ts"
import type { Domain } from "../catalog/domain.ts"
import type { Dialect, DialectSpelling } from "../dialects/dialect.ts"
import { dialects } from "../dialects/dialects.ts"
import { writeConstant, writeName } from "../spell/literal.ts"
import type { Expr } from "../algebra/expr.ts"
import { columnExpr, keyedHash } from "../algebra/make.ts"
import type { Project, RelColumn, Scan } from "../algebra/rel.ts"
import { printExpr, type Place } from "./print-expression.ts"
import { printPairs } from "./print-pairs.ts"
import { printRel } from "./print.ts"
import { columnName } from "./select.ts"

/** For which database a copy is written, and the secret in its SQL: a text. */
export interface CopyWriting {
  readonly dialect: Dialect
  readonly secret: string
}

/**
 * The rows of a copy, in the order that they are best stored in. A copy of pairs is what printPairs says, and
 * has no secret.
 *
 * Guarantee: the rows are those of the base that have an owner, each once, with its columns as printScan
 *   reads them and what is computed from these. Places are what StoredPlace says, and which rows of a unit
 *   are stored with which places depends on the unit's own rows and the secret alone.
 * Needs: checkPrepared has passed the copy; the secret does not depend on the data.
 * Proof: a projection of a scan and windows over it keep the number of rows. row_number differs within a unit
 *   and a group; equal dense_rank means equal keys, which end its order; the largest rank of a unit, if below
 *   placeMax, is no less than the number of its groups; least() makes places equal at placeMax only. count(*)
 *   over a unit's rows with equal keys is their number, in all of them. Every window is within a unit, and
 *   the order of a place ends with all that rows can differ in: those that no order tells apart are equal,
 *   and so are the rows that they become.
 * Numerics: whole numbers of 64 bits, cut at placeMax.
 * Source: McSherry 2009 (stability); what follows from places is proven at storedBounds.
 */
export function printCopy(copy: PreparedTable, { dialect, secret }: CopyWriting): string {
  const { table, base } = copy
  if (table.prepared?.pairs !== undefined) return printPairs(copy, dialect)
  const { rel, unit } = readRows(copy)
  const places = table.prepared?.places ?? []
  // What is computed follows from the other columns, and need not be told apart.
  const all = rel.columns.filter(({ id }) => id < base.columns.length)
  const place = placeOver(rel.columns, dialects[dialect], secret)
  const named = (name: string): RelColumn => {
    const column = rel.columns.find((one) => one.name === name)
    assert(column !== undefined, `the copy has ${name}`)
    return column
  }
  const ranked = places.flatMap((stored) => {
    if (stored.counts === "all-groups") return []
    assert(unit !== undefined, "places are counted among the rows of a unit")
    const by = stored.by.map((name) => ({ column: named(name), listed: columnNamed(table, name)?.domain }))
    const ranking = { unit, by, all, place }
    if (stored.counts === "all-rows")
      return [
        `count(*) OVER (PARTITION BY ${partitionOf(ranking).join(", ")}) AS ${writeName(stored.column)}`,
      ]
    const number = placeText(stored, ranking)
    return [`CAST(least(${number}, ${placeMax}) AS INTEGER) AS ${writeName(stored.column)}`]
  })
  const items = rel.columns.map(({ id, name }) => `${columnName(id)} AS ${writeName(name)}`)
  const order = [
    ...places.filter(({ counts }) => counts === "rows").map(({ column }) => column),
    ...places.filter(({ counts }) => counts === "groups").map(({ column }) => column),
    ...(places[0]?.by ?? []),
  ].map(writeName)
  const sorted = order.length === 0 || unit === undefined ? [] : [...order, writeName(unit.name)]
  const rows = `SELECT ${[...items, ...ranked].join(", ")}\nFROM (${printRel(rel, dialect).text}) AS r`
  const totals = totalsOf(places, unit)
  return [
    totals.length === 0 ? rows : `SELECT *, ${totals.join(", ")}\nFROM (${rows}) AS s`,
    ...(sorted.length === 0 ? [] : [`ORDER BY ${sorted.join(", ")}`]),
  ].join("\n")
}

// The last place of a unit's groups is their number.
function totalsOf(places: readonly StoredPlace[], unit: RelColumn | undefined): readonly string[] {
  return places.flatMap(({ column, counts, by }) => {
    const ranked = places.find((one) => one.counts === "groups" && isSameList(one.by, by))
    if (counts !== "all-groups" || unit === undefined) return []
    assert(ranked !== undefined, "groups that are counted have places")
    const last = `max(${writeName(ranked.column)}) OVER (PARTITION BY ${writeName(unit.name)})`
    return [`${last} AS ${writeName(column)}`]
  })
}

// Name by name: a name may hold any separator.
function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, place) => name === b[place])
}

interface Ranking {
  readonly unit: RelColumn
  /** Keys, and what the copy says of their values. */
  readonly by: readonly { readonly column: RelColumn; readonly listed: Domain | undefined }[]
  readonly all: readonly RelColumn[]
  readonly place: Place
}

/**
 * The number of a row among its unit's: see StoredPlace. Equal hashes are told apart by all columns, so that
 * no choice is left to the order of rows. Groups that a policy lists come before others: only they are shown.
 */
function placeText({ counts }: StoredPlace, { unit, by, all, place }: Ranking): string {
  const owner = columnName(unit.id)
  const keys = by.map(({ column }) => columnName(column.id))
  if (counts === "rows") {
    const partition = partitionOf({ unit, by })
    const rest = all.map(({ id }) => columnName(id)).filter((column) => !partition.includes(column))
    const order = rest.length === 0 ? "" : ` ORDER BY ${[hashOf(all, place), ...rest].join(", ")}`
    return `row_number() OVER (PARTITION BY ${partition.join(", ")}${order})`
  }
  const unlisted = by.flatMap(({ column, listed }) => {
    if (listed?.values === undefined || listed.values.length === 0) return []
    const text = columnName(column.id)
    const list = listed.values.map((value) => writeConstant(value, listed.type, place.spelling)).join(", ")
    return [`CASE WHEN ${text} IS NULL OR ${text} IN (${list}) THEN 0 ELSE 1 END`]
  })
  // With the unit: else everybody would keep the same groups.
  const hash = hashOf([unit, ...by.map(({ column }) => column)], place)
  return `dense_rank() OVER (PARTITION BY ${owner} ORDER BY ${[...unlisted, hash, ...keys].join(", ")})`
}

function partitionOf({ unit, by }: Pick<Ranking, "unit" | "by">): readonly string[] {
  return [unit, ...by.map(({ column }) => column)].map(({ id }) => columnName(id))
}

function hashOf(columns: readonly RelColumn[], place: Place): string {
  const { orderHash } = place.spelling.secrets
  const names = columns.map(({ id }) => columnName(id))
  return orderHash?.([place.secret(), ...names]) ?? printExpr(keyedHash(columns.map(columnExpr)), place)
}

function placeOver(columns: readonly RelColumn[], spelling: DialectSpelling, secret: string): Place {
  const placed = columns.map(({ id, domain }) => [id, { text: columnName(id), domain }] as const)
  return { spelling, columns: new Map(placed), secret: () => secret }
}

// The base's columns as they are read, then what is computed; numbers are those of the stored expressions.
function readRows({ base, table, derived }: PreparedTable): {
  readonly rel: Project
  readonly unit: RelColumn | undefined
} {
  const owner = base.unit.kind === "path" ? base.unit.column : undefined
  const sources = base.columns.filter(({ name }) => columnNamed(table, name) !== undefined)
  const columns = sources.map((source): RelColumn => {
    const { name, domain } = source
    const id = base.columns.indexOf(source)
    return { id, name, domain: name === owner ? { ...domain, nullable: false } : domain }
  })
  const scan: Scan = { kind: "scan", table: base, sources, columns }
  const computed = derived.map(({ name, value }, index): RelColumn => ({
    id: base.columns.length + index,
    name,
    domain: value.domain,
  }))
  const items: readonly Expr[] = [...columns.map(columnExpr), ...derived.map(({ value }) => value)]
  const rel: Project = { kind: "project", input: scan, items, columns: [...columns, ...computed] }
  return { rel, unit: columns.find(({ name }) => name === owner) }
}
