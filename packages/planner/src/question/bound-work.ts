// Bounds what one unit can make a database do: where a join multiplies rows, each unit brings no more than a
// public number of them. Which ones is a function of the unit's own rows, so nobody else's answer changes and
// what one unit can change stays what it was. verify/check-work.ts proves that no join was forgotten.

import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import { spentOnAggregates, spentTogether } from "@dosimeter/proof/work/unit-cost"
import { rowCharacters, workOf, type Excess, type UnitWork } from "@dosimeter/proof/work/unit-work"
import {
  charactersOf,
  isWithin,
  joinedTextMax,
  questionLimits,
  workLimitsOf,
  type WorkLimits,
} from "@dosimeter/proof/work/work-limits"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { fail } from "../errors.ts"
import { mapInputs } from "@dosimeter/proof/algebra/change"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import {
  callExpr,
  columnExpr,
  columnIdsAfter,
  filterRel,
  integerLiteral,
  projectRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, Join, Mark, Rel } from "@dosimeter/proof/algebra/rel"
import { columnsIn, conjunctsOf, inputsOf, isCall, ownScan } from "@dosimeter/proof/algebra/walk"
import { hashFor, keepFirst } from "../extracts/keep-groups.ts"
import type { BoundStatement } from "./plan.ts"

/** The statement with bounded work, and a note for each join whose rows are cut. */
export function boundWork<Statement extends BoundStatement>(
  statement: Statement,
  catalog: Pick<Catalog, "unitName" | "rowsPerUnit">,
): Statement {
  const { unitName } = catalog
  const limits = questionLimits(workLimitsOf(catalog), boundariesIn(statement.rel).size)
  const ids = columnIdsAfter(statement.rel)
  const notes = new Set<string>()
  /** Boundaries that share an input still do. */
  const inputs = new Map<Rel, Rel>()
  const replaced = new Map<Boundary, Boundary>()
  for (const boundary of boundariesIn(statement.rel)) {
    const known = inputs.get(boundary.input)
    const bounded = known ?? boundedInput(boundary, { limits, unitName, ids, notes })
    inputs.set(boundary.input, bounded)
    if (bounded !== boundary.input) replaced.set(boundary, { ...boundary, input: bounded })
  }
  if (replaced.size === 0) return statement
  return { ...statement, rel: above(statement.rel, replaced), notes: [...statement.notes, ...notes] }
}

function boundariesIn(rel: Rel): ReadonlySet<Boundary> {
  if (rel.kind === "boundary") return new Set([rel])
  return new Set(inputsOf(rel).flatMap((input) => [...boundariesIn(input)]))
}

/** The same tree over other boundaries. */
function above(rel: Rel, boundaries: ReadonlyMap<Boundary, Boundary>): Rel {
  if (rel.kind === "boundary") return boundaries.get(rel) ?? rel
  return mapInputs(rel, (input) => above(input, boundaries))
}

/** What bounding takes from the statement, and the notes that it adds to. */
interface Bounding {
  readonly limits: WorkLimits
  readonly unitName: string
  readonly ids: ColumnIds
  readonly notes: Set<string>
}

/**
 * Joins are cut by these factors, one after the other, until all that is computed from their rows is within
 * the limits.
 */
const parts = [1, 4, 16, 64, 256] as const

function boundedInput(boundary: Boundary, { limits, unitName, ids, notes }: Bounding): Rel {
  let first: TooMuch | undefined
  for (const part of parts) {
    const fewer = { ...limits, rows: limits.rows / part, characters: limits.characters / part }
    const worker = new Worker(fewer, unitName, ids)
    try {
      const rel = worker.measured(boundary)
      for (const note of worker.notes) notes.add(note)
      return rel
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error
      first ??= error
      if (first.what !== "spent") break
    }
  }
  const { what, rel } = first ?? new TooMuch(boundary, "spent")
  const [problem, remedy] = refusals[what]
  return fail("sql/too-much-work", { problem, remedy }, rel.at)
}

/** A relation takes too much. */
class TooMuch extends Error {
  readonly rel: Rel
  readonly what: Excess["what"]

  constructor(rel: Rel, what: Excess["what"]) {
    super(what)
    this.rel = rel
    this.what = what
  }
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

  constructor(limits: WorkLimits, unitName: string, ids: ColumnIds) {
    this.#limits = limits
    this.#unitName = unitName
    this.#ids = ids
  }

  /** The bounded rows that a boundary measures. */
  measured(boundary: Boundary): Rel {
    const { rel, work } = this.#bounded(boundary.input, [])
    const spent = spentTogether(work.spent, spentOnAggregates(boundary, work))
    return isWithin(spent, this.#limits.spent)
      ? rel
      : this.#refuse(boundary, { kind: "excess", what: "spent" })
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
    if (after.work.rows.times === 0 && (times > 0 || after.work.rows.most < most)) {
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
    throw new TooMuch(rel, what)
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
  spent: [
    "what is computed of one person's rows, all steps together, takes too much time or memory",
    "cut texts: LEFT(text, 100); filter before a join or a union; or compute less of each row that they make",
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

/**
 * An inner join together with the conditions that its rows must meet further up anyway: a constant may
 * complete a key.
 */
function withConditions(rel: Rel, above: readonly Expr[]): Rel {
  if (rel.kind !== "join" || rel.type !== "inner") return rel
  const more = over(rel, above).filter((condition) => isCall(condition, "equal"))
  const [first, ...others] = [...conjunctsOf(rel.condition), ...more]
  if (more.length === 0 || first === undefined) return rel
  return { ...rel, condition: others.length === 0 ? first : callExpr("and", [first, ...others]) }
}

function tableIn(rel: Rel): string {
  return (
    ownScan(rel)?.table.name ??
    inputsOf(rel)
      .map(tableIn)
      .find((name) => name !== "") ??
    ""
  )
}

function withInputs(rel: Rel, inputs: readonly Rel[]): Rel {
  return mapInputs(rel, (input, index) => inputs[index] ?? input)
}
