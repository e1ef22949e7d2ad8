// The point of a polyhedron nearest to the origin, by the dual active-set method of Goldfarb and Idnani
// (1983) with the identity as Hessian. It starts at the origin, the minimum without constraints, and takes in
// the most violated constraint until none is left; each step keeps the point optimal for the constraints
// taken so far.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { Basis, type Split } from "./basis.ts"
import { addScaled, at, dot, lengthOf } from "../estimates/vector.ts"

/** normal . s = bound, or normal . s >= bound. */
export interface Halfspace {
  readonly kind: "equal" | "at-least"
  readonly normal: Float64Array
  readonly bound: number
  /** How large the numbers were that `bound` was computed from: what its rounding is relative to. */
  readonly size: number
  /** The same of `normal`: its length before anything cancelled. */
  readonly reach: number
  /** What to call it in an error. */
  readonly name: string
}

/** The nearest point, the constraints that hold it (by index), and an orthonormal basis of their normals. */
export interface NearestPoint {
  readonly point: Float64Array
  readonly active: readonly number[]
  readonly basis: Basis
}

/** A violation below this share of the bound's numbers and the point's length is rounding. */
const feasibility = 1e-11
/** And below so many standard deviations too: squares of such numbers are lost. */
const negligible = 1e-100
/** A unit normal with less than this outside the span of the others is dependent on them. */
const dependence = 1e-9
/** With no more than this it is exactly dependent, but for rounding. */
const exactDependence = 1e-13
/** The certificate at the end allows this share: steps before it may have amplified rounding. */
const certified = 1e-7

interface Search {
  readonly rows: readonly Halfspace[]
  readonly basis: Basis
  readonly point: Float64Array
  /** Indices into rows, in the basis's order, and their multipliers. */
  readonly active: number[]
  readonly multipliers: number[]
  /** Constraints that follow from active ones but for rounding, and how large that rounding may be. */
  readonly implied: Map<number, number>
}

/**
 * Finds the s of least length that meets every constraint.
 *
 * Deterministic: of equally violated constraints the first is taken. Whether a point exists depends on the
 * constraints alone; if none does, the error names constraints that contradict each other. The result is
 * certified: it is feasible, it is a combination of the active normals, and their multipliers have the right
 * sign, which together (Karush, Kuhn and Tucker) prove that no feasible point is nearer.
 */
export function nearestToOrigin(constraints: readonly Halfspace[], size: number): NearestPoint {
  const rows = constraints.map(normalised)
  const search: Search = {
    rows,
    basis: new Basis(),
    point: new Float64Array(size),
    active: [],
    multipliers: [],
    implied: new Map(),
  }
  for (const [index, row] of rows.entries()) if (row.kind === "equal") takeEquality(search, index)
  const stepsMax = 100 + 20 * (rows.length + size)
  for (let step = 0; ; step += 1) {
    if (step > stepsMax) fail("postprocess/ill-conditioned", { what: "the search did not end" })
    const worst = mostViolated(search)
    if (worst === undefined) break
    takeIn(search, worst)
  }
  settle(search)
  certify(search)
  return { point: search.point, active: search.active, basis: search.basis }
}

/** Scales a normal to length 1; one without direction is either void or cannot be met. */
function normalised(row: Halfspace): Halfspace {
  const length = lengthOf(row.normal)
  if (length > dependence * row.reach) {
    const normal = row.normal.map((entry) => entry / length)
    return { ...row, normal, bound: row.bound / length, size: row.size / length }
  }
  const shortfall = row.kind === "equal" ? Math.abs(row.bound) : row.bound
  if (shortfall > feasibility * row.size) fail("postprocess/infeasible", { what: row.name })
  return { ...row, kind: "at-least", bound: -Infinity }
}

/** How far a constraint is from being met, if by more than rounding. */
function shortfallOf({ point }: Search, row: Halfspace): number {
  const gap = row.bound - dot(row.normal, point)
  const signed = row.kind === "equal" ? Math.abs(gap) : gap
  if (signed <= 0) return 0
  return signed > negligible + feasibility * (row.size + lengthOf(point)) ? signed : 0
}

function mostViolated(search: Search): number | undefined {
  let worst: number | undefined
  let most = 0
  for (const [index, row] of search.rows.entries()) {
    if (row.kind === "equal") continue
    const shortfall = shortfallOf(search, row)
    if (shortfall <= most || search.active.includes(index)) continue
    if (shortfall <= (search.implied.get(index) ?? 0)) continue
    most = shortfall
    worst = index
  }
  return worst
}

/** Equalities come first and stay; one that follows from the others is left out. */
function takeEquality(search: Search, index: number): void {
  const row = rowAt(search, index)
  const split = search.basis.split(row.normal)
  if (split.restLength > dependence) {
    const step = (row.bound - dot(row.normal, search.point)) / split.restLength ** 2
    move(search, { split, step })
    enter(search, { index, split, multiplier: step })
  } else if (shortfallOf(search, row) > 0) {
    refuse(search, { index, split, falls: search.basis.solve(split.inside) })
  }
}

