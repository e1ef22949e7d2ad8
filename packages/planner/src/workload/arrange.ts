// What a workload measures, decided item by item: pay for it, pay for the aggregates that no other part has,
// or work it out from what is paid for already, whichever makes the sum of relative errors least.

import { rational, type Accounting, type Rational } from "@dosimeter/core"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { BoundStatement } from "../question/plan.ts"
import type { AllowanceShare } from "../loss/share-out.ts"
import {
  columnRatio,
  equalSources,
  paidErrors,
  sourcesFor,
  type Chosen,
} from "@dosimeter/answers/reuse/choose-sources"
import { wantedOf } from "@dosimeter/answers/reuse/derive"
import { paidMeans } from "@dosimeter/answers/reuse/mean-errors"
import type { Meaning } from "@dosimeter/answers/reuse/meaning"
import { onlyAggregates, widthsOf } from "./only-aggregates.ts"
import { virtualCandidates, virtualTable } from "./virtual-table.ts"

/** Something that a question needs. */
export interface Item {
  readonly question: number
  readonly statement: BoundStatement
  /** Undefined where the statement can only be paid for as a whole. */
  readonly boundary: Boundary | undefined
  /** How much the error of each of its columns counts. */
  readonly weight: number
}

/** A plan that is not proven yet. */
export interface Planned {
  readonly plan: ReleasePlan
  readonly meanings: readonly (Meaning | undefined)[]
}

/** Something that is paid for. */
export interface Part {
  readonly statement: BoundStatement
  readonly planned: Planned
  /** What rests on it: relative errors times weights, by question. */
  readonly load: ReadonlyMap<number, number>
}

interface Options {
  /** The plan of a statement, for a share of the allowance or all of it. */
  readonly planned: (statement: BoundStatement, share?: AllowanceShare) => Planned
  readonly accounting: Accounting
  readonly shownFrom: bigint | undefined
}

/** One way to get an item: new loads on parts, and perhaps a new part. */
interface Way {
  readonly loads: readonly { readonly part: number; readonly load: number }[]
  readonly paid: { readonly statement: BoundStatement; readonly load: number } | undefined
}

type Source = Chosen["sources"][number]

const shareSteps = 1 << 20

/**
 * The parts of a workload, and what rests on each.
 *
 * Where a part has the share s of the loss, its noise is that of the whole loss times s^-q (q = 1/2 for
 * losses in rho and mu squared, 1 for epsilon). With a_r the weighted sum of the errors that rest on part r,
 * relative to those of each question by itself, the sum of a_r s_r^-q under sum of s_r = 1 is least for
 * shares in proportion to a_r^(1 / (1 + q)), and then grows with the sum of these.
 */
