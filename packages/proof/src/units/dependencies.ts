// Which columns decide which others, row by row: how a declared key proves that a person has one row, or is
// in one group. Next to the columns every relation has a mark for its rows themselves.

import { unreachable } from "@dosimeter/core/errors"
import { isExactType } from "../catalog/sql-type.ts"
import type { ColumnId } from "../algebra/expr.ts"
import type { Aggregate, Join, Rel, Scan, WindowRel } from "../algebra/rel.ts"
import type { KeyFact } from "../algebra/release-plan.ts"
import { columnsIn, constantColumns, equalColumns } from "../algebra/walk.ts"

/** The row of a relation: an object of its own, so that no column can be taken for one. */
class RowMark {
  readonly kind = "row"
}

/** A column, or the row of a relation. */
type Attribute = ColumnId | RowMark

/**
 * Two rows that have the same values in `from` (NULL being the same as NULL) have the same in `to`. The same
 * is more than equal where a type is not exact: 0 and -0 are equal, and 1 / x of them is not. What follows
 * from rows of one group therefore starts from `sameInGroup`.
 */
interface Dependency {
  readonly from: readonly Attribute[]
  readonly to: readonly Attribute[]
  /**
   * Set where equality is enough and identity is not needed: `row`, where rows are told apart by equality
   * (groups, row numbers within a partition), and `copy`, where equal values have equal copies.
   */
  readonly ofEqual?: "row" | "copy"
  /** The declared keys behind it, if there are any. */
  readonly facts?: readonly KeyFact[]
}

/** What decides what in one relation. */
export interface Dependencies {
  /** Stands for the relation's rows. */
  readonly row: Attribute
  readonly all: readonly Dependency[]
  /** Of every relation below whose rows it still has. */
  readonly rowOf: ReadonlyMap<Rel, Attribute>
}

/** What follows from some attributes, and the declared keys that it rests on. */
export interface Closure {
  readonly has: (attribute: Attribute) => boolean
  readonly facts: readonly KeyFact[]
}

/**
 * All that is the same in rows in which `from` is the same and `equal` is equal. Facts are all that were used:
 * perhaps more than one chain needs.
 */
export function closureOf(
  dependencies: Dependencies,
  from: Iterable<Attribute>,
  equal: Iterable<Attribute> = [],
): Closure {
  const same = new Set(from)
  const alike = new Set([...same, ...equal])
  const facts: KeyFact[] = []
  for (let size = -1; size !== same.size + alike.size;) {
    size = same.size + alike.size
    for (const dependency of dependencies.all) {
      const { to, ofEqual } = dependency
      const isSame = dependency.from.every((attribute) => same.has(attribute))
      const isAlike = isSame || dependency.from.every((attribute) => alike.has(attribute))
      const reached =
        isSame || (isAlike && ofEqual === "row") ? same : isAlike && ofEqual === "copy" ? alike : undefined
      if (reached === undefined || to.every((attribute) => reached.has(attribute))) continue
      for (const attribute of to) {
        reached.add(attribute)
        alike.add(attribute)
      }
      facts.push(...(dependency.facts ?? []))
    }
  }
  return { has: (attribute) => same.has(attribute), facts }
}

/** What rows of one group with these keys have in common: the same units and exact keys, equal other keys. */
export function groupClosure(
  dependencies: Dependencies,
  units: readonly Attribute[],
  { rel, keys }: { readonly rel: Rel; readonly keys: readonly ColumnId[] },
): Closure {
  return closureOf(dependencies, [...units, ...sameInGroup(rel, keys)], keys)
}

/** Of the keys of a group, those that have one and the same value in all its rows. */
export function sameInGroup({ columns }: Rel, keys: readonly ColumnId[]): readonly ColumnId[] {
  return columns.filter(({ id, domain }) => keys.includes(id) && isExactType(domain.type)).map(({ id }) => id)
}

/** The dependencies of a relation. */
export function dependenciesOf(rel: Rel): Dependencies {
  return new Collector().collect(rel)
}

