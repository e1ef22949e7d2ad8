// All levels of a public tree: parts, chapters and codes. Peers put noise on every level, in equal shares,
// and make the tree consistent (Hay, Rastogi, Miklau, Suciu 2010), or on the leaves alone and add up.

import { reconcileTree } from "@dosimeter/core/post"
import type { Contender } from "./contest.ts"
import { laplaceKind, noiseKinds, type NoiseKind } from "./reference-noise.ts"
import { chapterOf, partOf } from "./bench-data.ts"
import { lossOf, meanOf, numberAt, ours, type Setting, type Task } from "./task.ts"

/** The tasks of this file. */
export const treeTasks: readonly Task[] = [{ name: "tree", error: "rms", contest: levels }]

async function levels(setting: Setting): ReturnType<Task["contest"]> {
  const { lab, groups } = setting
  const [row] = await lab.truth(`SELECT max(leaf) + 1 FROM codes_${groups}`)
  const nodes = nodesOf(numberAt(row, 0))
  const truth = new Map(
    (
      await lab.truth(
        `SELECT ${partOf("leaf")}, ${chapterOf("leaf")}, leaf, count(*)
         FROM codes_${groups} GROUP BY ROLLUP (1, 2, 3)`,
      )
    ).map((one) => [JSON.stringify(one.slice(0, 3)), numberAt(one, 3)]),
  )
  const sql = `SELECT ANCESTOR(leaf, 'part') AS part, ANCESTOR(leaf, 'chapter') AS chapter, leaf, COUNT(*)
    FROM codes_${groups} GROUP BY ROLLUP (part, chapter, leaf)`
  const contenders = await ours(sql, setting, (rows) => {
    if (rows.length !== nodes.parents.length) {
      throw new Error(`${rows.length} rows in place of ${nodes.parents.length}`)
    }
    return meanOf(
      rows.map((one) => (numberAt(one, 3) - (truth.get(JSON.stringify(one.slice(0, 3))) ?? 0)) ** 2),
    )
  })
  if (typeof contenders === "string") return contenders
  const kinds = noiseKinds.filter(({ name }) => name !== "classical Gaussian" || Number(setting.epsilon) <= 1)
  const theirs = (kinds.length === 0 ? [laplaceKind] : kinds).flatMap((kind) => [
    everyLevel(kind, nodes, setting),
    leavesAlone(kind, nodes, setting),
  ])
  return { ours: contenders, theirs, errors: "squared" }
}

/** A tree by parents, level after level; all values are 0, as errors do not depend on them. */
interface Nodes {
  readonly parents: readonly number[]
  readonly levelOf: readonly number[]
  /** The leaves below each node. */
  readonly leaves: readonly number[]
}

function nodesOf(leaves: number): Nodes {
  const chapters = Array.from({ length: leaves }, (_, leaf) => Math.floor(Math.sqrt(leaf)))
  const chapterCount = (chapters.at(-1) ?? 0) + 1
  const partCount = Math.floor((chapterCount - 1) / 4) + 1
  const parents = [
    -1,
    ...Array.from({ length: partCount }, () => 0),
    ...Array.from({ length: chapterCount }, (_, chapter) => 1 + Math.floor(chapter / 4)),
    ...chapters.map((chapter) => 1 + partCount + chapter),
  ]
  const levelOf = [0, partCount, chapterCount, leaves].flatMap((count, level) =>
    Array<number>(level === 0 ? 1 : count).fill(level),
  )
  const below = levelOf.map((level): number => (level === 3 ? 1 : 0))
  for (let node = parents.length - 1; node > 0; node -= 1) {
    const parent = parents[node] ?? 0
    below[parent] = (below[parent] ?? 0) + (below[node] ?? 0)
  }
  return { parents, levelOf, leaves: below }
}

/** Equal noise on all nodes, then weighted least squares. */
function everyLevel(kind: NoiseKind, { parents, levelOf, leaves }: Nodes, setting: Setting): Contender {
  const { noise, groups } = setting
  // A unit is in four levels. For Laplace noise it adds `groups` to each; for Gaussian noise the squares of
  // what it adds count, and its leaves may be below one node.
  const reach =
    kind.name === "Laplace"
      ? { groups: 4 * groups, amount: 1 }
      : { groups: [0, 1, 2, 3].reduce((sum, level) => sum + squaresAt(level), 0), amount: 1 }
  function squaresAt(level: number): number {
    let left = groups
    return leaves
      .filter((_, node) => levelOf[node] === level)
      .toSorted((a, b) => b - a)
      .reduce((sum, count) => {
        const here = Math.min(left, count)
        left -= here
        return sum + here * here
      }, 0)
  }
  const variance = kind.variance(lossOf(setting), reach)
  return {
    name: `${kind.name}, equal levels`,
    run: () => {
      const nodes = parents.map(() => ({
        value: kind.draw(noise, lossOf(setting), reach),
        variance,
        law: "other" as const,
      }))
      return meanOf(reconcileTree({ parents, nodes }).map(({ value }) => value ** 2))
    },
  }
}

/** Noise on the leaves, and sums of it. */
function leavesAlone(kind: NoiseKind, { parents, levelOf }: Nodes, setting: Setting): Contender {
  const { noise, groups } = setting
  return {
    name: `${kind.name}, leaves`,
    run: () => {
      const sums = levelOf.map((level) =>
        level === 3 ? kind.draw(noise, lossOf(setting), { groups, amount: 1 }) : 0,
      )
      for (let node = parents.length - 1; node > 0; node -= 1) {
        const parent = parents[node] ?? 0
        sums[parent] = (sums[parent] ?? 0) + (sums[node] ?? 0)
      }
      return meanOf(sums.map((value) => value ** 2))
    },
  }
}
