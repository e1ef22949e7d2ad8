// Bounds what one unit can make a database do: where a join multiplies rows, each unit brings no more than a
// public number of them. Which ones is a function of the unit's own rows, so nobody else's answer changes and
// what one unit can change stays what it was. verify/check-work.ts proves that no join was forgotten.

import { rowCharacters, workOf, type Excess, type UnitWork } from "../analyze/unit-work.ts"
import { charactersOf, joinedTextMax, workLimitsOf, type WorkLimits } from "../analyze/work-limits.ts"
import { ownershipOf } from "../analyze/track-unit.ts"
import type { Catalog } from "../catalog/catalog.ts"
import { fail } from "../errors.ts"
import type { Expr } from "../ir/expr.ts"
import {
  callExpr,
  columnExpr,
  columnIdsAfter,
  filterRel,
  integerLiteral,
  projectRel,
  type ColumnIds,
} from "../ir/make.ts"
import type { Boundary, Join, Mark, Rel } from "../ir/rel.ts"
import { columnsIn, conjunctsOf, inputsOf, isCall } from "../ir/walk.ts"
import { hashFor, keepFirst } from "./keep-groups.ts"
import type { BoundStatement } from "./plan.ts"

/** The statement with bounded work, and a note for each join whose rows are cut. */
export function boundWork<Statement extends BoundStatement>(
  statement: Statement,
  catalog: Pick<Catalog, "unitName" | "rowsPerUnit">,
): Statement {
  const worker = new Worker(catalog, columnIdsAfter(statement.rel))
  const rel = worker.below(statement.rel)
  if (rel === statement.rel) return statement
  return { ...statement, rel, notes: [...statement.notes, ...worker.notes] }
}

/** A relation, and what a unit has of it. */
interface Bounded {
  readonly rel: Rel
  readonly work: UnitWork
}

class Worker {
  readonly notes = new Set<string>()
  readonly #limits: WorkLimits
  readonly #unitName: string
  readonly #ids: ColumnIds
  /** Boundaries that share an input still do. */
  readonly #inputs = new Map<Rel, Rel>()
  readonly #boundaries = new Map<Boundary, Boundary>()

  constructor(catalog: Pick<Catalog, "unitName" | "rowsPerUnit">, ids: ColumnIds) {
    this.#limits = workLimitsOf(catalog)
    this.#unitName = catalog.unitName
    this.#ids = ids
  }

  /** The same tree, with every boundary over bounded rows. */
  below(rel: Rel): Rel {
    if (rel.kind !== "boundary")
      return withInputs(
        rel,
        inputsOf(rel).map((input) => this.below(input)),
      )
    const known = this.#boundaries.get(rel)
    if (known !== undefined) return known
    const input = this.#inputs.get(rel.input) ?? this.#bounded(rel.input, []).rel
    this.#inputs.set(rel.input, input)
    const bounded = input === rel.input ? rel : { ...rel, input }
    this.#boundaries.set(rel, bounded)
    return bounded
  }

