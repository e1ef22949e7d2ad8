// How a fit moves: clip, step, penalty and momentum, from public numbers and the first look alone. They were
// chosen once, on generated and public data, and work untuned.

import { steepest } from "./families.ts"
import type { FirstLook } from "./first-look.ts"
import type { Family } from "./shape.ts"

/** The settings of a fit. */
export interface Schedule {
  /** The length to which a unit's gradient is clipped. */
  readonly clip: number
  /** How far a round moves along the mean gradient. */
  readonly step: number
  readonly momentum: number
  /** What is added to the mean loss: half of it times the squared length of the coefficients. */
  readonly penalty: number
  readonly rounds: number
}

/** Settings for so many rounds whose noise loses `muSquared` together. */
export function scheduleOf(options: {
  readonly family: Family
  readonly look: FirstLook
  readonly rowsPerUnit: number
  readonly rounds: number
  /** How many numbers are fitted. */
  readonly numbers: number
  readonly muSquared: number
}): Schedule {
  const { family, look, rounds, rowsPerUnit, muSquared } = options
  const mu = Math.sqrt(muSquared)
  // How large noise is beside what chance does to a sample, if nothing were clipped.
  const noisiness = Math.sqrt(options.numbers) / (Math.sqrt(look.rows) * mu)
  const tight = Math.min(1, Math.max(0, Math.log(noisiness / 0.2) / Math.log(10)))
  const clip =
    (knobs.loose + (knobs.clip - knobs.loose) * tight) *
    residualOf(family, look) *
    Math.sqrt(look.meanSquare * rowsPerUnit)
  const steep = steepest(family, look.meanTarget)
  // The noise of the mean gradient, in each number, if all rounds were one, beside a likely coefficient.
  const penalty = (knobs.penalty * clip) / (look.rows * mu * (family === "linear" ? look.targetDeviation : 1))
  return { clip, penalty, rounds, momentum: 0.9, step: knobs.step / (steep * look.meanSquare + penalty) }
}

/** How far targets are from their means, usually. */
function residualOf(family: Family, look: FirstLook): number {
  if (family === "linear") return look.targetDeviation
  if (family === "poisson") return Math.sqrt(Math.max(look.meanTarget, 0.05))
  return family === "multinomial" ? 0.7 : 0.5
}

/** Chosen on generated data and on the census data of Adult and ACS, which are public. */
const knobs = { clip: 0.6, loose: 2.5, penalty: 3, step: 2 }
