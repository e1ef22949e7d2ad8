// Synthetic rows beside columns alone and a tree of pairs, at the same loss: how far tables of two columns
// are from the data, and how well a model that is trained on the rows tells real people who were held back.

import { tableOfRows, type CodedRows } from "@dosimeter/ml/synthetic/sample-rows"
import { formatTable } from "../table.ts"
import { aucOf } from "./auc.ts"
import { adult, madeUp, rowsOf, type CodedData } from "./coded-data.ts"
import { makeRows, methods } from "./methods.ts"

/** How the suite runs. */
export interface SyntheticOptions {
  readonly quick: boolean
  readonly runs?: number
  /** A folder with real data. */
  readonly data?: string
  readonly epsilon?: string
}

const epsilons = ["0.1", "0.5", "1", "3"]

/** Runs the suite. */
export async function benchSynthetic(options: SyntheticOptions): Promise<Readonly<Record<string, number>>> {
  const { quick, runs = quick ? 1 : 3, data, epsilon } = options
  const real = data === undefined ? undefined : await adult(data)
  const sets = [madeUp(20_000, "bench"), ...(real === undefined ? [] : [real])]
  const found: Record<string, number> = {}
  for (const set of sets) {
    const rows = Array.from({ length: set.columns[0]?.length ?? 0 }, (_, row) => row)
    const train = rowsOf(
      set,
      rows.filter((row) => row % 5 !== 0),
    )
    const test = rowsOf(
      set,
      rows.filter((row) => row % 5 === 0),
    )
    console.log(`\n${set.name}, ${set.attributes.length} columns, delta 1e-6, ${runs} runs`)
    console.log(`a model of the real rows: AUC ${aucOf(train, test).toFixed(3)}\n`)
    const lines: string[][] = []
    for (const one of epsilon === undefined ? epsilons : [epsilon]) {
      for (const method of methods) {
        const each = Array.from({ length: runs }, (_, run) => {
          const started = performance.now()
          const made = makeRows(train, method, { epsilon: one, delta: "1e-6", seed: `${run}` })
          const seconds = (performance.now() - started) / 1000
          return {
            pairs: differenceOfPairs(train, made),
            auc: aucOf({ ...train, columns: made }, test),
            seconds,
          }
        })
        const mean = (of: "pairs" | "auc" | "seconds"): number =>
          each.reduce((sum, run) => sum + run[of], 0) / runs
        lines.push([
          one,
          method.name,
          `${(100 * mean("pairs")).toFixed(1)} %`,
          mean("auc").toFixed(3),
          mean("seconds").toFixed(1),
        ])
        found[`${set.name} ${one} ${method.name} pairs`] = mean("pairs")
        found[`${set.name} ${one} ${method.name} AUC`] = mean("auc")
      }
    }
    console.log(formatTable([["epsilon", "method", "pairs off by", "AUC", "seconds"], ...lines]))
  }
  return found
}

// Half of the sum of absolute differences, as shares, averaged over all pairs of columns.
function differenceOfPairs(data: CodedData, made: CodedRows): number {
  const sizes = data.attributes.map(({ size }) => size)
  const [all, own] = [data.columns[0]?.length ?? 1, made[0]?.length ?? 1]
  let [sum, pairs] = [0, 0]
  for (const first of sizes.keys()) {
    for (let second = first + 1; second < sizes.length; second += 1) {
      const exact = tableOfRows(data.columns, sizes, [first, second])
      const table = tableOfRows(made, sizes, [first, second])
      for (const [cell, count] of exact.entries()) sum += Math.abs(count / all - (table[cell] ?? 0) / own) / 2
      pairs += 1
    }
  }
  return sum / pairs
}