class Collector {
  collect(rel: Rel): Dependencies {
    switch (rel.kind) {
      case "scan":
        return this.#scan(rel)
      case "filter": {
        const input = this.collect(rel.input)
        const equal = equalColumns(rel.condition).flatMap(([a, b]) => bothWays(a, b))
        const constant = { from: [], to: constantColumns(rel.condition) }
        return { ...input, all: [...input.all, ...equal, constant], rowOf: withRow(input, rel) }
      }
      case "project": {
        const input = this.collect(rel.input)
        const computed = rel.items.flatMap((item, index): Dependency[] => {
          const id = rel.columns[index]?.id
          if (id === undefined) return []
          if (item.kind === "column") return bothWays(item.id, id)
          return [{ from: [...columnsIn(item)], to: [id] }]
        })
        return { ...input, all: [...input.all, ...computed], rowOf: withRow(input, rel) }
      }
      case "join":
        return this.#join(rel)
      case "mark": {
        const input = this.collect(rel.left)
        const mark = rel.columns.at(-1)
        const all = mark === undefined ? input.all : [...input.all, { from: [input.row], to: [mark.id] }]
        return { ...input, all, rowOf: withRow(input, rel) }
      }
      case "aggregate":
        return this.#aggregate(rel)
      case "window":
        return this.#window(rel)
      case "sort": {
        const input = this.collect(rel.input)
        return { ...input, rowOf: withRow(input, rel) }
      }
      case "values":
      case "union":
      case "boundary":
      case "released":
        return this.#fresh(rel, [])
      default:
        return unreachable(rel)
    }
  }

  // A row decides its columns; nothing else is known.
  #fresh(rel: Rel, more: readonly Dependency[]): Dependencies {
    const row = new RowMark()
    const columns = rel.columns.map(({ id }) => id)
    return { row, all: [{ from: [row], to: columns }, ...more], rowOf: new Map([[rel, row]]) }
  }

  #scan(rel: Scan): Dependencies {
    const fresh = this.#fresh(rel, [])
    const keys = rel.table.keys.flatMap((columns): Dependency[] => {
      const ids = columns.map((name) => rawColumn(rel, name))
      if (!ids.every((id) => id !== undefined)) return []
      return [{ from: ids, to: [fresh.row], facts: [{ table: rel.table.name, columns }] }]
    })
    return { ...fresh, all: [...fresh.all, ...keys, ...pairOf(rel, fresh.row)] }
  }

  // A pair of rows decides the joined row. If the condition equates a key of the right side with columns of
  // the left, a left row has at most one partner.
  #join(rel: Join): Dependencies {
    const left = this.collect(rel.left)
    const right = this.collect(rel.right)
    const equal = equalColumns(rel.condition)
    const row = new RowMark()
    const isInner = rel.type === "inner"
    const leftMayMiss = rel.type === "right" || rel.type === "full"
    const rightMayMiss = rel.type === "left" || rel.type === "full"
    const all = [
      ...(leftMayMiss ? whereMatched(left, equal) : left.all),
      ...(rightMayMiss ? whereMatched(right, equal) : right.all),
      { from: [left.row, right.row], to: [row] },
      { from: [row], to: [left.row, right.row] },
      ...(isInner ? equal.flatMap(([a, b]) => bothWays(a, b)) : []),
      ...(isInner ? [{ from: [], to: constantColumns(rel.condition) }] : []),
      ...partner(left, right, { equal, columns: rel.right.columns.map(({ id }) => id) }, !leftMayMiss),
      ...partner(right, left, { equal, columns: rel.left.columns.map(({ id }) => id) }, !rightMayMiss),
    ]
    return { row, all, rowOf: new Map([...left.rowOf, ...right.rowOf, [rel, row]]) }
  }

  // One row for each combination of keys. What some keys decided of others stays true.
  #aggregate(rel: Aggregate): Dependencies {
    const input = this.collect(rel.input)
    const kept = sameInGroup(rel.input, rel.keys).flatMap((key): Dependency[] => {
      const closure = closureOf(input, [key])
      const to = rel.keys.filter((other) => other !== key && closure.has(other))
      return to.length === 0 ? [] : [{ from: [key], to, facts: closure.facts }]
    })
    const fresh = this.#fresh(rel, kept)
    return { ...fresh, all: [...fresh.all, { from: rel.keys, to: [fresh.row], ofEqual: "row" }] }
  }

  // A row number within a partition decides the row.
  #window(rel: WindowRel): Dependencies {
    const input = this.collect(rel.input)
    const first = rel.input.columns.length
    const added = rel.items.flatMap((item, index): Dependency[] => {
      const id = rel.columns[first + index]?.id
      if (id === undefined) return []
      const partition = item.partitionBy.flatMap((expr) => (expr.kind === "column" ? [expr.id] : []))
      const isPlain = partition.length === item.partitionBy.length
      const numbers = item.function === "row-number" && isPlain
      return [
        { from: [input.row], to: [id] },
        ...(numbers ? [{ from: [...partition, id], to: [input.row], ofEqual: "row" as const }] : []),
      ]
    })
    return { ...input, all: [...input.all, ...added], rowOf: withRow(input, rel) }
  }
}

