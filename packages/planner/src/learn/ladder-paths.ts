// How many people there are at each step of their norm, as far as noisy counts tell: paths drawn from a
// hidden Markov model. From the crowd upward the expected number of people changes by a factor that tends to
// persist, and where it came to nobody another crowd may begin; counts are seen through noise.

/** Noisy numbers of people by step, and the standard deviation of their noise. */
export interface NoisyLadder {
  /** Place h: people whose norm is above 2^((h-1)/2) and at most 2^(h/2); place 0: at most 1. */
  readonly counts: readonly number[]
  readonly deviation: number
  readonly law: "gaussian" | "laplace"
}

/** Changes of the level, in factors of sqrt 2, from a step to the next; and how likely each is by itself. */
const slopes = [2, 1, 0, -1, -2, -3, -4, -6, -9] as const
const prior = [3, 5, 8, 10, 9, 7, 5, 3, 3].map((weight) => weight / 53)
const [persists, nextTo, anew] = [0.65, 0.105, 0.14]
/** The model is no better than this share of a count; a path may leave it by more. */
const [modelError, pathError] = [0.1, 0.2]
const fewest = 0.5
/**
 * How likely another crowd begins at a step above one without anybody: so little that noise hardly passes for
 * one, where people who stand out by a dozen deviations do.
 */
const another = 1e-3
/** How likely a crowd ends from one step to the next, however many it has. */
const ends = 0.005
const slopeCount = slopes.length

/** The people of a level: nobody, 0.5, 0.7, 1, 1.4, ... */
function valueOf(level: number): number {
  return level === 0 ? 0 : 2 ** ((level - 3) / 2)
}

/** Where a state leads: states, each with its chance. */
interface Moves {
  readonly to: readonly number[]
  readonly chance: readonly number[]
}

interface Model {
  readonly levels: number
  readonly moves: readonly Moves[]
}

const models = new Map<number, Model>()

function modelOf(most: number): Model {
  const levels = Math.max(12, 5 + 2 * Math.ceil(Math.log2(Math.max(most, 2))))
  const model = models.get(levels) ?? { levels, moves: movesOf(levels) }
  models.set(levels, model)
  return model
}

function movesOf(levels: number): readonly Moves[] {
  return Array.from({ length: levels * slopeCount }, (_, state) => {
    const [level, slope] = [Math.floor(state / slopeCount), state % slopeCount]
    if (level === 0) return fromNobody(state, levels)
    const weights = prior.map((weight, to) => {
      const near = Math.abs(to - slope)
      return (near === 0 ? persists : near === 1 ? nextTo : 0) + anew * weight
    })
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    const to = slopes.map((change, place) => {
      const next = Math.max(0, Math.min(levels - 1, level + change))
      return next * slopeCount + place
    })
    const chance = weights.map((weight) => ((1 - ends) * weight) / whole)
    return { to: [...to, 0], chance: [...chance, ends] }
  })
}

// Nobody again, or any number of people, whatever their change above.
function fromNobody(state: number, levels: number): Moves {
  const others = Array.from({ length: (levels - 1) * slopeCount }, (_, place) => slopeCount + place)
  const chances = others.map((to) => (another * (prior[to % slopeCount] ?? 0)) / (levels - 1))
  return { to: [state, ...others], chance: [1 - another, ...chances] }
}

const window = [1, 2, 3, 4, 5, 4, 3, 2, 1] as const

/** Where most people are, how many by a weighted sum of counts, and the spread of that sum for noise of 1. */
export interface Crowd {
  readonly mode: number
  readonly height: number
  readonly spread: number
}

/** The crowd. A wide window: one false count must not pass for it. */
export function crowdAt(counts: readonly number[]): Crowd {
  const around = counts.map((_, h) =>
    window.reduce<number>((sum, weight, place) => sum + weight * (counts[h + place - 4] ?? 0), 0),
  )
  const height = Math.max(...around)
  const squares = window.reduce<number>((sum, weight) => sum + weight * weight, 0)
  return { mode: around.indexOf(height), height, spread: Math.sqrt(squares) }
}