/** Takes in a violated inequality, giving up those whose multipliers would turn negative on the way. */
function takeIn(search: Search, index: number): void {
  const row = rowAt(search, index)
  let multiplier = 0
  for (;;) {
    const split = search.basis.split(row.normal)
    const falls = search.basis.solve(split.inside)
    const blocking = firstToZero(search, falls)
    const isDependent = split.restLength <= dependence
    const gap = row.bound - dot(row.normal, search.point)
    const rounding = isDependent ? impliedRounding(search, row, falls) : 0
    if (multiplier === 0 && gap <= rounding) {
      search.implied.set(index, rounding)
      return
    }
    const full = isDependent ? Infinity : Math.max(0, gap) / split.restLength ** 2
    const step = Math.min(full, blocking.step)
    if (step === Infinity) refuse(search, { index, split, falls })
    multiplier += step
    if (isDependent) lowerMultipliers(search, falls, step)
    else move(search, { split, step, falls })
    if (blocking.step >= full) {
      enter(search, { index, split, multiplier })
      return
    }
    search.basis.remove(blocking.place)
    search.active.splice(blocking.place, 1)
    search.multipliers.splice(blocking.place, 1)
  }
}

/**
 * How far rounding can put a constraint that follows from the active ones from what they say: its normal is
 * the combination of theirs with these weights, and each of their bounds is rounded relative to its own
 * numbers.
 */
function impliedRounding(search: Search, row: Halfspace, weights: Float64Array): number {
  const size = search.active.reduce(
    (sum, index, place) => {
      return sum + Math.abs(at(weights, place)) * rowAt(search, index).size
    },
    row.size + lengthOf(search.point),
  )
  return feasibility * size
}

/** The inequality whose multiplier reaches 0 first as the new one's grows. */
function firstToZero(search: Search, falls: Float64Array): { readonly step: number; readonly place: number } {
  let found = { step: Infinity, place: -1 }
  for (const [place, index] of search.active.entries()) {
    if (rowAt(search, index).kind === "equal" || !(at(falls, place) > 1e-13)) continue
    const step = Math.max(0, at(search.multipliers, place)) / at(falls, place)
    if (step < found.step) found = { step, place }
  }
  return found
}

/** Moves along the part of the normal that leaves the active constraints untouched. */
function move(
  search: Search,
  by: { readonly split: Split; readonly step: number; readonly falls?: Float64Array },
): void {
  addScaled(search.point, by.split.rest, by.step)
  lowerMultipliers(search, by.falls ?? search.basis.solve(by.split.inside), by.step)
}

function lowerMultipliers(search: Search, falls: Float64Array, step: number): void {
  for (const [place, multiplier] of search.multipliers.entries()) {
    search.multipliers[place] = multiplier - step * at(falls, place)
  }
}

function enter(
  search: Search,
  by: { readonly index: number; readonly split: Split; readonly multiplier: number },
): void {
  search.basis.append(by.split)
  search.active.push(by.index)
  search.multipliers.push(by.multiplier)
}

/**
 * Solves once more for the final active set, so that the rounding of the steps does not stay
 * in the point.
 */
function settle(search: Search): void {
  const bounds = search.active.map((index) => rowAt(search, index).bound)
  const coordinates = search.basis.solveTransposed(bounds)
  search.point.set(search.basis.combine(coordinates, search.point.length))
  for (const [place, multiplier] of search.basis.solve(coordinates).entries()) {
    search.multipliers[place] = multiplier
  }
}

/** The conditions of Karush, Kuhn and Tucker, each relative to the numbers that went into it. */
function certify(search: Search): void {
  const { rows, point, active, multipliers } = search
  const largest = multipliers.reduce((most, multiplier) => Math.max(most, Math.abs(multiplier)), 0)
  const length = lengthOf(point)
  const isFeasible = rows.every((row, index) => {
    const gap = row.bound - dot(row.normal, point)
    const shortfall = row.kind === "equal" ? Math.abs(gap) : gap
    const size = row.size + length
    const allowed = Math.max(negligible + certified * size, search.implied.get(index) ?? 0)
    return size < Infinity && shortfall <= allowed
  })
  const isSigned = active.every((index, place) => {
    return rowAt(search, index).kind === "equal" || at(multipliers, place) >= -certified * largest
  })
  const gradient = Float64Array.from(point)
  for (const [place, index] of active.entries()) {
    addScaled(gradient, rowAt(search, index).normal, -at(multipliers, place))
  }
  const isStationary = lengthOf(gradient) <= negligible + certified * (length + largest)
  if (!isFeasible || !isSigned || !isStationary) {
    fail("postprocess/ill-conditioned", { what: "the result could not be certified" })
  }
}

/**
 * The new normal is a combination of active ones that no point can satisfy together with it; or nearly one,
 * and then there may be such points, but too far away to be found in doubles.
 */
function refuse(
  search: Search,
  by: { readonly index: number; readonly split: Split; readonly falls: Float64Array },
): never {
  const against = search.active.filter((_, place) => Math.abs(at(by.falls, place)) > 1e-9)
  const names = [...against, by.index].map((one) => rowAt(search, one).name).join(", ")
  if (by.split.restLength > exactDependence) fail("postprocess/ill-conditioned", { what: names })
  return fail("postprocess/infeasible", { what: names })
}

function rowAt({ rows }: Search, index: number): Halfspace {
  const row = rows[index]
  assert(row !== undefined, "an active constraint is one of those given")
  return row
}
