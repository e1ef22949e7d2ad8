// The two tables that serve every scale: the cell number of a scaled exponential and of a scaled normal.

import { rational } from "../exact/rational.ts"
import { geometricOracle, halfBellOracle } from "./cdf-oracles.ts"
import { LazyTable } from "./lazy-table.ts"

let exponentialCells: LazyTable | undefined
let normalCells: LazyTable | undefined

/** P(h) proportional to e^(-h/64): floor(64 E) for a standard exponential E. */
export function exponentialTable(): LazyTable {
  exponentialCells ??= new LazyTable(geometricOracle(rational(1n, 64n)))
  return exponentialCells
}

/** P(h) proportional to e^(-(h/64)^2 / 2): the proposal for floor(64 |Z|), Z standard normal. */
export function normalTable(): LazyTable {
  normalCells ??= new LazyTable(halfBellOracle(rational(1n, 8192n)))
  return normalCells
}
