// Runs an encoder on every sequence of draws, so that the law of its reports is known exactly. No drawing, so
// no false alarm: a wrong ratio of probabilities is a difference of two fractions.

import { add, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { whole, type Draws } from "../local/draws.ts"

interface Choice {
  readonly ways: number
  /** How likely each way is. */
  readonly chance: (way: number) => Rational
  readonly way: number
}

/** The law of what `run` returns, as text, over all draws that it makes. */
export function lawOf(run: (draws: Draws) => string): ReadonlyMap<string, Rational> {
  const law = new Map<string, Rational>()
  const path: Choice[] = []
  do {
    let used = 0
    let chance = one
    const take = (ways: number, chanceOf: (way: number) => Rational): number => {
      const choice = path[used] ?? { ways, chance: chanceOf, way: 0 }
      path[used] = choice
      used += 1
      chance = multiply(chance, choice.chance(choice.way))
      return choice.way
    }
    const outcome = run({
      coin: (threshold) => {
        const heads = rational(BigInt(threshold), BigInt(whole))
        return take(2, (way) => (way === 1 ? heads : subtract(one, heads)))
      },
      below: (n) => take(n, () => rational(1n, BigInt(n))),
    })
    path.length = used
    if (chance.numerator > 0n) law.set(outcome, add(law.get(outcome) ?? rational(0n), chance))
  } while (advance(path))
  return law
}

/** The largest ratio of the probabilities of one outcome under two laws; undefined if it has no end. */
export function largestRatio(laws: readonly ReadonlyMap<string, Rational>[]): Rational | undefined {
  let largest = one
  const outcomes = new Set(laws.flatMap((law) => [...law.keys()]))
  for (const outcome of outcomes) {
    const chances = laws.map((law) => law.get(outcome))
    for (const a of chances) {
      for (const b of chances) {
        if (a === undefined || b === undefined) return undefined
        const ratio = rational(a.numerator * b.denominator, a.denominator * b.numerator)
        if (ratio.numerator * largest.denominator > largest.numerator * ratio.denominator) largest = ratio
      }
    }
  }
  return largest
}

function advance(path: Choice[]): boolean {
  for (;;) {
    const last = path.pop()
    if (last === undefined) return false
    if (last.way + 1 < last.ways) {
      path.push({ ...last, way: last.way + 1 })
      return true
    }
  }
}
