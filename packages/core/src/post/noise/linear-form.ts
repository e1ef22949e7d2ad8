// Linear combinations of noise: a persistent tree over the numbers of the draws, with the sums that
// half-widths need in every node. A running total over n rows is n trees that share almost all of their
// nodes.

import { assert } from "../../errors/assert.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { add, divide, multiply, negate, one, type Rational } from "../../exact/rational.ts"
import { addSums, scaleSums, sumsOf, type NoiseSums } from "./noise-sums.ts"
import type { NoiseBase } from "./noise-base.ts"

/** factor times the combination in the tree, which has at least one term. */
export interface LinearForm {
  readonly factor: Rational
  readonly tree: NoiseTree | NoiseSlice
}

/** A tree that is made when it is needed; its sums are known without it. */
export interface NoiseSlice {
  readonly kind: "slice"
  readonly sums: NoiseSums
  readonly whole: () => NoiseTree
}

/** Draws with their coefficients: a big-endian Patricia tree. */
export type NoiseTree = NoiseLeaf | NoiseBranch

interface NoiseLeaf {
  readonly kind: "leaf"
  readonly base: NoiseBase
  /** Not 0. */
  readonly coefficient: Rational
  readonly sums: NoiseSums
}

interface NoiseBranch {
  readonly kind: "branch"
  /** The bits above `bit`, which all numbers below share. */
  readonly prefix: number
  readonly bit: number
  readonly zeros: NoiseTree
  readonly ones: NoiseTree
  readonly sums: NoiseSums
}

/** One draw, once. */
export function formOf(base: NoiseBase): LinearForm {
  assert(Number.isInteger(base.id) && base.id >= 0 && base.id < 2 ** 31, "a draw's number is below 2^31")
  return { factor: one, tree: leaf(base, one) }
}

/** One draw, so many times; undefined for 0. Sums of such forms are not scaled again while they grow. */
export function termForm(base: NoiseBase, coefficient: Rational): LinearForm | undefined {
  assert(Number.isInteger(base.id) && base.id >= 0 && base.id < 2 ** 31, "a draw's number is below 2^31")
  return coefficient.numerator === 0n ? undefined : { factor: one, tree: leaf(base, coefficient) }
}

/** a + b; undefined if nothing is left. */
export function addForms(a: LinearForm | undefined, b: LinearForm | undefined): LinearForm | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const [large, small] = a.tree.sums.terms >= b.tree.sums.terms ? [a, b] : [b, a]
  const tree = merge(treeOf(large.tree), treeOf(small.tree), divide(small.factor, large.factor))
  return tree === undefined ? undefined : { factor: large.factor, tree }
}

/** The form as one tree, its factor inside. */
export function plainTree({ factor, tree }: LinearForm): NoiseTree {
  return scaled(treeOf(tree), factor)
}

function treeOf(tree: LinearForm["tree"]): NoiseTree {
  return tree.kind === "slice" ? tree.whole() : tree
}

/** factor * form; undefined if the factor is 0. */
export function scaleForm(form: LinearForm | undefined, factor: Rational): LinearForm | undefined {
  if (form === undefined || factor.numerator === 0n) return undefined
  return { factor: multiply(form.factor, factor), tree: form.tree }
}

/** -form. */
export function negateForm(form: LinearForm | undefined): LinearForm | undefined {
  return form === undefined ? undefined : { factor: negate(form.factor), tree: form.tree }
}

/** The sums of a form. */
export function formSums({ factor, tree }: LinearForm): NoiseSums {
  return scaleSums(tree.sums, numberNear(factor))
}

/** The draw and its coefficient, if the form has only one. */
export function onlyTerm({
  factor,
  tree,
}: LinearForm): { readonly base: NoiseBase; readonly coefficient: Rational } | undefined {
  return tree.kind === "leaf"
    ? { base: tree.base, coefficient: multiply(factor, tree.coefficient) }
    : undefined
}

/** Every draw of a form with its coefficient. */
export function* termsOf({ factor, tree }: LinearForm): Generator<NoiseTerm> {
  const waiting: NoiseTree[] = [treeOf(tree)]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "branch") waiting.push(at.ones, at.zeros)
    else yield { base: at.base, coefficient: multiply(factor, at.coefficient) }
  }
}

/** A draw and how often it counts. */
export interface NoiseTerm {
  readonly base: NoiseBase
  readonly coefficient: Rational
}

/**
 * Sums over the draws that two forms share: products of the coefficients times variance, and times grid
 * squared.
 */
