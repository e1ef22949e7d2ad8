// The attacks on a table, as far as they are wanted and there is something to find out.

import type { RandomBits } from "@dosimeter/core"
import type { Cells } from "../measures/cells.ts"
import type { Ladder } from "../measures/ladders.ts"
import type { Attacks } from "../measures/risk-report.ts"
import { chooseFact } from "./choose-fact.ts"
import { runAttacks } from "./run-attacks.ts"

/** What is attacked, and how. */
export interface ToAttack {
  /** The table, as it stands in FROM. */
  readonly from: string
  readonly ladders: readonly Ladder[]
  readonly k: number
  readonly attacks?: boolean
  readonly fact?: { readonly column: string; readonly value: string }
  readonly epsilon?: number
  readonly targets?: number
  readonly rng?: RandomBits
}

/** What they reach; undefined where none is wanted, or all people have the same value. */
export async function attackCells(
  cells: Cells,
  { from, attacks = true, epsilon = 1, targets = 100, fact: wanted, ladders, k, rng }: ToAttack,
): Promise<Attacks | undefined> {
  if (!attacks || cells.columns.sensitive.length === 0) return undefined
  const fact = await chooseFact(cells, from, wanted)
  if (fact === undefined) return undefined
  const own = rng === undefined ? {} : { rng }
  return runAttacks(cells, { ladders, fact, k, epsilon, targetsMax: targets, ...own })
}
