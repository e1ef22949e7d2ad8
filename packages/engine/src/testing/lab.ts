// Questions asked through the engine, again and again: compiled and proven as any question, read once, and
// released as often as wanted. Only a ledger in memory is charged, so nothing here may ever be shown to
// anybody.

import {
  DosimeterError,
  budgetFor,
  exactly,
  systemBits,
  type Accounting,
  type RandomBits,
} from "@dosimeter/core"
import { compile } from "@dosimeter/planner/compile"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import type { Table } from "@dosimeter/answers/cells/table"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { verify, type VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Backend } from "../dataset/backend.ts"
import { openDuckDB, type OpenDuckDB } from "../dataset/duckdb/open-duckdb.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerOf, answerValue } from "../answer/answer.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { noisyTables, postProcessTables, readPublic } from "../answer/post-process.ts"
import { releaseTables } from "../release/release.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { againAndAgain, readPaid } from "./read-paid.ts"

/** What may be lost, and how many groups of a unit count. */
export interface Terms {
  readonly epsilon: string
  readonly delta: string
  readonly accounting: Accounting
  readonly groups: number
  /** How many rows of a unit count in a group; one if it is left out. */
  readonly rows?: number
  /** Whether quantiles have intervals, which half of their loss is for. Peers give none. */
  readonly quantileIntervals: boolean
  /** Whether numbers are shown from 0 on, or as they were measured; as the policy says if absent. */
  readonly nonNegative?: boolean
}

/** Benchmarks have no limit of time. */
const aDay = 86_400_000

/** A value of a released cell. */
export type Value = string | number | boolean | null

/** A question that can be answered any number of times. */
export interface Question {
  readonly plan: VerifiedPlan
  /** A fresh answer: the values of each row. */
  release(): readonly (readonly Value[])[]
  /** A fresh answer as it would leave, with its intervals. */
  answer(): AnswerTable
}

/** A dataset that can be asked without a ledger. */
export class Lab {
  readonly #dataset: Dataset
  readonly #backend: Backend
  readonly #plain: OpenDuckDB
  readonly #grammar: Grammar
  readonly #rng: RandomBits
  readonly #exact = new Map<string, ReturnType<Backend["run"]>>()

  private constructor(dataset: Dataset, plain: OpenDuckDB, grammar: Grammar, rng: RandomBits) {
    this.#dataset = dataset
    this.#plain = plain
    this.#rng = rng
    this.#backend = dataset.backend
    this.#grammar = grammar
  }

  /** Opens the dataset of a policy. */
  static async open(policy: string, folder: string, rng: RandomBits = systemBits()): Promise<Lab> {
    const dataset = await openDataset({ policy, folder, prepare: "never", timeoutMs: aDay })
    const { source } = dataset.policy
    if (source.kind === "postgres" || source.kind === "trino") throw new Error("a lab is over files")
    const plain = await openDuckDB(source, folder)
    return new Lab(dataset, plain, await loadGrammar(), rng)
  }

  /**
   * A question under some terms, or the code with which it is refused. `change` may add to the plan what
   * earlier releases would tell.
   */
  async ask(
    sql: string,
    terms: Terms,
    change: (plan: ReleasePlan) => ReleasePlan = (plan) => plan,
  ): Promise<Question | string> {
    const compiled = this.#compile(sql, terms)
    if (typeof compiled === "string") return compiled
    const plan = verify(change(compiled), this.#dataset.policy.catalog)
    const from = { backend: this.#cached(), version: this.#dataset.version }
    const exact = againAndAgain(await readPaid(plan, from))
    const publicRows = await readPublic(plan, this.#backend)
    const table = (): Table => {
      const noisy = exact().map((tables) => releaseTables(tables, this.#rng))
      return postProcessTables(plan, noisyTables(plan, noisy, new DrawNumbers()), publicRows)
    }
    return {
      plan,
      release: () => table().rows.map((row) => row.map(({ value }) => answerValue(value))),
      answer: () => answerOf(table(), plan),
    }
  }

  /** What the database itself says, without any protection. */
  async truth(sql: string): Promise<readonly (readonly Value[])[]> {
    const connection = await this.#plain.connect()
    const rows = await connection.runAndReadAll(sql)
    connection.closeSync()
    return rows.getRows().map((row) => row.map(plainValue))
  }

  async close(): Promise<void> {
    this.#plain.close()
    await this.#backend.close()
  }

  #compile(
    sql: string,
    { epsilon, delta, accounting, groups, rows = 1, quantileIntervals, nonNegative }: Terms,
  ): VerifiedPlan | string {
    const { catalog, terms } = this.#dataset.policy
    const budget = budgetFor({ epsilon: 1000, delta: "0.001", accounting })
    const question = { ...terms.question, delta: exactly(delta, "delta") }
    const ask = {
      epsilon: exactly(epsilon, "epsilon"),
      groupsPerUnit: BigInt(groups),
      rowsPerGroup: BigInt(rows),
      quantileIntervals,
      ...(nonNegative === undefined ? {} : { nonNegative }),
    }
    try {
      return compile(sql, { grammar: this.#grammar, catalog, terms: { ...terms, budget, question }, ask })
        .plan
    } catch (error) {
      if (error instanceof DosimeterError) return error.code
      throw error
    }
  }

  // What is read depends on the printed extracts alone: other terms often read the same.
  #cached(): Backend {
    return {
      ...this.#backend,
      run: (query, options) => {
        const key = JSON.stringify(query.sql, (_, value: unknown) =>
          typeof value === "bigint" ? `${value}` : value,
        )
        const exact = this.#exact.get(key) ?? this.#backend.run(query, options)
        this.#exact.set(key, exact)
        return exact
      },
    }
  }
}

function plainValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  return Number(value)
}
