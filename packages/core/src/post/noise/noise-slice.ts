// The noise in sums of neighbours in a list, for any slice of it: what half-widths need is read off at once.
// The tree of the draws is made only if such a sum is combined with something else.

import { assert } from "../../errors/assert.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { one } from "../../exact/rational.ts"
import {
  addForms,
  negateForm,
  onlyTerm,
  plainTree,
  type LinearForm,
  type NoiseSlice,
  type NoiseTree,
} from "./linear-form.ts"
import { addSums, scaleSums, type NoiseSums } from "./noise-sums.ts"

/** The noise in the sum of a slice; undefined if there is none. */
export type SliceNoise = (from: number, to: number) => LinearForm | undefined

/** Prepares sums of slices. Undefined unless each has one draw at most, and no two the same. */
export function sliceNoise(forms: readonly (LinearForm | undefined)[]): SliceNoise | undefined {
  const seen = new Set<number>()
  for (const form of forms) {
    if (form === undefined) continue
    const term = onlyTerm(form)
    if (term === undefined || seen.has(term.base.id)) return undefined
    seen.add(term.base.id)
  }
  const noisy = forms.flatMap((form) => (form === undefined ? [] : [form]))
  // From a place of the list to one among those with noise.
  const before = new Int32Array(forms.length + 1)
  for (const [index, form] of forms.entries()) {
    before[index + 1] = (before[index] ?? 0) + (form === undefined ? 0 : 1)
  }
  const list = { sums: slicedSums(noisy.map(sumsOfForm)), upTo: runningTotals(noisy) }
  return (from, to) => {
    const [first, end] = [before[from] ?? 0, before[to] ?? 0]
    if (end <= first) return undefined
    if (end === first + 1) return noisy[first]
    return { factor: one, tree: new Slice(list, first, end) }
  }
}

/** The noise of one slice. */
class Slice implements NoiseSlice {
  readonly kind = "slice"
  readonly #list: PreparedNoise
  readonly #first: number
  readonly #end: number
  #sums: NoiseSums | undefined

  constructor(list: PreparedNoise, first: number, end: number) {
    this.#list = list
    this.#first = first
    this.#end = end
  }

  get sums(): NoiseSums {
    this.#sums ??= this.#list.sums(this.#first, this.#end)
    return this.#sums
  }

  readonly whole = (): NoiseTree => {
    const [all, left] = [this.#list.upTo(this.#end), this.#list.upTo(this.#first)]
    const form = addForms(all, negateForm(left))
    assert(form !== undefined, "draws that differ do not cancel")
    return plainTree(form)
  }
}

interface PreparedNoise {
  readonly sums: (first: number, end: number) => NoiseSums
  /** The sum of all before a place. */
  readonly upTo: (end: number) => LinearForm | undefined
}

/** Running totals, which share almost all of their trees; made as far as they are asked for. */
function runningTotals(forms: readonly LinearForm[]): PreparedNoise["upTo"] {
  const totals: (LinearForm | undefined)[] = [undefined]
  return (end) => {
    while (totals.length <= end) totals.push(addForms(totals.at(-1), forms[totals.length - 1]))
    return totals[end]
  }
}

function sumsOfForm({ factor, tree }: LinearForm): NoiseSums {
  return factor.numerator === 1n && factor.denominator === 1n
    ? tree.sums
    : scaleSums(tree.sums, numberNear(factor))
}

/** Sums of slices: multiples where all have the same noise, and else by halves. */
function slicedSums(list: readonly NoiseSums[]): (first: number, end: number) => NoiseSums {
  const [unit] = list
  if (unit === undefined || list.every((sums) => isSame(sums, unit))) {
    return (first, end) => timesSums(unit ?? none, end - first)
  }
  const size = list.length
  const nodes: NoiseSums[] = [...list, ...list]
  for (let node = size - 1; node > 0; node -= 1) {
    nodes[node] = addSums(nodes[2 * node] ?? none, nodes[2 * node + 1] ?? none)
  }
  return (first, end) => {
    let sums = none
    for (let [low, high] = [first + size, end + size]; low < high; low >>= 1, high >>= 1) {
      if ((low & 1) === 1) {
        sums = addSums(sums, nodes[low] ?? none)
        low += 1
      }
      if ((high & 1) === 1) {
        high -= 1
        sums = addSums(sums, nodes[high] ?? none)
      }
    }
    return sums
  }
}

const none: NoiseSums = {
  terms: 0,
  gaussian: { terms: 0, variance: 0, steps: 0, reach: 0, least: Infinity },
  laplace: { terms: 0, squares: 0, largest: 0, total: 0, steps: 0, reach: 0 },
}

function isSame(a: NoiseSums, b: NoiseSums): boolean {
  if (a === b) return true
  const [g, h] = [a.gaussian, b.gaussian]
  const [k, l] = [a.laplace, b.laplace]
  return (
    g.variance === h.variance &&
    g.steps === h.steps &&
    g.least === h.least &&
    k.squares === l.squares &&
    k.steps === l.steps &&
    k.terms === l.terms
  )
}

function timesSums({ gaussian, laplace }: NoiseSums, count: number): NoiseSums {
  return {
    terms: count,
    gaussian: {
      terms: gaussian.terms * count,
      variance: gaussian.variance * count,
      steps: gaussian.steps * count,
      reach: gaussian.reach * count,
      least: gaussian.least,
    },
    laplace: {
      terms: laplace.terms * count,
      squares: laplace.squares * count,
      largest: laplace.largest,
      total: laplace.total * count,
      steps: laplace.steps * count,
      reach: laplace.reach * count,
    },
  }
}
