// What was measured for synthetic rows, as the ledger keeps it: so that more rows cost nothing.

import { roundNames, type RoundName } from "@dosimeter/ml/synthetic/rounds"
import {
  canonicalJson,
  fieldOf,
  listField,
  parseJson,
  textField,
  Unreadable,
  wordField,
} from "../ledger/entries/canonical.ts"
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
  const plain = rounds.map(({ name, tables }) => ({
    name,
    tables: tables.map(({ counts, variance }) => ({ counts: [...counts], variance })),
  }))
  return canonicalJson({ format, rounds: plain })
}

/** The rounds of a text; undefined where it is none of ours. */
export function readRounds(text: string): readonly MeasuredRound[] | undefined {
  try {
    const found = parseJson(text)
    if (textField(found, "format") !== format) return undefined
    return listField(found, "rounds", (round) => ({
      name: wordField(round, "name", roundNames),
      tables: listField(round, "tables", (table) => ({
        counts: Float64Array.from(listField(table, "counts", numberOf)),
        variance: numberOf(fieldOf(table, "variance")),
      })),
    }))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

function numberOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Unreadable("has no number")
  return value
}
