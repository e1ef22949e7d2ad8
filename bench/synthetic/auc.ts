// A logistic regression that is trained without privacy on made rows and tried on real ones: how much of what
// tells the target is in the rows.

import type { CodedData } from "./coded-data.ts"

/** The area under the curve, on rows that were held back. */
export function aucOf(train: CodedData, test: CodedData): number {
  const { target } = train
  const features = train.attributes.flatMap(({ size }, place) => (place === target ? [] : [{ place, size }]))
  const starts = features.map((_, at) => features.slice(0, at).reduce((sum, { size }) => sum + size, 0))
  const width = features.reduce((sum, { size }) => sum + size, 0)
  const weights = new Float64Array(width + 1)
  const [squares, slope] = [new Float64Array(width + 1).fill(1e-8), new Float64Array(width + 1)]
  const rows = train.columns[0]?.length ?? 0
  const score = (data: CodedData, row: number): number =>
    features.reduce(
      (sum, { place }, at) => sum + (weights[(starts[at] ?? 0) + (data.columns[place]?.[row] ?? 0)] ?? 0),
      weights[width] ?? 0,
    )
  for (let pass = 0; pass < 60; pass += 1) {
    slope.fill(0)
    for (let row = 0; row < rows; row += 1) {
      const off = 1 / (1 + Math.exp(-score(train, row))) - (train.columns[target]?.[row] ?? 0)
      for (const [at, { place }] of features.entries()) {
        const index = (starts[at] ?? 0) + (train.columns[place]?.[row] ?? 0)
        slope[index] = (slope[index] ?? 0) + off
      }
      slope[width] = (slope[width] ?? 0) + off
    }
    for (let at = 0; at <= width; at += 1) {
      const own = (slope[at] ?? 0) / rows + 1e-5 * (weights[at] ?? 0)
      squares[at] = (squares[at] ?? 0) * 0.9 + own * own * 0.1
      weights[at] = (weights[at] ?? 0) - (0.15 * own) / Math.sqrt(squares[at] ?? 1)
    }
  }
  return areaUnder(
    Array.from(test.columns[target] ?? [], (label, row) => ({ label, score: score(test, row) })),
  )
}

function areaUnder(scored: readonly { readonly label: number; readonly score: number }[]): number {
  const order = scored.toSorted((a, b) => a.score - b.score)
  let [place, sum, ones] = [0, 0, 0]
  while (place < order.length) {
    let end = place
    while (end < order.length && order[end]?.score === order[place]?.score) end += 1
    // Equal scores share their ranks.
    for (let at = place; at < end; at += 1) {
      if (order[at]?.label === 1) {
        ones += 1
        sum += (place + end + 1) / 2
      }
    }
    place = end
  }
  const zeros = order.length - ones
  return ones === 0 || zeros === 0 ? 0.5 : (sum - (ones * (ones + 1)) / 2) / (ones * zeros)
}
