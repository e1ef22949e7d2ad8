// Does the time of one draw tell how large the draw is? Times single calls and correlates time with |draw|.

/** How time and size go together: 0 is not at all, 1 is perfectly. */
export interface Correlation {
  readonly pearson: number
  readonly spearman: number
}

/** Calls `draw` this often, one by one, and correlates; the slowest one in a thousand are left out. */
export function correlateTime(draw: () => bigint, calls: number): Correlation {
  const times = new Float64Array(calls)
  const sizes = new Float64Array(calls)
  for (let i = -Math.ceil(calls / 10); i < calls; i += 1) {
    const start = performance.now()
    const value = draw()
    const stop = performance.now()
    // The calls before the first one counted warm up.
    if (i < 0) continue
    times[i] = stop - start
    sizes[i] = Math.abs(Number(value))
  }
  const limit = times.toSorted()[Math.floor(calls * 0.999)] ?? Infinity
  const kept = [...times.keys()].filter((i) => (times[i] ?? 0) <= limit)
  const x = Float64Array.from(kept, (i) => times[i] ?? 0)
  const y = Float64Array.from(kept, (i) => sizes[i] ?? 0)
  return { pearson: pearson(x, y), spearman: pearson(ranksOf(x), ranksOf(y)) }
}

/** The linear correlation of two lists. */
function pearson(x: Float64Array, y: Float64Array): number {
  const meanX = mean(x)
  const meanY = mean(y)
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < x.length; i += 1) {
    const dx = (x[i] ?? 0) - meanX
    const dy = (y[i] ?? 0) - meanY
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xy / Math.sqrt(xx * yy)
}

/** The rank of each value; equal values share the mean of their ranks. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Float64Array(values.length)
  for (let start = 0; start < order.length;) {
    let end = start
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1
    for (let i = start; i < end; i += 1) ranks[order[i] ?? 0] = (start + end - 1) / 2
    start = end
  }
  return ranks
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