/** For each step from the mode on: how well each state explains its count and all above. */
function backward(ladder: NoisyLadder, mode: number, model: Model): readonly Float64Array[] {
  const found: Float64Array[] = []
  for (let h = ladder.counts.length - 1; h >= mode; h -= 1) {
    const above = found[0]
    const fit = fitOf(ladder, h, model.levels)
    const own = Float64Array.from(model.moves, ({ to, chance }, state) => {
      const here = fit[Math.floor(state / slopeCount)] ?? 0
      return above === undefined ? here : here * meanOf(above, to, chance)
    })
    const whole = own.reduce((sum, value) => sum + value, 0)
    found.unshift(own.map((value) => value / whole))
  }
  return found
}

function meanOf(values: Float64Array, to: readonly number[], chance: readonly number[]): number {
  let sum = 0
  for (let place = 0; place < to.length; place += 1)
    sum += (chance[place] ?? 0) * (values[to[place] ?? 0] ?? 0)
  return sum
}

/** The likelihood of a step's count at each level, through that of the best. */
function fitOf({ counts, deviation, law }: NoisyLadder, h: number, levels: number): readonly number[] {
  const logs = Array.from({ length: levels }, (_, level) => {
    const value = valueOf(level)
    const variance = deviation ** 2 + value + (modelError * value) ** 2
    const away = Math.abs((counts[h] ?? 0) - value) / Math.sqrt(variance)
    return -(law === "gaussian" ? away ** 2 / 2 : Math.SQRT2 * away) - Math.log(variance) / 2
  })
  const best = Math.max(...logs)
  return logs.map((log) => Math.exp(log - best))
}

/** Paths of the expected number of people by step, all equally likely. The same ones for the same counts. */
export function ladderPaths(ladder: NoisyLadder, paths = 64): readonly (readonly number[])[] {
  const { counts, deviation } = ladder
  const { mode } = crowdAt(counts)
  const model = modelOf(Math.max(...counts))
  const seen = backward(ladder, mode, model)
  const below = counts.slice(0, mode).map((count) => Math.max(0, count))
  const uniform = fixedUniforms()
  return Array.from({ length: paths }, (_, turn) => {
    const path = [...below]
    let state = 0
    seen.forEach((values, place) => {
      if (place === 0) {
        const weights = values.map((value, at) => value * (prior[at % slopeCount] ?? 0))
        state = pick([...weights.keys()], [...weights], (turn + 0.5) / paths)
      } else {
        const { to, chance } = model.moves[state] ?? { to: [0], chance: [1] }
        state = pick(
          to,
          to.map((next, at) => (chance[at] ?? 0) * (values[next] ?? 0)),
          uniform(),
        )
      }
      const value = valueOf(Math.floor(state / slopeCount))
      path.push(value < fewest ? 0 : between(counts[mode + place] ?? 0, value, deviation))
    })
    return path
  })
}

/** Between a noisy count and what the model expects, by how sure each is. */
function between(count: number, value: number, deviation: number): number {
  const spread = value + (pathError * value) ** 2
  return Math.max(0, (count * spread + value * deviation ** 2) / (spread + deviation ** 2))
}

/** The thing at a quantile of the weights. */
function pick(things: readonly number[], weights: readonly number[], quantile: number): number {
  let left = quantile * weights.reduce((sum, weight) => sum + weight, 0)
  const place = weights.findIndex((weight) => {
    left -= weight
    return left <= 0
  })
  return things[place < 0 ? things.length - 1 : place] ?? 0
}

/** Numbers in (0, 1), always the same (the mulberry32 generator): a choice of bounds needs no fresh ones. */
export function fixedUniforms(seed = 7): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return (((word ^ (word >>> 14)) >>> 0) + 0.5) / 2 ** 32
  }
}