// A copy of pairs has one row for each unit and group; its columns are stored as they are read.
function pairOf({ table, sources, columns }: Scan, row: Attribute): readonly Dependency[] {
  const { unit, prepared } = table
  if (prepared?.pairs === undefined || unit.kind !== "path" || unit.hops.length > 0) return []
  const from = [unit.column, ...prepared.pairs.by].map(
    (name) => columns[sources.findIndex((source) => source.name === name)]?.id,
  )
  return from.every((id) => id !== undefined) ? [{ from, to: [row], ofEqual: "row" }] : []
}

// Reading may merge values that are clamped, rounded or out of range: only columns that are read as they are
// keep a key.
function rawColumn(rel: Scan, name: string): ColumnId | undefined {
  const index = rel.sources.findIndex((source) => source.name === name)
  const { type, range } = rel.sources[index]?.domain ?? {}
  const isRaw = type?.kind === "integer" || type?.kind === "text" || type?.kind === "boolean"
  if (!isRaw || range?.min.declared === true || range?.max.declared === true) return undefined
  return rel.columns[index]?.id
}

// A side that may miss has rows of NULLs beside its own. A dependency survives if it starts from the row, or
// from a column that is not NULL where there was a match.
function whereMatched(
  side: Dependencies,
  equal: readonly (readonly [ColumnId, ColumnId])[],
): readonly Dependency[] {
  const matched = new Set<Attribute>(equal.flat())
  return side.all.filter(({ from }) =>
    from.some((attribute) => attribute instanceof RowMark || matched.has(attribute)),
  )
}

// If the columns of `other` that the condition equates with columns of `one` decide its row, then a row of
// `one` decides it: one partner, or none. Holds where rows of `one` are never missing.
function partner(
  one: Dependencies,
  other: Dependencies,
  join: { readonly equal: readonly (readonly [ColumnId, ColumnId])[]; readonly columns: readonly ColumnId[] },
  mayStand: boolean,
): readonly Dependency[] {
  if (!mayStand) return []
  const columns = new Set(join.columns)
  // One of each pair must be the other side's, and only one.
  const across = join.equal.filter(([a, b]) => columns.has(a) !== columns.has(b))
  const equated = across.map(([a, b]) => (columns.has(a) ? a : b))
  const closure = closureOf(other, equated)
  if (!closure.has(other.row)) return []
  return [{ from: [one.row], to: [other.row], facts: closure.facts }]
}

function bothWays(a: Attribute, b: Attribute): Dependency[] {
  return [
    { from: [a], to: [b], ofEqual: "copy" },
    { from: [b], to: [a], ofEqual: "copy" },
  ]
}

function withRow(input: Dependencies, rel: Rel): ReadonlyMap<Rel, Attribute> {
  return new Map([...input.rowOf, [rel, input.row]])
}
