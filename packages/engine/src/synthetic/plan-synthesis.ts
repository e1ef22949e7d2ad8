// What synthetic rows would cost and how good they would be, and everything that is refused: before
// anything is charged.

import { numberNear } from "@dosimeter/core/exact"
import { fail as failModel } from "@dosimeter/ml/errors"
import { checkRules } from "@dosimeter/ml/synthetic/check-rules"
import { attributeOf, codeCount, type SyntheticColumn } from "@dosimeter/ml/synthetic/columns"
import { readRule, ruleOf, type WrittenRule } from "@dosimeter/ml/synthetic/rules"
import { roundShares, type Round, type SyntheticSpec } from "@dosimeter/ml/synthetic/rounds"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import type { CompileOptions, Planned } from "@dosimeter/planner/compile"
import { planShare, sharesInAll, wholeCharge } from "@dosimeter/planner/workload/plan-share"
import { specOf as specOfMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { fail } from "../errors.ts"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { columnsOfSql } from "./columns-of-sql.ts"
import { countSql, type CountQuestion } from "./group-sql.ts"
import { recordSql, type RecordSql, type SyntheticQuestion } from "./synthetic-question.ts"
import { tablesNamed } from "./tables-named.ts"

/** Synthetic rows that can be made. */
export interface SyntheticPlan {
  readonly records: RecordSql
  readonly columns: readonly SyntheticColumn[]
  readonly spec: SyntheticSpec
  /** All rounds together; charged before the first is read. */
  readonly charge: Charge
  /** How the rounds follow from the question, as text: the same text is the same question. */
  readonly rule: string
  /** The plan of the first table, as an example of all. */
  readonly example: VerifiedPlan
  readonly quality: ExpectedQuality
}

/** What is known of the result beforehand. */
export interface ExpectedQuality {
  /** How far off the count of one value is, in rows: the standard deviation. */
  readonly column: number
  /** The same of a cell of a rough pair, and of a close one if as many are chosen as there are columns. */
  readonly roughPair: number
  readonly closePair: number
  /** How many pairs there are. */
  readonly pairs: number
  /** For some numbers of units: the share of rows that noise alone puts into a wrong value of a column. */
  readonly misplaced: readonly { readonly units: number; readonly share: number }[]
}

/** A table of a round with its proven plan. */
export interface PlannedTable extends Planned {
  readonly question: CountQuestion
}

/** The plan of synthetic rows. */
export function planSynthesis(
  question: SyntheticQuestion,
  options: Omit<CompileOptions, "parameters">,
): SyntheticPlan {
  const { catalog, terms } = options
  const own = ofOneRow(question, options)
  if (terms.budget.accounting === "pure") return fail("synthetic/needs-gaussian", {})
  const records = recordSql(question, catalog)
  const written = (question.rules ?? []).map((text) => readRule(text))
  const columns = columnsOfSql(records, written, options)
  const spec = specOf(question, columns, [...written, ...rulesOfRows(records)])
  checkRules(spec.attributes, spec.rules)
  const charge = wholeCharge(own)
  const rule = canonicalJson({
    format: "dosimeter-synthetic/1",
    records: records.sql,
    columns: columns.map((column) => ({ ...column })),
    rules: written.map(({ text }) => text),
    target: question.target ?? null,
    rounds: { ...roundShares },
    tables: tablesNamed(records.sql, options),
  })
  const whole: SyntheticSpec = { ...spec, seed: rule }
  const first = new Synthesis(whole).next()
  const tables = first === undefined ? [] : planRound(first, { records, columns }, own)
  for (const { plan } of tables) checkTable(plan, question.table ?? "the SELECT")
  const [example] = tables
  if (example === undefined) return failModel("synthetic/unbounded-column", { name: "the result" })
  const quality = expectedQuality(columns, example.plan)
  return { records, columns, spec: whole, charge, rule, example: example.plan, quality }
}

/** The proven plans of a round's tables. */
export function planRound(
  round: Round,
  { records, columns }: Pick<SyntheticPlan, "records" | "columns">,
  options: Omit<CompileOptions, "parameters">,
): readonly PlannedTable[] {
  const own = ofOneRow({}, options)
  return round.tables.map((table) => {
    const question = countSql(records.sql, columns, table)
    const parts = BigInt(Math.floor(table.share * Number(sharesInAll)))
    return { question, ...planShare(question.sql, parts, own) }
  })
}

// Every column is decided by the unit, and so is every table of several: their groups are those of columns.
// Where that is proven nothing is dropped or scaled, and all tables are of the same rows.
function checkTable({ releases }: VerifiedPlan, table: string): void {
  for (const { bounds, measurements, keys } of releases) {
    const isPlain = measurements.every((one) => one.kind === "linear" && one.strategy.kind === "identity")
    if (
      bounds.groupsProof === undefined ||
      bounds.rowsProof === undefined ||
      !isPlain ||
      keys.kind === "private"
    ) {
      fail("synthetic/several-rows", { table })
    }
  }
}

// Every unit has one row, in one group.
function ofOneRow(
  question: Pick<SyntheticQuestion, "ask">,
  options: Omit<CompileOptions, "parameters">,
): Omit<CompileOptions, "parameters"> {
  const { epsilon } = { ...options.ask, ...question.ask }
  return {
    ...options,
    ask: { ...(epsilon === undefined ? {} : { epsilon }), groupsPerUnit: 1n, rowsPerGroup: 1n },
  }
}

function specOf(
  { target }: SyntheticQuestion,
  columns: readonly SyntheticColumn[],
  rules: readonly WrittenRule[],
): SyntheticSpec {
  const place = columns.findIndex(({ name }) => name === target)
  if (target !== undefined && place < 0)
    return fail("synthetic/what", { what: `there is no column ${target}` })
  return {
    attributes: columns.map(attributeOf),
    rules: rules.map((rule) => ruleOf(rule, columns)),
    target: place < 0 ? undefined : place,
    seed: "",
  }
}

// By the SQL itself: who has no row, or one, has no values in it.
function rulesOfRows({ rows }: RecordSql): readonly WrittenRule[] {
  if (rows === undefined) return []
  return rows.columns.flatMap(({ first, second }) => [
    readRule(`${rows.count} < 1 => ${first} is missing`),
    readRule(`${rows.count} < 2 => ${second} is missing`),
  ])
}

// With one column the rounds are the column and the check.
function exampleShare(count: number): number {
  const { columns = 1, check = 0 } = roundShares
  return count > 1 ? columns / count : columns / (columns + check)
}

const unitsShown = [1000, 10_000, 100_000]

function expectedQuality(columns: readonly SyntheticColumn[], example: VerifiedPlan): ExpectedQuality {
  const count = columns.length
  const pairs = (count * (count - 1)) / 2
  const [measurement] = example.releases[0]?.measurements ?? []
  const spec = measurement === undefined ? undefined : specOfMeasurement(measurement)
  const ofColumns = exampleShare(count)
  // Noise of a table that has the whole loss; each has its share of it.
  const variance = spec?.kind === "gaussian" ? numberNear(spec.variance) * ofColumns : 0
  const deviation = (share: number): number => Math.sqrt(variance / share)
  const column = deviation(ofColumns)
  const cells = columns.reduce((sum, one) => sum + codeCount(one), 0) / count
  return {
    column,
    roughPair: deviation((roundShares["rough pairs"] ?? 1) / Math.max(1, pairs)),
    closePair: deviation((roundShares["close pairs"] ?? 1) / count),
    pairs,
    misplaced: unitsShown.map((units) => ({
      units,
      share: Math.min(1, (cells * column * Math.sqrt(2 / Math.PI)) / (2 * units)),
    })),
  }
}
