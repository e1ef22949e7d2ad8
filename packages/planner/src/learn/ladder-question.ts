// A ladder of norms as a question of its own: how many units have a vector of which length, in steps of
// sqrt 2. A unit is on one step, so that one unit changes one count by one.

import { ceil, floor, rational, sqrtDown } from "@dosimeter/core/exact"
import type { Norm } from "@dosimeter/core/mechanisms"
import type { Bound } from "@dosimeter/language/bind/bind"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { aggregateDomain, stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIdsAfter,
  filterRel,
  integerLiteral,
  projectRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, PersonsAggregate, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { partialOf } from "../extracts/partial-of.ts"
import { totalsBehind } from "../extracts/moment-amounts.ts"
import { amountsByGroup, sizesOf, totalsOfRows } from "../extracts/scale-units.ts"
import type { LadderSubject } from "../strategies/scaled-table.ts"
import { boundMax } from "../strategies/scaled-vector.ts"

/** Without a declared cap a ladder goes on for so many steps of sqrt 2 above the length of a full row. */
const openSteps = 40
/** The step of the longest norm that units can be scaled to. */
const stepMax = 80

/** The last step of a ladder: that of the declared cap, or far above the length of a full row. */
export function lastStep({ vector: { cap, ofRow } }: Pick<LadderSubject, "vector">): number {
  const steps = cap === undefined ? stepAbove(ceil(ofRow)) + openSteps : stepAbove(cap)
  return Math.min(steps, stepMax)
}

// The least h with length^2 <= 2^h.
function stepAbove(length: bigint): number {
  return length <= 1n ? 0 : (length * length - 1n).toString(2).length
}

/** The ladder as a statement: the step, and how many units are on it. Who adds nothing is on none. */
export function ladderQuestion(subject: LadderSubject): Bound {
  const { boundary, vector } = subject
  const ids = columnIdsAfter(boundary)
  const last = lastStep(subject)
  const input = stepsOfUnits(subject, last, ids)
  const key = input.columns.at(-1)
  const aggregate: PersonsAggregate = {
    kind: "persons",
    where: undefined,
    label: "units",
    ...(boundary.at === undefined ? {} : { at: boundary.at }),
  }
  const counted: RelColumn = {
    id: ids.next(),
    name: "units",
    domain: aggregateDomain({ function: "rows", argument: undefined }),
  }
  const rel: Boundary = {
    kind: "boundary",
    input,
    keys: key === undefined ? [] : [key.id],
    aggregates: [aggregate],
    columns: key === undefined ? [counted] : [key, counted],
  }
  const amounts = [...new Set(vector.amounts.map((one) => one.aggregate.label))].join(" and ")
  return { rel, outputNames: ["step", "units"], notes: [`a ladder of norms of ${amounts}`] }
}

// Unit and step, for each unit whose vector is not zero.
function stepsOfUnits({ boundary, vector }: LadderSubject, last: number, ids: ColumnIds): Rel {
  const { unit, amounts, norm, cap } = vector
  // So that squares of all amounts of all rows can be added up.
  const columns = BigInt(Math.ceil(Math.log2(amounts.length + 1)))
  const holds = boundMax >> columns
  const most = cap === undefined || cap > holds ? holds : cap
  const items = totalsBehind(amounts).map(partialOf)
  const rows = totalsOfRows(boundary, unit, items, ids)
  const { rel, values } = amountsByGroup(rows, amounts, most, ids)
  const lengths = aggregateRel(
    rel,
    [unit],
    [{ name: "length", function: "sum", argument: sizesOf(values, norm) }],
    ids,
  )
  const length = lengths.columns.at(-1)
  const owner = lengths.columns[0]
  if (length === undefined || owner === undefined) return lengths
  const own = columnExpr(length)
  const some = filterRel(lengths, callExpr("greater", [own, integerLiteral(0n)]))
  return projectRel(
    some,
    [
      { name: owner.name, value: columnExpr(owner) },
      { name: "step", value: stepOf(own, norm, last) },
    ],
    ids,
  )
}

// The first step whose end is not exceeded; the last covers all beyond.
function stepOf(length: Expr, norm: Norm, last: number): Expr {
  return {
    kind: "case",
    branches: Array.from({ length: last }, (_, step) => ({
      when: callExpr("less-or-equal", [length, integerLiteral(endOf(step, norm))]),
      result: integerLiteral(BigInt(step)),
    })),
    otherwise: integerLiteral(BigInt(last)),
    domain: stepsDomain(0n, BigInt(last), false),
  }
}

/** The largest sum of squares, or of sizes, on a step. */
export function endOf(step: number, norm: Norm): bigint {
  const square = 1n << BigInt(step)
  return norm === "l2" ? square : floor(sqrtDown(rational(square)))
}
