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
 * The errors of one direction. A direction moves towards another one by the change of the matrix between the
 * two over the difference of their variances; where that change is larger than the difference, the two are
 * not told apart, and the error is as large as directions are.
 */
export function errorsOf(found: FoundDirections, place: number): DirectionErrors {
  const { values, vectors } = found
  const size = values.length
  const direction = Array.from({ length: size }, () => ({ error: 0, noise: 0 }))
  for (let other = 0; other < size; other += 1) {
    if (other === place) continue
    const { noise, chance } = between(found, place, other)
    const gap = Math.max(((values[place] ?? 0) - (values[other] ?? 0)) ** 2, noise + chance, least)
    for (const [at, own] of direction.entries()) {
      const part = (vectors[other * size + at] ?? 0) ** 2 / gap
      own.error += part * (noise + chance)
      own.noise += part * noise
    }
  }
  const own = between(found, place, place)
  return {
    variance: { error: Math.sqrt(own.noise + own.chance), noise: Math.sqrt(own.noise) },
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
