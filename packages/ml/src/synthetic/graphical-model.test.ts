import { expect, test } from "vitest"
import { cellCount, coarserPlaces, sumInto } from "./cell-places.ts"
import { fitModel } from "./fit-model.ts"
import { GraphicalModel } from "./graphical-model.ts"
import { junctionTree } from "./junction-tree.ts"
import { sampleRows, tableOfRows } from "./sample-rows.ts"
import { SeededNumbers } from "./seeded-numbers.ts"

const sizes = [2, 3, 4, 2, 3, 2]
const all = [0, 1, 2, 3, 4, 5]
const pairs = [
  [0, 1],
  [1, 2],
  [2, 3],
  [0, 3],
  [4, 5],
]

/** A product over cliques, and the same distribution cell by cell. */
function example(): {
  readonly model: GraphicalModel
  readonly potentials: Float64Array[]
  readonly joint: Float64Array
} {
  const random = new SeededNumbers("example")
  const model = new GraphicalModel(sizes, junctionTree(sizes, pairs))
  const potentials = model.empty().map((table) => table.map(() => random.next() * 4 - 2))
  const joint = new Float64Array(cellCount(all, sizes))
  for (const [index, { attributes }] of model.tree.cliques.entries()) {
    for (const [cell, place] of coarserPlaces(all, sizes, { attributes }).entries()) {
      joint[cell] = (joint[cell] ?? 0) + (potentials[index]?.[place] ?? 0)
    }
  }
  return { model, potentials, joint: joint.map(Math.exp) }
}

function tableOf(joint: Float64Array, attributes: readonly number[]): Float64Array {
  const total = joint.reduce((sum, one) => sum + one, 0)
  const summed = sumInto(
    joint,
    coarserPlaces(all, sizes, { attributes }),
    new Float64Array(cellCount(attributes, sizes)),
  )
  return summed.map((one) => one / total)
}

function greatest(a: Float64Array, b: Float64Array): number {
  return Math.max(...a.map((one, at) => Math.abs(one - (b[at] ?? Infinity))))
}

test("every set of attributes is within a clique, and cliques of an attribute hang together", () => {
  const { cliques } = junctionTree(sizes, pairs)
  for (const pair of [...pairs, ...all.map((one) => [one])]) {
    expect(cliques.some(({ attributes }) => pair.every((one) => attributes.includes(one)))).toBe(true)
  }
  for (const [index, { attributes, parent }] of cliques.entries()) {
    const before = cliques.slice(0, index).flatMap((clique) => clique.attributes)
    const known = attributes.filter((one) => before.includes(one))
    expect(known.every((one) => (cliques[parent ?? -1]?.attributes ?? []).includes(one))).toBe(true)
  }
})

test("tables over cliques are those of the whole distribution", () => {
  const { model, potentials, joint } = example()
  const tables = model.empty()
  const logSum = model.calibrate(potentials, tables)
  expect(logSum).toBeCloseTo(Math.log(joint.reduce((sum, one) => sum + one, 0)), 10)
  for (const [index, { attributes }] of model.tree.cliques.entries()) {
    expect(greatest(tables[index] ?? new Float64Array(0), tableOf(joint, attributes))).toBeLessThan(1e-12)
  }
})

test("a fit to tables without noise gives these tables, also of coarser groups", () => {
  const { model, joint } = example()
  const noisy = pairs.map((attributes) => {
    const shares = tableOf(joint, attributes)
    return { attributes, shares, variances: shares.map(() => 1e-12) }
  })
  const coarse = { attributes: [2], groups: [[0, 0, 1, 1]] }
  const halves = sumInto(tableOf(joint, [2]), coarserPlaces([2], sizes, coarse), new Float64Array(2))
  const fitted = fitModel(model, {
    noisy: [...noisy, { ...coarse, shares: halves, variances: halves.map(() => 1e-12) }],
  })
  for (const { attributes, shares } of noisy) {
    const clique = model.cliqueOf(attributes) ?? -1
    const own = model.tree.cliques[clique]?.attributes ?? []
    const places = coarserPlaces(own, sizes, { attributes })
    const made = sumInto(
      fitted.tables[clique] ?? new Float64Array(0),
      places,
      new Float64Array(shares.length),
    )
    expect(greatest(made, shares)).toBeLessThan(1e-6)
  }
})

test("cells that cannot be have no rows, and rows are in the model's proportions", () => {
  const { model, joint } = example()
  const shares = tableOf(joint, [0, 1])
  const noisy = [{ attributes: [0, 1], shares, variances: shares.map(() => 1e-6) }]
  const fitted = fitModel(model, { noisy, impossible: [{ attributes: [0, 3], cells: new Set([1]) }] })
  const rows = sampleRows(fitted, 10_000, new SeededNumbers("rows"))
  expect(tableOfRows(rows, sizes, [0, 3])[1]).toBe(0)
  const made = tableOfRows(rows, sizes, [0, 1]).map((count) => count / 10_000)
  expect(greatest(made, shares)).toBeLessThan(0.01)
  expect(sampleRows(fitted, 100, new SeededNumbers("a"))).toEqual(
    sampleRows(fitted, 100, new SeededNumbers("a")),
  )
})