  #bounded(rel: Rel, above: readonly Expr[]): Bounded {
    const down = passedDown(rel, above)
    const inputs = inputsOf(rel).map((input, index) => this.#bounded(input, down[index] ?? []))
    return this.#node(
      withInputs(
        rel,
        inputs.map((input) => input.rel),
      ),
      inputs,
      above,
    )
  }

  #node(asked: Rel, inputs: readonly Bounded[], above: readonly Expr[]): Bounded {
    const found = this.#of(asked, inputs)
    if (found.kind === "work") return { rel: asked, work: found }
    const rel = withConditions(asked, above)
    const [left, right] = inputs
    if ((rel.kind !== "join" && rel.kind !== "mark") || left === undefined || right === undefined) {
      return this.#refuse(rel, found)
    }
    // First conditions and texts alone: they may be all that is wrong.
    const short = [left, right].map((side) => this.#shortened(side))
    for (const sides of [inputs, short, this.#cut(rel, short)]) {
      const joined = withInputs(
        rel,
        sides.map((side) => side.rel),
      )
      const work = this.#of(joined, sides)
      if (work.kind === "work") {
        for (const [index, side] of sides.entries()) this.#say(inputs[index] ?? side, side)
        return { rel: joined, work }
      }
    }
    return this.#refuse(rel, found)
  }

  #of(rel: Rel, inputs: readonly Bounded[]): UnitWork | Excess {
    return workOf(
      rel,
      inputs.map(({ work }) => work),
      this.#limits,
    )
  }

  /** Only rows without long texts. */
  #shortened({ rel, work }: Bounded): Bounded {
    const long = rel.columns.filter(({ id }) => charactersOf(work.sizes.get(id) ?? none) > joinedTextMax)
    const limits = long.map((column) => {
      const length = callExpr("length", [columnExpr(column)])
      const known = column.domain.nullable ? callExpr("coalesce", [length, integerLiteral(0n)]) : length
      return callExpr("less-or-equal", [known, integerLiteral(BigInt(joinedTextMax))])
    })
    const [first, ...others] = limits
    if (first === undefined) return { rel, work }
    return this.#filtered(rel, work, others.length === 0 ? first : callExpr("and", limits))
  }

  #filtered(rel: Rel, work: UnitWork, condition: Expr): Bounded {
    const filtered = filterRel(rel, condition)
    const found = workOf(filtered, [work], this.#limits)
    return found.kind === "work" ? { rel: filtered, work: found } : this.#refuse(rel, found)
  }

  /** Both sides, of which private ones bring so few rows that all pairs are as many as there may be. */
  #cut(rel: Join | Mark, sides: readonly Bounded[]): readonly Bounded[] {
    const [left, right] = sides
    if (left === undefined || right === undefined) return sides
    const characters = Math.max(1, rowCharacters(left.work) + rowCharacters(right.work))
    // A side that is kept without a match has its rows besides, so that half of them are for pairs.
    const kept = rel.kind === "mark" || rel.type === "inner" ? 1 : 2
    const all = Math.floor(Math.min(this.#limits.rows, this.#limits.characters / characters) / kept)
    const [a, b] = this.#shares(all, left.work, right.work)
    return [this.#first(left, a), this.#first(right, b)]
  }

  /** How many rows of each side: as many of both, or more where the other side has few. */
  #shares(all: number, left: UnitWork, right: UnitWork): readonly [number, number] {
    const [a, b] = [left, right].map(({ rows, isPublic }) =>
      rows.times > 0 && !isPublic ? Infinity : rows.most,
    )
    if (a === undefined || b === undefined) return [0, 0]
    if (left.isPublic) return [a, Math.floor(all / a)]
    if (right.isPublic) return [Math.floor(all / b), b]
    const even = Math.floor(Math.sqrt(all))
    if (a <= even) return [a, Math.floor(all / Math.max(1, a))]
    if (b <= even) return [Math.floor(all / Math.max(1, b)), b]
    return [even, even]
  }

  #first(side: Bounded, most: number): Bounded {
    const { rel, work } = side
    if (work.isPublic || most < 1 || (work.rows.times === 0 && work.rows.most <= most)) return side
    const owner = ownershipOf(rel)
    const unit = rel.columns.find(({ id }) => owner.kind === "private" && owner.units.has(id))
    if (unit === undefined) return side
    const others = rel.columns.filter((column) => column !== unit).map(columnExpr)
    const order = [hashFor(rel, unit.id, others)]
    const first = keepFirst(rel, { partition: [unit.id], order, most: BigInt(most) }, this.#ids)
    const items = rel.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
    const cut = projectRel(first, items, this.#ids)
    return { rel: cut, work: this.#workOfCut(cut, work) }
  }

  // Window, filter and projection, one after the other.
  #workOfCut(rel: Rel, below: UnitWork, depth = 3): UnitWork {
    const [input] = inputsOf(rel)
    if (depth === 0 || input === undefined) return below
    const inner = this.#workOfCut(input, below, depth - 1)
    const found = workOf(rel, [inner], this.#limits)
    return found.kind === "work" ? found : this.#refuse(rel, found)
  }

  #say(before: Bounded, after: Bounded): void {
    if (before.rel === after.rel || before.work.isPublic) return
    const where = tableIn(before.rel)
    const { times, most } = before.work.rows
    if (times > 0 && after.work.rows.times === 0 && most < after.work.rows.most) {
      const count = after.work.rows.most.toLocaleString("en")
      this.notes.add(
        `a join multiplies rows: at most ${count} rows of a ${this.#unitName} in ${where} enter it, and the rest does not count`,
      )
    }
    if (rowCharacters(after.work) < rowCharacters(before.work)) {
      this.notes.add(
        `a join multiplies rows: those of ${where} with a text of more than ${joinedTextMax} characters do not enter it; LEFT(text, ${joinedTextMax}) before the join keeps them`,
      )
    }
  }

  #refuse(rel: Rel, { what }: Excess): never {
    const [problem, remedy] = refusals[what]
    return fail("sql/too-much-work", { problem, remedy }, rel.at)
  }
}

