// Runs a bit-by-bit sampler on every string of bits up to a depth, so that its law is bracketed exactly: what
// the decided strings give, and how much mass is still undecided. No drawing, so no false alarm.

import type { BitSource } from "./bit-source.ts"

/** The exact number numerator / 2^denominatorPower. */
export interface Dyadic {
  readonly numerator: bigint
  readonly denominatorPower: number
}

/** What a sampler does on every string of `depthMax` bits. Every outcome's true probability lies between its
 * share here and that share plus `undecided`. */
export interface BitTree {
  readonly outcomes: ReadonlyMap<string, Dyadic>
  readonly undecided: Dyadic
}

/** The deepest tree for which shares are exact in a double, and far more than anyone can wait for. */
const depthLimit = 50

const tooDeep = new Error("the sampler reads past the depth of the tree")

/** Enumerates the tree depth first: each run replays a path, and extends it with zeros as it asks for more.
 * */
export function enumerateBits(options: {
  readonly run: (bits: BitSource) => bigint | number | string | boolean
  readonly depthMax: number
}): BitTree {
  const { run, depthMax } = options
  if (!Number.isInteger(depthMax) || depthMax < 0 || depthMax > depthLimit) {
    throw new Error(`depthMax must be an integer from 0 to ${depthLimit}: ${depthMax}`)
  }
  const shares = new Map<string, number>()
  let undecided = 0
  const path: (0 | 1)[] = []
  do {
    const { outcome, used } = runPath({ run, depthMax, path })
    if (used < path.length) throw new Error("the sampler reads fewer bits when it is replayed")
    const share = 2 ** (depthMax - used)
    if (outcome === undefined) undecided += share
    else shares.set(outcome, (shares.get(outcome) ?? 0) + share)
  } while (advance(path))
  const dyadic = (share: number): Dyadic => ({ numerator: BigInt(share), denominatorPower: depthMax })
  return {
    outcomes: new Map([...shares].map(([outcome, share]) => [outcome, dyadic(share)])),
    undecided: dyadic(undecided),
  }
}

/** Converts to a double: exactly, for every share of a tree. */
export function dyadicToNumber({ numerator, denominatorPower }: Dyadic): number {
  return Number(numerator) / 2 ** denominatorPower
}

function runPath(options: {
  readonly run: (bits: BitSource) => bigint | number | string | boolean
  readonly depthMax: number
  readonly path: (0 | 1)[]
}): { readonly outcome: string | undefined; readonly used: number } {
  const { run, depthMax, path } = options
  let used = 0
  function bit(): 0 | 1 {
    if (used === depthMax) throw tooDeep
    if (used === path.length) path.push(0)
    used += 1
    return path[used - 1] ?? 0
  }
  try {
    return { outcome: String(run({ bit })), used }
  } catch (error) {
    if (error !== tooDeep) throw error
    return { outcome: undefined, used }
  }
}

/** Moves to the next path in order; false after the last one. */
function advance(path: (0 | 1)[]): boolean {
  while (path.at(-1) === 1) path.pop()
  if (path.length === 0) return false
  path[path.length - 1] = 1
  return true
}
