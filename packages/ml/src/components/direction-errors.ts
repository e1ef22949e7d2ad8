// How far noise and chance move principal components, to first order: from what was released alone.

/** What was found, whole: all directions, not only those that are asked for. */
export interface FoundDirections {
  readonly means: Float64Array
  readonly values: Float64Array
  readonly vectors: Float64Array
  /** About how many people there are. */
  readonly people: number
  /** The deviation of the noise in a mean, and in a square. */
  readonly noise: number
  /** The same in the number of people, as a share of it. */
  readonly peopleNoise: number
}

/** An error, and the part of it that is noise: both standard deviations. */
export interface TwoErrors {
  readonly error: number
  readonly noise: number
}

/** The errors of the variance along a direction, and of each number of the direction. */
export interface DirectionErrors {
  readonly variance: TwoErrors
  readonly direction: readonly TwoErrors[]
}

/**
 * The errors of all directions. A direction moves towards another one by the change of the matrix between the
 * two over the difference of their variances; where that change is larger than the difference, the two are
 * not told apart, and the error is as large as directions are.
 *
 * Variances that are near each other are found further apart than they are, since the largest is the one that
 * noise and chance have helped. So differences are taken after that is put right, and errors of variances
 * grow by as much.
 */
export function errorsOf(found: FoundDirections): readonly DirectionErrors[] {
  const { values } = found
  const helped = Array.from(values, (_, place) => helpOf(found, place))
  const settled = Array.from(values, (value, place) => value - (helped[place]?.error ?? 0))
  return Array.from(values, (_, place) => errorsOfOne(found, { place, help: helped[place], settled }))
}

// To first order, with the differences that were found, variances are helped by half of this where many are
// equal, and by all of that half where none is near.
function helpOf(found: FoundDirections, place: number): TwoErrors {
  const { values } = found
  let [error, ofNoise] = [0, 0]
  for (const [other, value] of values.entries()) {
    if (other === place) continue
    const { noise, chance } = between(found, place, other)
    const apart = (values[place] ?? 0) - value
    const away = (2 * Math.sign(apart)) / Math.max(Math.abs(apart), Math.sqrt(noise + chance), least)
    error += away * (noise + chance)
    ofNoise += away * noise
  }
  return { error, noise: ofNoise }
}

function errorsOfOne(
  found: FoundDirections,
  of: {
    readonly place: number
    readonly help: TwoErrors | undefined
    readonly settled: readonly number[]
  },
): DirectionErrors {
  const { place, help = { error: 0, noise: 0 }, settled } = of
  const { values, vectors } = found
  const size = values.length
  const direction = Array.from({ length: size }, () => ({ error: 0, noise: 0 }))
  for (let other = 0; other < size; other += 1) {
    if (other === place) continue
    const { noise, chance } = between(found, place, other)
    // What comes first was found to be larger; where it is not so any more, they are not told apart.
    const apart = ((settled[place] ?? 0) - (settled[other] ?? 0)) * (place < other ? 1 : -1)
    const gap = Math.max(Math.max(0, apart) ** 2, noise + chance, least)
    for (const [at, own] of direction.entries()) {
      const part = (vectors[other * size + at] ?? 0) ** 2 / gap
      own.error += part * (noise + chance)
      own.noise += part * noise
    }
  }
  const own = between(found, place, place)
  return {
    variance: {
      error: Math.sqrt(own.noise + own.chance + help.error ** 2),
      noise: Math.sqrt(own.noise + help.noise ** 2),
    },
    direction: direction.map(({ error, noise }) => ({ error: Math.sqrt(error), noise: Math.sqrt(noise) })),
  }
}

const least = Number.MIN_VALUE

// The variance that the matrix of covariances has between two directions, by noise and by chance. Products of
// pairs have half the variance of squares, so the noise is the same in all directions; the means that are
// taken off, and the number of people, bring theirs.
function between(
  { means, values, vectors, people, noise, peopleNoise }: FoundDirections,
  i: number,
  j: number,
): { readonly noise: number; readonly chance: number } {
  const size = values.length
  const meanAlong = (place: number): number =>
    means.reduce((sum, mean, at) => sum + mean * (vectors[place * size + at] ?? 0), 0)
  const [a, b] = [meanAlong(i), meanAlong(j)]
  const [left, right] = [Math.max(0, values[i] ?? 0), Math.max(0, values[j] ?? 0)]
  if (i === j) {
    return {
      noise: noise ** 2 * (1 + 4 * a * a) + (peopleNoise * (left - a * a)) ** 2,
      chance: (2 * left * left) / people,
    }
  }
  return {
    noise: noise ** 2 * (0.5 + a * a + b * b) + (peopleNoise * a * b) ** 2,
    chance: (left * right) / people,
  }
}
