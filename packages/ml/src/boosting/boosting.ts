// What an explainable model is asked for, and what it will measure: counts of people in cells, counts in
// pairs of bins where interactions are wanted, and then sums of residuals, one feature after the other.

import { divide, rational, subtract, type Rational } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import { checkFeatures, checkTarget, type ColumnSpec } from "../columns/columns.ts"
import { fail } from "../errors.ts"
import type { Round } from "../rounds/learner.ts"
import {
  countedOnce,
  muSquaredOf,
  roundSpec,
  shareOf,
  signedLength,
  type TrainingBudget,
} from "../rounds/round-spec.ts"

/** What is asked for; all that is left out has a public default. */
export interface BoostingOptions {
  readonly features: readonly ColumnSpec[]
  /** Two classes, or numbers in a range. */
  readonly target: ColumnSpec
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
  /** Pairs of features whose joint effect is fitted too. */
  readonly pairs?: readonly (readonly [string, string])[]
  /** Features whose shape may not fall, or not rise. */
  readonly monotone?: Readonly<Record<string, "rising" | "falling">>
  readonly epochs?: number
  readonly bins?: number
}

/** A model to be trained: everything that is public about it. */
export interface Boosting {
  readonly features: readonly ColumnSpec[]
  readonly target: ColumnSpec
  /** Places of features: one for a shape, two for an interaction. */
  readonly terms: readonly (readonly number[])[]
  readonly directions: readonly ("rising" | "falling" | undefined)[]
  readonly epochs: number
  readonly bins: number
  readonly rounds: readonly Round[]
  /** What a residual counts at most, and how much a residual changes with the score, about. */
  readonly clip: number
  readonly curvature: number
}

/** A residual that counts in full is so many steps of the grid. */
export const errorBound = 2 ** 16
/** Bins of one side of an interaction. */
export const pairBins = 8
/** How much of the loss finds the bins, in percent. */
export const binPercent = 10

/** Checks what is asked and lays out all rounds. Nothing is read. */
export function boosting(options: BoostingOptions): Boosting {
  const { features, target, pairs = [], monotone = {}, epochs = 10, bins = 32, neighbours } = options
  checkFeatures(features)
  checkTarget(target)
  if (target.kind === "category" && target.categories > 2)
    fail("model/two-classes", { name: target.name, got: `${target.categories}` })
  checkWhole(epochs, { name: "epochs", most: 1000 })
  checkWhole(bins, { name: "bins", most: 128 })
  const placeOf = (name: string): number => {
    const place = features.findIndex((feature) => feature.name === name)
    return place >= 0 ? place : fail("model/no-such-feature", { name })
  }
  const terms = [...features.map((_, place) => [place]), ...pairs.map((pair) => pair.map(placeOf))]
  for (const term of terms) checkPair(term.flatMap((place) => features.slice(place, place + 1)))
  for (const name of Object.keys(monotone)) placeOf(name)
  const isClass = target.kind === "category"
  return {
    features,
    target,
    terms,
    directions: features.map(({ name }) => monotone[name]),
    epochs,
    bins,
    rounds: roundsOf({ terms, epochs, neighbours, muSquared: muSquaredOf(options.budget) }),
    clip: isClass ? 0.6 : 0.3,
    curvature: isClass ? 0.15 : 1,
  }
}

/** Refuses an interaction of a feature with itself, and one of more places than fit 16 bits. */
function checkPair([own, other]: readonly ColumnSpec[]): void {
  if (own === undefined || other === undefined) return
  if (own === other) fail("model/same-name", { name: own.name })
  const placesOf = (side: ColumnSpec): number => 1 + (side.kind === "category" ? side.categories : pairBins)
  const places = placesOf(own) * placesOf(other)
  if (places > 2 ** 16)
    fail("model/bad-setting", {
      name: `the number of places of ${own.name} and ${other.name}`,
      got: `${places}`,
      range: `at most ${2 ** 16}`,
    })
}

interface Layout {
  readonly terms: Boosting["terms"]
  readonly epochs: number
  readonly neighbours: Neighbours
  readonly muSquared: Rational
}

/** Counts take their share of the loss; every sum of residuals has the same part of the rest. */
function roundsOf({ terms, epochs, neighbours, muSquared }: Layout): readonly Round[] {
  const pairs = terms.filter((term) => term.length === 2).length
  const forCounts = shareOf(muSquared, binPercent)
  const countsOf = (name: string, tables: number): Round => ({
    name,
    spec: roundSpec(countedOnce(tables, neighbours), forCounts),
  })
  const counts = [
    countsOf("people in cells", terms.length - pairs),
    ...(pairs === 0 ? [] : [countsOf("people in pairs of bins", pairs)]),
  ]
  const rest = subtract(muSquared, shareOf(muSquared, binPercent * counts.length))
  const many = epochs * terms.length
  const spec = roundSpec(signedLength(errorBound, neighbours), divide(rest, rational(BigInt(many))))
  return [...counts, ...Array.from({ length: many }, () => ({ name: "residuals", spec }))]
}

/** How many rounds come before the residuals. */
export function firstSums({ terms }: Pick<Boosting, "terms">): number {
  return terms.some((term) => term.length === 2) ? 2 : 1
}

function checkWhole(value: number, { name, most }: { readonly name: string; readonly most: number }): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    fail("model/bad-setting", { name, got: `${value}`, range: `a whole number from 1 to ${most}` })
}
