// The whole error of answers about skewed people, bias of bounding and noise together, for every kind of
// question under one accounting: what each way of bounding reaches at its best bound, knowing the truth; what
// the product's ladder chooses; and what the product gives.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { systemBits } from "@dosimeter/core"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatTable, short } from "../../table.ts"
import { bestClamp, bestCut, type RowKind } from "./cut-errors.ts"
import { decileErrors, ranksOf, type Ranks } from "./decile-errors.ts"
import { engineError, openEngine, questions, settings, type QuestionName } from "./engine-errors.ts"
import { ladderError, meanLadderError } from "./ladder-error.ts"
import { noiseOf, normOf, type Accounting } from "./loss.ts"
import { meanErrors, scaledMeans } from "./mean-errors.ts"
import { bestBound, numbers, scaledErrors, vectorKinds } from "./scaled-errors.ts"
import { makeEvents, mostAmount, profiles, skews, type SkewedTable } from "./skewed-people.ts"

/** What is measured. */
export interface WholeOptions {
  readonly accounting: Accounting
  readonly quick: boolean
  /** Only tables whose names begin so, such as "zipf 0.6, own". */
  readonly name: string
  readonly json: boolean
}

/** A line: the error by way of bounding. Deciles are in per cent of ranks, amounts in cents. */
export interface WholeLine {
  readonly table: string
  readonly rows: number
  readonly question: QuestionName
  readonly errors: Readonly<Record<string, number | string>>
}

const rowKinds = {
  "events by code": { groups: 1000, key: "code", value: "1", most: 1 },
  "people by code": { groups: 1000, key: "code", value: "1", most: 1, once: true },
  "sum by month": { groups: 12, key: "month", value: "amount", most: mostAmount },
} as const satisfies Readonly<Record<string, RowKind>>

/** Each table and question has so many ladders with fresh noise. */
const ladders = { runs: 8, aim: "least-error", bits: systemBits() } as const
/** The rows of a person in a ward that count in averages, where nothing is said. */
const usualRows = 5
const kinds = [vectorKinds.codes, vectorKinds.people, vectorKinds.months] as const

/** The ways of bounding, in the order of the table's columns. */
const ways = ["groups x rows", "clamped", "scaled", "ladder", "default", "least error", "auto"] as const

/** Runs it, table by table; returns the product's error through that of the best bound of the best way. */
export async function benchWhole(options: WholeOptions): Promise<Readonly<Record<string, number>>> {
  const sizes = options.quick ? [100_000] : [100_000, 1_000_000]
  const tables = sizes
    .flatMap((rows) => skews.flatMap((skew) => profiles.map((profile) => ({ skew, profile, rows }))))
    .filter((table) => nameOf(table).startsWith(options.name))
  const lines: WholeLine[] = []
  for (const table of tables) {
    const found = await wholeLines(table, options.accounting)
    lines.push(...found)
    if (!options.json) console.log(`${showWhole(found, options.accounting)}\n`)
  }
  if (options.json) console.log(JSON.stringify(lines, undefined, 1))
  return Object.fromEntries(
    lines.flatMap(({ table, rows, question, errors }) =>
      settings.flatMap((setting) => {
        const ratio = Number(errors[setting]) / Number(errors["scaled"])
        return Number.isFinite(ratio) ? [[`${question}, ${table}, ${rows} rows, ${setting}`, ratio]] : []
      }),
    ),
  )
}

function nameOf({ skew, profile }: SkewedTable): string {
  return `${skew}, ${profile}`
}

