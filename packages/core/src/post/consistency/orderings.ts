// Values that must respect an order other than their own: a chain through some of them, or any set of pairs
// "this one is not above that one".

import { allFinite, position, weightsOf } from "../estimates/check.ts"
import { fail } from "../../errors/errors.ts"
import { isotonic } from "./isotonic.ts"
import { leastSquares } from "./least-squares.ts"
import { at } from "../estimates/vector.ts"

/**
 * The nearest values that do not fall along a chain of positions. Positions not in the chain keep their
 * values.
 * Guarantee, bias and intervals: as isotonic.
 */
export function respectChain(
  values: readonly number[],
  { chain, weights }: { readonly chain: readonly number[]; readonly weights?: readonly number[] },
): number[] {
  allFinite(values, "value")
  const each = weightsOf(weights, values.length)
  chain.forEach((place) => position(place, { name: "a position of the chain", count: values.length }))
  if (new Set(chain).size !== chain.length) {
    fail("postprocess/infeasible", { what: "a chain that names a position twice" })
  }
  const fitted = isotonic(
    chain.map((place) => at(values, place)),
    { weights: chain.map((place) => at(each, place)) },
  )
  const result = [...values]
  for (const [index, place] of chain.entries()) result[place] = at(fitted, index)
  return result
}

/**
 * The nearest values with x[lower] <= x[upper] for every pair [lower, upper]. Pairs that close a circle make
 * their values equal.
 *
 * Guarantee, bias and intervals: as leastSquares, which does the work; for up to 1,000 values and 5,000
 * pairs.
 */
export function respectOrder(
  values: readonly number[],
  options: {
    readonly pairs: readonly (readonly [lower: number, upper: number])[]
    readonly weights?: readonly number[]
  },
): number[] {
  const count = values.length
  const atMost = options.pairs.map(([lower, upper]) => {
    position(lower, { name: "a pair's lower position", count })
    position(upper, { name: "a pair's upper position", count })
    const coefficients = values.map((_, place) => Number(place === lower) - Number(place === upper))
    return { coefficients, bound: 0, name: `the pair (${lower}, ${upper})` }
  })
  const weights = weightsOf(options.weights, count)
  return [...leastSquares({ values, weights, atMost }).values]
}
