// What a condition may be in a row of which only some values are known: true, false or NULL, and more than
// one of them where that depends on what is not known.

import type { FunctionName } from "@dosimeter/proof/functions/function-name"

/** True, false, or undefined for NULL. */
export type Truth = boolean | undefined

/** The truths that a condition may have; none where there is no such row. */
export type Truths = ReadonlySet<Truth>

/** Nothing is known. */
export const anyTruth: Truths = new Set<Truth>([true, false, undefined])

/** The truths of a call from those of its arguments; undefined for a function that is not of logic alone. */
export function truthsOfCall(name: FunctionName, args: readonly Truths[]): Truths | undefined {
  switch (name) {
    case "and":
      return allOf(args)
    case "or":
      return negated(allOf(args.map(negated)))
    case "not":
      return args[0] === undefined ? undefined : negated(args[0])
    case "is-true":
      return args[0] && new Set([...args[0]].map((truth) => truth === true))
    case "is-false":
      return args[0] && new Set([...args[0]].map((truth) => truth === false))
    default:
      return undefined
  }
}

function negated(truths: Truths): Truths {
  return new Set([...truths].map((truth) => (truth === undefined ? undefined : !truth)))
}

// True if all are; false if one is; NULL if one is and none is false.
function allOf(args: readonly Truths[]): Truths {
  const found = new Set<Truth>()
  if (args.some(({ size }) => size === 0)) return found
  if (args.every((truths) => truths.has(true))) found.add(true)
  if (args.some((truths) => truths.has(false))) found.add(false)
  const isNotFalse = args.every((truths) => truths.has(true) || truths.has(undefined))
  if (isNotFalse && args.some((truths) => truths.has(undefined))) found.add(undefined)
  return found
}