/** All questions about one table. */
export async function wholeLines(table: SkewedTable, accounting: Accounting): Promise<readonly WholeLine[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-whole-"))
  try {
    const instance = await DuckDBInstance.create(join(folder, "skewed.duckdb"))
    const connection = await instance.connect()
    await makeEvents(connection, table)
    const calculated = await calculatedErrors(connection, accounting)
    const ranks = await ranksOf(connection)
    const truths = await truthsOf(connection)
    connection.closeSync()
    instance.closeSync()
    const measured = await measuredErrors(folder, accounting, { ranks, truths, runs: 1 })
    return questionNames.map((question) => ({
      table: nameOf(table),
      rows: table.rows,
      question,
      errors: inPercent(question, { ...calculated[question], ...measured[question] }),
    }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const questionNames = ["events by code", "people by code", "sum by month", "mean by ward", "deciles"] as const

type Errors = Readonly<Record<string, number | string>>
type ByQuestion = Readonly<Record<QuestionName, Errors>>

function inPercent(question: QuestionName, errors: Errors): Errors {
  if (question !== "deciles") return errors
  return Object.fromEntries(
    Object.entries(errors).map(([way, error]) => [way, typeof error === "number" ? 100 * error : error]),
  )
}

/** The errors by calculation: bias on this table, noise by formula. */
async function calculatedErrors(connection: DuckDBConnection, accounting: Accounting): Promise<ByQuestion> {
  const [norm, noise] = [normOf(accounting), noiseOf(accounting)]
  const additive: Record<string, Errors> = {}
  for (const kind of kinds) {
    const errors = await scaledErrors(connection, kind, norm)
    additive[kind.name] = {
      "groups x rows": (await bestCut(connection, rowKinds[kind.name], { norm, noise })).error,
      clamped: (await bestClamp(connection, kind, { norm, noise })).error,
      scaled: bestBound(errors, noise).error,
      ladder: ladderError(errors, kind.entries, accounting, ladders),
    }
  }
  const means = await meanErrors(connection, { norm, noise })
  const ranks = await ranksOf(connection)
  const quantiles = await decileErrors(connection, accounting, ranks)
  return {
    "events by code": additive["events by code"] ?? {},
    "people by code": additive["people by code"] ?? {},
    "sum by month": additive["sum by month"] ?? {},
    "mean by ward": {
      "groups x rows": means.cut,
      scaled: means.scaled,
      ladder: meanLadderError(await scaledMeans(connection, { norm, clamp: usualRows }), accounting, ladders),
    },
    deciles: { "groups x rows": quantiles.cut, scaled: quantiles.weighted },
  }
}

interface Truth {
  readonly ranks: Ranks
  readonly truths: Readonly<Record<QuestionName, readonly number[]>>
  readonly runs: number
}

async function measuredErrors(folder: string, accounting: Accounting, truth: Truth): Promise<ByQuestion> {
  const found: Record<QuestionName, Record<string, number | string>> = {
    "events by code": {},
    "people by code": {},
    "sum by month": {},
    "mean by ward": {},
    deciles: {},
  }
  for (const setting of settings) {
    const audit = await openEngine(folder, "skewed.duckdb", { accounting, setting })
    for (const name of questionNames) {
      const known = { values: truth.truths[name], ranks: truth.ranks, runs: truth.runs }
      found[name][setting] = await engineError(audit, name, known)
    }
    await audit.close()
  }
  return found
}

/** What the database itself says, by group. */
async function truthsOf(connection: DuckDBConnection): Promise<Truth["truths"]> {
  const valuesOf = async (name: QuestionName): Promise<readonly number[]> => {
    const values: number[] = []
    for (const [key = 0, value = 0] of await numbers(connection, questions[name])) values[key] = value
    return Array.from(values, (value) => value)
  }
  return {
    "events by code": await valuesOf("events by code"),
    "people by code": await valuesOf("people by code"),
    "sum by month": await valuesOf("sum by month"),
    "mean by ward": await valuesOf("mean by ward"),
    deciles: [],
  }
}

function showWhole(lines: readonly WholeLine[], accounting: Accounting): string {
  const [first] = lines
  const head = [`${first?.table ?? ""}, ${first?.rows ?? 0} rows, ${accounting}`, ...ways]
  const rows = lines.map(({ question, errors }) => [
    question,
    ...ways.map((way) => {
      const error = errors[way]
      return typeof error === "string"
        ? error
        : error !== undefined && error < 0.1
          ? error.toPrecision(2)
          : short(error)
    }),
  ])
  return formatTable([head, ...rows])
}
