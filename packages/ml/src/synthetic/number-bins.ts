// Bins of a column of numbers, from its declared range alone: no bin depends on the data.

/** A declared range, in whole steps: of a column of whole numbers the step is 1. */
export interface NumberRange {
  readonly min: number
  readonly max: number
  /** The step between values; undefined where values may lie anywhere. */
  readonly step: number | undefined
}

/** Equal bins, at most so many; and where a range begins at 0 and is long, bins that grow. */
const binsMax = 64
/** A range from 0 to this and beyond is one of amounts, most of which are small. */
const longFrom = 1000
/** How much longer each next bin is. */
const growth = 1.3

/**
 * The lower ends of the bins, the first of them the least value, then the greatest value: bin i is from
 * edge i on, below edge i + 1, and the last holds its upper edge. Every cut that lies inside is an edge.
 */
export function binEdges({ min, max, step }: NumberRange, cuts: readonly number[] = []): readonly number[] {
  const values = step === undefined ? Infinity : Math.floor((max - min) / step) + 1
  const inside = cuts.filter((cut) => cut > min && cut <= max)
  const own = min === 0 && max >= longFrom ? growing(max, step) : equal({ min, max, step }, values)
  const edges = [...new Set([...own, ...inside])].toSorted((a, b) => a - b)
  return [...edges, max]
}

function equal({ min, max, step }: NumberRange, values: number): readonly number[] {
  if (values <= binsMax && step !== undefined) {
    return Array.from({ length: values }, (_, index) => cleaned(min + index * step))
  }
  const width = (max - min + (step ?? 0)) / binsMax
  return Array.from({ length: binsMax }, (_, index) => onStep(min + index * width, min, step))
}

// 0 by itself, then from one step on: most amounts of long ranges are 0 or small.
function growing(max: number, step: number | undefined): readonly number[] {
  const first = step ?? max / longFrom ** 2
  const edges = [0, first]
  for (let width = first; ; width *= growth) {
    const next = onStep(Math.max((edges.at(-1) ?? 0) + (step ?? 0), (edges.at(-1) ?? 0) + width), 0, step)
    if (next >= max) return edges
    edges.push(next)
  }
}

function onStep(value: number, min: number, step: number | undefined): number {
  return cleaned(step === undefined ? value : min + Math.ceil((value - min) / step - 1e-9) * step)
}

// Without the last digits, which only rounding has made.
function cleaned(value: number): number {
  return Number(value.toPrecision(12))
}

/** The bin of a value: the last whose edge is not above it. */
export function binOf(edges: readonly number[], value: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((edges[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