export function crossSums(
  a: LinearForm,
  b: LinearForm,
): { readonly variance: number; readonly steps: number } {
  const [large, small] = a.tree.sums.terms >= b.tree.sums.terms ? [a, b] : [b, a]
  const factor = numberNear(multiply(a.factor, b.factor))
  const other = treeOf(large.tree)
  let [variance, steps] = [0, 0]
  const visit = (tree: NoiseTree): void => {
    if (tree.kind === "branch") {
      visit(tree.zeros)
      visit(tree.ones)
      return
    }
    const { base, coefficient } = tree
    const own = coefficientOf(other, base.id)
    if (own === undefined) return
    const grids = numberNear(multiply(multiply(coefficient, own), multiply(base.grid, base.grid)))
    steps += grids
    variance += grids * (base.law === "gaussian" ? numberNear(base.variance) : 0)
  }
  visit(treeOf(small.tree))
  return { variance: factor * variance, steps: factor * steps }
}

function coefficientOf(tree: NoiseTree, id: number): Rational | undefined {
  let at = tree
  while (at.kind === "branch") at = (id & at.bit) === 0 ? at.zeros : at.ones
  return at.base.id === id ? at.coefficient : undefined
}

function leaf(base: NoiseBase, coefficient: Rational): NoiseLeaf {
  return { kind: "leaf", base, coefficient, sums: sumsOf(base, coefficient) }
}

function branch(
  { prefix, bit }: { readonly prefix: number; readonly bit: number },
  zeros: NoiseTree | undefined,
  ones: NoiseTree | undefined,
): NoiseTree | undefined {
  if (zeros === undefined || ones === undefined) return zeros ?? ones
  return { kind: "branch", prefix, bit, zeros, ones, sums: addSums(zeros.sums, ones.sums) }
}

/**
 * a + scale * b. Trees that are the same object cancel at once, which makes the difference of two running
 * totals cheap.
 */
function merge(a: NoiseTree | undefined, b: NoiseTree | undefined, scale: Rational): NoiseTree | undefined {
  if (b === undefined) return a
  if (a === undefined) return scaled(b, scale)
  if (a === b && isMinusOne(scale)) return undefined
  if (a.kind === "leaf" && b.kind === "leaf" && a.base.id === b.base.id) {
    const coefficient = add(a.coefficient, multiply(b.coefficient, scale))
    return coefficient.numerator === 0n ? undefined : leaf(a.base, coefficient)
  }
  const [keyA, keyB] = [keyOf(a), keyOf(b)]
  if (a.kind === "branch" && (b.kind === "leaf" || a.bit > b.bit) && isUnder(keyB, a)) {
    return (keyB & a.bit) === 0
      ? branch(a, merge(a.zeros, b, scale), a.ones)
      : branch(a, a.zeros, merge(a.ones, b, scale))
  }
  if (b.kind === "branch" && (a.kind === "leaf" || b.bit > a.bit) && isUnder(keyA, b)) {
    return (keyA & b.bit) === 0
      ? branch(b, merge(a, b.zeros, scale), scaled(b.ones, scale))
      : branch(b, scaled(b.zeros, scale), merge(a, b.ones, scale))
  }
  if (a.kind === "branch" && b.kind === "branch" && a.bit === b.bit && a.prefix === b.prefix) {
    return branch(a, merge(a.zeros, b.zeros, scale), merge(a.ones, b.ones, scale))
  }
  return joined(a, scaled(b, scale))
}

/** Two trees that share no branch. */
function joined(a: NoiseTree, b: NoiseTree): NoiseTree | undefined {
  const [keyA, keyB] = [keyOf(a), keyOf(b)]
  const bit = 1 << (31 - Math.clz32(keyA ^ keyB))
  const at = { prefix: above(keyA, bit), bit }
  return (keyA & bit) === 0 ? branch(at, a, b) : branch(at, b, a)
}

function keyOf(tree: NoiseTree): number {
  return tree.kind === "leaf" ? tree.base.id : tree.prefix
}

function isUnder(key: number, { prefix, bit }: NoiseBranch): boolean {
  return above(key, bit) === prefix
}

/** The bits of a number above one of them. */
function above(key: number, bit: number): number {
  return key & ~((bit << 1) - 1)
}

function scaled(tree: NoiseTree, scale: Rational): NoiseTree {
  if (scale.numerator === 1n && scale.denominator === 1n) return tree
  if (tree.kind === "leaf") return leaf(tree.base, multiply(tree.coefficient, scale))
  const [zeros, ones] = [scaled(tree.zeros, scale), scaled(tree.ones, scale)]
  return { ...tree, zeros, ones, sums: addSums(zeros.sums, ones.sums) }
}

function isMinusOne({ numerator, denominator }: Rational): boolean {
  return numerator === -1n && denominator === 1n
}
