import { describe, expect, test } from "vitest"
import postprocess from "../../testing/fixtures/postprocess.json" with { type: "json" }
import { checkRecord, numberInput, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { gaussianEstimate, intervalOf, publicEstimate, type Estimate } from "../estimates/estimate.ts"
import { reconcileNested, reconcileTree } from "./reconcile-tree.ts"

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
const measured = (value: number, sigmaSquared: number): Estimate => gaussianEstimate({ value, sigmaSquared })

function checkTree(record: VectorRecord): void {
  const arity = numberInput(record, "arity")
  const counts = numbers(record.inputs["noisy_counts_breadth_first"])
  const variances = numbers(record.inputs["level_variances"])
  const parents = counts.map((_, index) => (index === 0 ? -1 : Math.floor((index - 1) / arity)))
  const level = (index: number): number => (index === 0 ? 0 : 1 + level(parents[index] ?? 0))
  const nodes = counts.map((value, index) => measured(value, variances[level(index)] ?? 1))
  const values = reconcileTree({ parents, nodes }).map(({ value }) => value)
  const leaves = values.filter((_, index) => !parents.includes(index))
  checkRecord({ record, field: "all_nodes_breadth_first", got: values })
  checkRecord({ record, field: "leaves", got: leaves })
}

test.each(recordsOf(postprocess, "post.hierarchical_ols"))("gives the reference $id", checkTree)
test.each(recordsOf(postprocess, "post.hierarchical_wls"))("gives the reference $id, weighted", checkTree)

describe("a tree", () => {
  test("works out what was not measured, as a difference", () => {
    const nodes = [measured(10, 3), measured(4, 2), undefined]
    const result = reconcileTree({ parents: [-1, 0, 0], nodes })
    expect(result.map(({ value }) => value)).toEqual([10, 4, 6])
    expect(result.map(({ variance }) => variance)).toEqual([3, 2, 5])
  })

  test("keeps public totals and gives their weight to the rest", () => {
    const nodes = [publicEstimate(12), measured(4, 1), measured(5, 2)]
    const result = reconcileTree({ parents: [-1, 0, 0], nodes })
    expect(result.map(({ value }) => value)).toEqual([12, 5, 7])
    for (const [index, want] of [0, 2 / 3, 2 / 3].entries())
      expect(result[index]?.variance).toBeCloseTo(want, 12)
  })

  test("takes children before their parents, and several roots", () => {
    const nodes = [measured(3, 1), measured(9, 1), measured(4, 1), measured(1, 5)]
    const result = reconcileTree({ parents: [1, -1, 1, -1], nodes })
    const values = result.map(({ value }) => value)
    expect((values[0] ?? 0) + (values[2] ?? 0)).toBeCloseTo(values[1] ?? 0, 12)
    expect(result[3]).toEqual(measured(1, 5))
  })

  test("keeps a law that nothing else touched, and says when intervals are approximate", () => {
    const count = (value: number): Estimate => gaussianEstimate({ value, sigmaSquared: 9, grid: 1 })
    const alone = reconcileTree({ parents: [-1, -1], nodes: [count(5), count(6)] })
    expect(alone).toEqual([count(5), count(6)])
    const mixed = reconcileTree({ parents: [-1, 0, 0], nodes: [count(9), count(5), count(6)] })
    expect(mixed.map((node) => intervalOf(node, 0.9).exactness)).toEqual(Array(3).fill("approximate"))
  })

  test("nested keeps its labels and its shape", () => {
    const tree = reconcileNested({
      label: "all",
      children: [
        { label: "female", estimate: measured(6, 1) },
        { label: "male", estimate: measured(4, 1), children: [{ label: "only child" }] },
      ],
    })
    expect(tree.label).toBe("all")
    expect(tree.estimate).toMatchObject({ value: 10, variance: 2 })
    expect(tree.children.map(({ label }) => label)).toEqual(["female", "male"])
    expect(tree.children[1]?.children[0]?.estimate.value).toBe(4)
  })

  test("of two hundred thousand nodes takes no recursion", () => {
    const parents = Array.from({ length: 200_000 }, (_, index) => index - 1)
    const nodes = parents.map((parent) => (parent % 1000 === 0 ? measured(7, 2) : undefined))
    const result = reconcileTree({ parents, nodes })
    expect(result.at(-1)?.value).toBeCloseTo(7, 9)
    expect(result[0]?.variance).toBeCloseTo(2 / 200, 9)
  })
})

test.each<readonly [string, () => unknown, string]>([
  [
    "a circle",
    () => reconcileTree({ parents: [1, 0], nodes: [undefined, undefined] }),
    "postprocess/not-a-tree",
  ],
  [
    "a parent that is not there",
    () => reconcileTree({ parents: [3], nodes: [undefined] }),
    "parameter/out-of-range",
  ],
  [
    "a root that nothing determines",
    () => reconcileTree({ parents: [-1], nodes: [undefined] }),
    "postprocess/undetermined",
  ],
  [
    "two children that nothing tells apart",
    () => reconcileTree({ parents: [-1, 0, 0], nodes: [measured(1, 1), undefined, undefined] }),
    "postprocess/undetermined",
  ],
  [
    "public counts that do not add up",
    () => reconcileTree({ parents: [-1, 0], nodes: [publicEstimate(1), publicEstimate(2)] }),
    "postprocess/conflict",
  ],
  [
    "fewer nodes than parents",
    () => reconcileTree({ parents: [-1, 0], nodes: [undefined] }),
    "parameter/length",
  ],
])("refuses %s", (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }))
})