export class Arrangement {
  parts: readonly Part[] = []
  readonly #options: Options
  readonly #wholes = new Map<number, number>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Finds the best way to get an item. */
  add(item: Item): void {
    const whole: Way = {
      loads: [],
      paid: { statement: item.statement, load: item.weight * this.#widthOf(item) },
    }
    if (item.boundary === undefined) {
      this.#wholes.set(item.question, this.parts.length)
      this.#take(whole, item)
      return
    }
    const ways = [...this.#ways(item, item.boundary), whole]
    const costs = ways.map((way) => this.#costOf(way, item))
    const best = ways[costs.indexOf(Math.min(...costs))]
    this.#take(best ?? whole, item)
  }

  /** The share of each part, in amount; deltas are shared among those that select keys. */
  shares(): readonly AllowanceShare[] {
    const powers = this.parts.map((part) => this.#power(loadOf(part)))
    const total = powers.reduce((sum, power) => sum + power, 0)
    const selects = this.parts.map(({ planned }) =>
      planned.plan.releases.some(
        ({ keys }) => keys.kind === "private" || (keys.kind === "top" && keys.lists === undefined),
      ),
    )
    const delta = rational(1n, BigInt(Math.max(selects.filter(Boolean).length, 1)))
    // Rounded down, and at least a step each: together they are no more than all.
    const steps = shareSteps - powers.length
    return powers.map((power) => ({
      amount: rational(BigInt(Math.max(1, Math.floor((power / total) * steps))), BigInt(shareSteps)),
      delta,
      selectsKeys: selects.includes(true),
    }))
  }

  /** The part that is a question's own plan, if it was paid for as a whole. */
  partOfQuestion(question: number): number | undefined {
    return this.#wholes.get(question)
  }

  /** What a question costs, given the amounts of the parts: each is shared by what rests on it. */
  costOf(question: number, amounts: readonly number[]): number {
    return this.parts.reduce((sum, part, index) => {
      const own = part.load.get(question) ?? 0
      return sum + (amounts[index] ?? 0) * (own / loadOf(part))
    }, 0)
  }

  #ways(item: Item, boundary: Boundary): readonly Way[] {
    const { plan, meanings } = this.#options.planned(item.statement)
    const [release] = plan.releases
    const [meaning] = meanings
    if (release === undefined || meaning === undefined) return []
    const miss = 1 - Number(plan.confidence.numerator) / Number(plan.confidence.denominator)
    const alone = paidErrors(release, plan.confidence, miss)
    const wanted = wantedOf(release, meaning, plan.confidence)
    const candidates = virtualCandidates(this.parts.map(({ planned }) => tableOf(planned, plan.confidence)))
    const sources = sourcesFor(wanted, candidates, this.#options).filter(
      ({ derivation }) => derivation.differences.length === 0,
    )
    const means = paidMeans(release, miss)
    const loadFrom = (source: Source, column: number): number => {
      const ratio = columnRatio([source], column, { paid: alone, means, miss })
      return item.weight * ((alone[column] ?? 0) === 0 ? 1 : ratio)
    }
    const whole = sources.filter(({ derivation }) => derivation.columns.every((place) => place !== undefined))
    const single = whole.map((source): Way => {
      const load = alone.reduce((sum, _, column) => sum + loadFrom(source, column), 0)
      return { loads: [{ part: Number(source.charge), load }], paid: undefined }
    })
    if (wanted.groups === undefined) return single
    const equal = equalSources(sources)
    const best = alone.map((_, column) => bestSource(equal, column, loadFrom))
    return [...single, ...this.#partly(item, boundary, best)]
  }

  // Measures that another part already has are read from that part; the others are paid for.
  #partly(
    item: Item,
    boundary: Boundary,
    best: readonly ({ readonly part: number; readonly load: number } | undefined)[],
  ): readonly Way[] {
    const widths = widthsOf(boundary)
    let next = 0
    const found = widths.map((width) => {
      const columns = best.slice(next, next + width)
      next += width
      return columns.every((one) => one !== undefined) ? columns : undefined
    })
    if (found.every((columns) => columns === undefined)) return []
    const loads = found.flatMap((columns) => columns ?? [])
    const missing = found.map((columns) => columns === undefined)
    if (!missing.includes(true)) return [{ loads, paid: undefined }]
    const rest = onlyAggregates(boundary, missing)
    const statement = { rel: rest, outputNames: rest.columns.map(({ name }) => name), notes: [] }
    const columns = widths.reduce((sum, width, index) => sum + (missing[index] === true ? width : 0), 0)
    // Fewer aggregates share the loss of the new part.
    const share = columns / Math.max(best.length, 1)
    return [{ loads, paid: { statement, load: item.weight * columns * share ** this.#exponent() } }]
  }

  #costOf({ loads, paid }: Way, { question }: Item): number {
    const parts = withLoads(this.parts, loads, question)
    const own = paid === undefined ? 0 : this.#power(paid.load)
    return parts.reduce((sum, part) => sum + this.#power(loadOf(part)), own)
  }

  #take({ loads, paid }: Way, { question }: Item): void {
    const parts = withLoads(this.parts, loads, question)
    if (paid === undefined) {
      this.parts = parts
      return
    }
    const { statement, load } = paid
    const planned = this.#options.planned(statement)
    this.parts = [...parts, { statement, planned, load: new Map([[question, load]]) }]
  }

  #widthOf({ boundary }: Item): number {
    return boundary === undefined ? 1 : widthsOf(boundary).reduce((sum, width) => sum + width, 0)
  }

  #exponent(): number {
    return this.#options.accounting === "pure" ? 1 : 1 / 2
  }

  #power(load: number): number {
    return load ** (1 / (1 + this.#exponent()))
  }
}

function bestSource(
  sources: readonly Source[],
  column: number,
  loadFrom: (source: Source, column: number) => number,
): { readonly part: number; readonly load: number } | undefined {
  const found = sources
    .filter(({ derivation }) => derivation.columns[column] !== undefined)
    .map((source) => ({ part: Number(source.charge), load: loadFrom(source, column) }))
    .filter(({ load }) => Number.isFinite(load))
  return found.toSorted((a, b) => a.load - b.load)[0]
}

function withLoads(parts: readonly Part[], loads: Way["loads"], question: number): readonly Part[] {
  return parts.map((part, index) => {
    const more = loads.filter((one) => one.part === index).reduce((sum, one) => sum + one.load, 0)
    if (more === 0) return part
    const load = new Map(part.load)
    load.set(question, (load.get(question) ?? 0) + more)
    return { ...part, load }
  })
}

function loadOf({ load }: Part): number {
  return [...load.values()].reduce((sum, one) => sum + one, 0)
}

/** The table of a part that is one release. */
export function tableOf(
  { plan, meanings }: Planned,
  confidence: Rational,
): ReturnType<typeof virtualTable> | undefined {
  const [release, ...others] = plan.releases
  const [meaning] = meanings
  if (release === undefined || meaning === undefined || others.length > 0) return undefined
  return virtualTable(release, meaning, confidence)
}
