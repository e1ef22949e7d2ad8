// What was measured for synthetic rows, as the ledger keeps it: so that more rows cost nothing.

import { roundNames, type RoundName } from "@dosimeter/ml/synthetic/rounds"
import type { Question } from "../ledger/ledger.ts"

/** The noisy tables of a round, in the order of its requests. */
export interface MeasuredRound {
  readonly name: RoundName
  readonly tables: readonly { readonly counts: Float64Array; readonly variance: number }[]
}

const format = "dosimeter-synthetic-rounds/1"

/** What the rounds of a question are found by. */
export function roundsSubject({ planHash, dataVersion }: Question): string {
  return `synthetic ${planHash} ${dataVersion}`
}

/** The text of some rounds. */
export function writeRounds(rounds: readonly MeasuredRound[]): string {
  return JSON.stringify({
    format,
    rounds: rounds.map(({ name, tables }) => ({
      name,
      tables: tables.map(({ counts, variance }) => ({ counts: [...counts], variance })),
    })),
  })
}

/** The rounds of a text; undefined where it is none of ours. */
export function readRounds(text: string): readonly MeasuredRound[] | undefined {
  const found: unknown = JSON.parse(text)
  if (!isObject(found) || found["format"] !== format || !Array.isArray(found["rounds"])) return undefined
  const rounds = found["rounds"].map(readRound)
  return rounds.every((round) => round !== undefined) ? rounds : undefined
}

function readRound(found: unknown): MeasuredRound | undefined {
  if (!isObject(found) || !Array.isArray(found["tables"])) return undefined
  const name = roundNames.find((one) => one === found["name"])
  const tables = found["tables"].map((table: unknown) => {
    if (!isObject(table) || !Array.isArray(table["counts"])) return undefined
    const variance = table["variance"]
    const counts = Float64Array.from(table["counts"], Number)
    return typeof variance === "number" && variance > 0 && counts.every(Number.isFinite)
      ? { counts, variance }
      : undefined
  })
  return name !== undefined && tables.every((table) => table !== undefined) ? { name, tables } : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
