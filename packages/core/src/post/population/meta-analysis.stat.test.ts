// How often the intervals of a meta-analysis hold the effect, over many studies with noise from the real
// sampler: as stated where sites estimate the same, and what the guide to federations says where they differ.

import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { fillRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "../../testing/index.ts"
import { normalWidth } from "../noise/half-width.ts"
import { metaAnalysis } from "./meta-analysis.ts"
import { studentWidth } from "./student-t.ts"

const trials = 20_000
const alpha = 1e-9
const confidence = 0.95
const seed = freshSeed()
const rng = seededBits(seed)
/** The variance of a precise site's error, half of it chance and half noise: wide against a step. */
const own = 2_000_000

function drawn(variance: number): Float64Array {
  const out = new Float64Array(trials)
  if (variance > 0) fillRoundedGaussian(out, exactly(variance, "variance"), rng)
  return out
}

type Kind = "fixed" | "random" | "hartungKnapp"
type Range = readonly [least: number, most: number]

interface Study {
  readonly name: string
  /** How many times the variance of a precise site each site has. */
  readonly sites: readonly number[]
  /** The variance between sites, in the same unit. */
  readonly between: number
  /** Between what the chance lies that an interval holds. */
  readonly holds: Readonly<Record<Kind, Range>>
}

/** Normal estimates with known variances: this is exact. */
const stated: Range = [confidence, confidence]

const studies: readonly Study[] = [
  {
    name: "three sites that estimate the same",
    sites: [1, 1, 1],
    between: 0,
    holds: { fixed: stated, random: [0.95, 0.97], hartungKnapp: stated },
  },
  {
    name: "five sites that estimate the same, some ten times as precise as others",
    sites: [1, 2, 4, 7, 10],
    between: 0,
    holds: { fixed: stated, random: [0.95, 0.97], hartungKnapp: [0.945, 0.955] },
  },
  {
    // The error of a mean of equal sites has (1 + 4) times the variance that the fixed effect counts on: it
    // holds with P(|Z| < 1.96 / sqrt(5)). Student's interval is exact, since all weights are the same.
    name: "three sites that differ by twice their own errors",
    sites: [1, 1, 1],
    between: 4,
    holds: { fixed: [0.618, 0.62], random: [0.83, 0.86], hartungKnapp: stated },
  },
  {
    name: "ten sites that differ by twice their own errors",
    sites: Array<number>(10).fill(1),
    between: 4,
    holds: { fixed: [0.618, 0.62], random: [0.91, 0.93], hartungKnapp: stated },
  },
  {
    name: "three sites that differ, some ten times as precise as others",
    sites: [1, 3, 10],
    between: 4,
    holds: { fixed: [0.64, 0.69], random: [0.83, 0.87], hartungKnapp: [0.91, 0.94] },
  },
]

/** A false alarm has chance alpha: each end takes half of it. */
function check(name: string, covered: number, [least, most]: Range): void {
  spendAlpha(alpha)
  const bounds = clopperPearson({ successes: covered, trials, alpha: alpha / 2 })
  expect(bounds.upper, `${name} holds too rarely, SEED=${seed}`).toBeGreaterThanOrEqual(least)
  expect(bounds.lower, `${name} holds too often, SEED=${seed}`).toBeLessThanOrEqual(most)
}

test.each(studies.map((study) => [study.name, study] as const))("of %s", (_, { sites, between, holds }) => {
  const parts = sites.map((times) => ({
    variance: (times * own) / 2,
    errors: [drawn((times * own) / 2), drawn((times * own) / 2), drawn(between * own)],
  }))
  const covered = { fixed: 0, random: 0, hartungKnapp: 0 }
  const width = normalWidth(1 - confidence)
  for (let trial = 0; trial < trials; trial += 1) {
    const found = metaAnalysis(
      parts.map(({ variance, errors }) => ({
        value: errors.reduce((sum, error) => sum + (error[trial] ?? 0), 0),
        sampling: variance,
        noise: variance,
      })),
    )
    const { fixed, random, hartungKnapp, degrees } = found
    const isIn = (value: number, reach: number): number => Number(Math.abs(value) <= reach)
    covered.fixed += isIn(fixed.value, width * fixed.standardError)
    covered.random += isIn(random.value, width * random.standardError)
    covered.hartungKnapp += isIn(random.value, studentWidth(confidence, degrees) * hartungKnapp)
  }
  check("fixed effect", covered.fixed, holds.fixed)
  check("random effects", covered.random, holds.random)
  check("Hartung-Knapp", covered.hartungKnapp, holds.hartungKnapp)
})

test("noise that is not counted would be noticed: it is half of the variance here", () => {
  // P(|Z| < 1.96 / sqrt(2)) = 0.834; a tenth less variance, 0.937, would be noticed, too.
  for (const wrong of [0.834, 0.937]) {
    const seen = clopperPearson({ successes: Math.round(wrong * trials), trials, alpha: alpha / 2 })
    expect(seen.upper).toBeLessThan(confidence)
  }
})