const none = { made: 0, stored: 0 } as const

const refusals: Readonly<Record<Excess["what"], readonly [problem: string, remedy: string]>> = {
  pairs: [
    "a join makes so many rows of one person's that a single one of them would be too many",
    "join on a key of the other table, or with fewer constant rows",
  ],
  rows: [
    "a union makes too many rows of one person's",
    "ask in several questions, or filter once with OR in place of UNION ALL",
  ],
  texts: [
    "the texts of one person's rows may become too long together",
    "cut them before they are joined or put together: LEFT(text, 100)",
  ],
  "long-text": [
    "a text may become too long: what is made of constants has at most 4,096 characters",
    "cut it before it grows: LEFT(text, 100)",
  ],
  "long-search": [
    "a text is searched for in another, and both may be long",
    "cut what is searched for: POSITION(LEFT(a, 1000) IN b)",
  ],
}

/** The conditions that rows meet further up, for each input: those over its columns, if its rows are kept. */
function passedDown(rel: Rel, above: readonly Expr[]): readonly (readonly Expr[])[] {
  if (rel.kind === "filter") return [[...conjunctsOf(rel.condition), ...above]]
  if (rel.kind === "mark") return [over(rel.left, above), []]
  if (rel.kind !== "join") return inputsOf(rel).map(() => [])
  const keepsLeft = rel.type === "inner" || rel.type === "left"
  const keepsRight = rel.type === "inner" || rel.type === "right"
  return [keepsLeft ? over(rel.left, above) : [], keepsRight ? over(rel.right, above) : []]
}

function over(side: Rel, conditions: readonly Expr[]): readonly Expr[] {
  const ids = new Set(side.columns.map(({ id }) => id))
  return conditions.filter((condition) => [...columnsIn(condition)].every((id) => ids.has(id)))
}

/** An inner join that asks at once for what its rows must meet anyway: a constant may complete a key. */
function withConditions(rel: Rel, above: readonly Expr[]): Rel {
  if (rel.kind !== "join" || rel.type !== "inner") return rel
  const more = over(rel, above).filter((condition) => isCall(condition, "equal"))
  const [first, ...others] = [...conjunctsOf(rel.condition), ...more]
  if (more.length === 0 || first === undefined) return rel
  return { ...rel, condition: others.length === 0 ? first : callExpr("and", [first, ...others]) }
}

function tableIn(rel: Rel): string {
  if (rel.kind === "scan") return rel.table.name
  return (
    inputsOf(rel)
      .map(tableIn)
      .find((name) => name !== "") ?? ""
  )
}

function withInputs(rel: Rel, inputs: readonly Rel[]): Rel {
  const before = inputsOf(rel)
  if (before.every((input, index) => input === inputs[index])) return rel
  const [first, second] = inputs
  switch (rel.kind) {
    case "scan":
    case "values":
    case "released":
      return rel
    case "filter":
    case "project":
    case "aggregate":
    case "window":
    case "sort":
    case "boundary":
      return first === undefined ? rel : { ...rel, input: first }
    case "join":
    case "mark":
      return first === undefined || second === undefined ? rel : { ...rel, left: first, right: second }
    case "union":
      return { ...rel, inputs }
    default:
      return rel satisfies never
  }
}
