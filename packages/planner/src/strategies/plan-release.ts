// One boundary becomes one release: what must be bounded, which keys are shown, what is measured at which
// noise.

import { rational, zero, type Rational } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type {
  Boundary,
  DistinctAggregate,
  BoundaryAggregate,
  ModeAggregate,
  QuantileAggregate,
} from "@dosimeter/proof/algebra/rel"
import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { LinearMeasurement, Reading } from "@dosimeter/proof/algebra/measurement"
import type { Extract, KeyPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { boundingWithin, type ProvenBounding } from "../extracts/bounding-of.ts"
import {
  addedGrid,
  buildDistinct,
  isAdditive,
  isNumberOfUnits,
  isPlainCount,
  withWeights,
  type AdditiveAggregate,
  type Bounding,
  type MainExtract,
} from "../extracts/build-extract.ts"
import { chooseAdditive, chooseKeys, type UnitBounds } from "../aggregates/choose-mechanisms.ts"
import { chooseTop, type TopGroups } from "../aggregates/choose-top.ts"
import { keyLists, listedConditions, onlyListed, publicKeys } from "../keys/key-lists.ts"
import {
  histogramOf,
  modeValue,
  pendingMode,
  pendingQuantiles,
  quantileValue,
  type ReadHistogram,
  type Weighing,
} from "./choices.ts"
import { mainExtract } from "./main-extract.ts"
import { MomentDrafts } from "./plan-moments.ts"
import { preparedForm, type PreparedForm } from "../copies/prepared-form.ts"
import type { Allowance, Pending } from "../loss/share-out.ts"

const one = rational(1n)

/** What a unit adds to each cell of a column, and to how many cells. */
export interface Amounts {
  readonly lower: bigint
  readonly upper: bigint
  readonly groupsPerUnit: bigint
}

/** A release whose tables are built, waiting for its share of the loss. */
export class ReleaseDraft {
  /** How many equal parts of the loss it needs. */
  readonly parts: number
  /** Whether its keys come from the data, so that it needs a delta. */
  readonly selectsKeys: boolean
  readonly #asked: Boundary
  readonly #boundary: Boundary
  readonly #proven: ProvenBounding
  readonly #bounding: Bounding
  readonly #bounds: UnitBounds
  readonly #lists: ReturnType<typeof keyLists>
  readonly #main: MainExtract | undefined
  readonly #form: PreparedForm | undefined
  /** All rows, where quantiles are asked for. */
  readonly #whole: PreparedForm | undefined
  readonly #moments: MomentDrafts
  readonly #extracts: Extract[] = []
  readonly #pending: readonly Pending[]
  /** Whether a part of the loss is for keys. */
  readonly #selects: boolean
  /** What keys are selected by: a count of units, or one of rows that is asked for. */
  readonly #keysBy: "units" | "rows"
  readonly #isKeyCount: boolean[] = []
  readonly #ids: ColumnIds
  readonly #quantileMiss: Rational | undefined
  /** Where each column of the main extract was first asked for. */
  readonly #firstUse = new Map<number, number>()
  readonly #top: TopGroups | undefined
  readonly #groupsInAll: bigint | undefined
  readonly #amounts = new Map<number, Amounts>()
  #countsKeys = false
  /** How many histograms have weighed rows, and what a row of full weight counts in them. */
  #weighed = 0
  #full: bigint | undefined

  constructor(
    asked: Boundary,
    options: {
      readonly proven: ProvenBounding
      readonly neighbours: Neighbours
      readonly ids: ColumnIds
      readonly prepared: readonly PreparedTable[]
      /** Whether sums and counts of the same values are columns of their own, not read from one vector. */
      readonly readsApart?: true
      /** To choose the largest groups first, and measure those alone. */
      readonly top?: TopGroups
      /** To select keys by the noisy count of rows that is asked for; only where `mayCountRows` says so. */
      readonly keysBy?: "rows"
      /** How often intervals of quantiles may fail; undefined if none are wanted. */
      readonly quantileMiss: Rational | undefined
    },
  ) {
    this.#asked = asked
    this.#proven = options.proven
    this.#ids = options.ids
    this.#quantileMiss = options.quantileMiss
    this.#lists = keyLists(asked)
    this.#boundary = this.#lists === undefined ? asked : onlyListed(asked)
    const groupsInAll = this.#lists === undefined ? undefined : BigInt(this.#lists.count)
    this.#top = options.top
    this.#groupsInAll = groupsInAll
    this.#bounding = boundingWithin(options.proven.bounding, groupsInAll, options.top !== undefined)
    const { groupsPerUnit } = this.#bounding
    const { neighbours } = options
    const shown = options.top?.k
    this.#bounds =
      shown === undefined
        ? { groupsPerUnit, groupsInAll, neighbours }
        : { groupsPerUnit: groupsPerUnit < shown ? groupsPerUnit : shown, groupsInAll: shown, neighbours }
    const listed = this.#lists === undefined ? [] : listedConditions(asked)
    this.#form = preparedForm(asked, this.#bounding, { ...options, listed, rows: "bounded" })
    this.#whole = asked.aggregates.some(({ kind }) => kind === "quantile")
      ? preparedForm(asked, this.#bounding, { ...options, listed, rows: "all" })
      : undefined
    this.#keysBy = options.keysBy ?? "units"
    const countsUnits = this.#lists === undefined && this.#keysBy === "units"
    const { oneRow, unit, rowsPerGroup } = this.#bounding
    const inVectors = options.readsApart === true ? { ...asked, aggregates: [] } : asked
    this.#moments = new MomentDrafts(inVectors, this.#bounds, {
      sameRows: oneRow || unit === undefined || this.#form !== undefined,
      rowsPerGroup,
      isFree: (aggregate) =>
        countsUnits && shown === undefined && isAdditive(aggregate) && isNumberOfUnits(aggregate, oneRow),
    })
    const { families } = this.#moments
    if (countsUnits || asked.aggregates.some(isAdditive)) {
      this.#main = mainExtract(this.#boundary, this.#bounding, {
        form: this.#form,
        families,
        countsUnits,
        groupsInAll,
        ids: this.#ids,
      })
      this.#extracts.push(this.#main.extract)
    }
    this.#pending = asked.aggregates.map((aggregate, index) => this.#aggregate(aggregate, index))
    this.selectsKeys = this.#lists === undefined
    this.#selects = this.selectsKeys || this.#top !== undefined
    const paying = this.#pending.filter(({ aggregate }) => aggregate !== undefined)
    this.parts = paying.length + (this.#selects ? 1 : 0)
  }

  /** Whether its tables are read from prepared copies. */
  get readsCopies(): boolean {
    return this.#form !== undefined
  }

  /** Whether some combinations of its keys are impossible. */
  get hasPossible(): boolean {
    return this.#lists?.blocks !== undefined
  }

  /** Whether the selection of keys gives a count that is asked for. */
  get givesKeyCounts(): boolean {
    return this.#countsKeys
  }

  /** Whether keys come from the data and nothing is asked for but COUNT(*), which keys do not give yet. */
  get mayCountRows(): boolean {
    const { aggregates } = this.#asked
    const isOpen = this.#lists === undefined && this.#top === undefined && !this.#countsKeys
    return isOpen && aggregates.length > 0 && aggregates.every(isPlainCount)
  }

  /** Whether there may be more groups than these. */
  hasMoreThan(groups: bigint): boolean {
    return this.#groupsInAll === undefined || this.#groupsInAll > groups
  }

  /** Whether all groups of a unit count. */
  get countsAllGroups(): boolean {
    return this.#bounding.oneGroup
  }

  /** The most groups of a unit that count. */
  get groupsPerUnit(): bigint {
    return this.#bounding.groupsPerUnit
  }

  /** The columns of sums that are paid for, in the order of the aggregates. */
  get columns(): readonly number[] {
    return [...this.#amounts.keys()]
  }

  /** What a unit adds to a column of sums. */
  amounts(column: number): Amounts {
    return this.#amounts.get(column) ?? { lower: 0n, upper: 0n, groupsPerUnit: 0n }
  }

  /**
   * The weight of each part that the release needs, keys first: the largest of the aggregates that it
   * pays for.
   */
  partWeights(aggregates: readonly number[]): readonly number[] {
    const paid = aggregates.map((weight, index) =>
      this.#pending.reduce(
        (most, { paidBy }, other) => (paidBy === index ? Math.max(most, aggregates[other] ?? 1) : most),
        weight,
      ),
    )
    const own = paid.filter((_, index) => this.#pending[index]?.aggregate !== undefined)
    // Keys that give the number of units pay for it.
    const free = aggregates.filter((_, index) => this.#isKeyCount[index] === true)
    return this.#selects ? [Math.max(1, ...free), ...own] : own
  }

  /** The release, with a part of the loss for every mechanism: equal ones, or one for each part. */
  finish(allowance: Allowance, parts: Rational | readonly Rational[]): Release {
    const left = "numerator" in parts ? Array.from({ length: this.parts }, () => parts) : [...parts]
    const part = this.#selects ? (left.shift() ?? zero) : zero
    const { groupsPerUnit, rowsPerGroup } = this.#bounding
    const { rowsProof } = this.#proven
    const { keys, extracts } = this.#keys(allowance, part)
    const all = this.#top === undefined || this.#lists === undefined ? undefined : allCount(this.#top)
    const groupsProof = this.#proven.groupsProof ?? all
    return {
      extracts,
      prepared: this.#labels(),
      bounds: { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, ...this.#scaled() },
      keys,
      measurements: this.#pending.flatMap(
        ({ aggregate }) => aggregate?.(allowance, left.shift() ?? zero) ?? [],
      ),
      readings: this.#readings(),
      columns: this.#asked.columns.map(({ id }) => id),
    }
  }

  // Where nothing but weighed histograms is read, no row and no group is dropped.
  #scaled(): Pick<Release["bounds"], "scaled"> {
    const full = this.#full
    if (full === undefined || this.#weighed < this.#extracts.length || this.#selects) return {}
    const { groupsPerUnit, rowsPerGroup } = this.#bounding
    return { scaled: { norm: "l1", bound: full * groupsPerUnit * rowsPerGroup } }
  }

  // The copies that are read, bounded and whole.
  #labels(): readonly string[] {
    const readsBounded =
      this.#main !== undefined || this.#asked.aggregates.some(({ kind }) => kind !== "quantile")
    const bounded = readsBounded ? (this.#form?.labels ?? []) : []
    return [...new Set([...bounded, ...(this.#whole?.labels ?? [])])].toSorted()
  }

  #readings(): readonly Reading[] {
    const payers = this.#pending.flatMap(({ aggregate }, index) => (aggregate === undefined ? [] : [index]))
    return this.#pending.flatMap(({ readings, paidBy }, index) => readings(payers.indexOf(paidBy ?? index)))
  }

  #keys(allowance: Allowance, amount: Rational): Pick<Release, "keys" | "extracts"> {
    const extracts = this.#extracts
    if (this.#asked.keys.length === 0) return { keys: { kind: "none" }, extracts }
    if (this.#top !== undefined) return { keys: this.#topKeys(this.#top, allowance, amount), extracts }
    if (this.#lists !== undefined) return { keys: publicKeys(this.#lists), extracts }
    const { unit, oneGroup } = this.#bounding
    const main = this.#main
    const [rows] = this.#keysBy === "rows" ? [...(main?.columns.values() ?? [])] : []
    const of = { wantsCount: this.#countsKeys, rowsPerGroup: rows?.upper ?? 1n }
    const wish = { amount, ...of, canWeigh: !oneGroup && unit !== undefined }
    const spec = chooseKeys(this.#bounds, allowance, wish)
    if (spec.kind !== "keys-weighted" || main === undefined || unit === undefined) {
      return { keys: { kind: "private", units: rows?.id ?? main?.units ?? -1, spec }, extracts }
    }
    const { extract, weights } = withWeights(main, { unit, table: spec.weights }, this.#ids)
    return { keys: { kind: "private", units: weights, spec }, extracts: extracts.with(0, extract) }
  }

  #topKeys({ k, aggregate }: TopGroups, allowance: Allowance, amount: Rational): KeyPlan {
    const { groupsPerUnit } = this.#bounding
    const { neighbours } = this.#bounds
    const asked = this.#asked.aggregates[aggregate]
    const own = asked !== undefined && isAdditive(asked) ? this.#main?.columns.get(asked) : undefined
    const column = own ?? this.#moments.columnOf(asked, this.#main)
    const { id: score, upper } = column ?? { id: -1, upper: 1n }
    const bounds = { k, upper, groupsPerUnit, groupsInAll: this.#groupsInAll, neighbours }
    return {
      kind: "top",
      lists: this.#lists?.lists,
      score,
      reading: this.#asked.aggregates.slice(0, aggregate).reduce((sum, one) => sum + columnCount(one), 0),
      spec: chooseTop(bounds, allowance, amount),
    }
  }

  #aggregate(aggregate: BoundaryAggregate, index: number): Pending {
    const pending = this.#moments.pending(aggregate, this.#main)
    if (pending !== undefined) return pending
    switch (aggregate.kind) {
      case "persons":
      case "rows":
      case "sum":
        return this.#additive(aggregate, index)
      case "distinct":
        return this.#distinct(aggregate)
      case "quantile":
        return this.#quantiles(aggregate)
      case "mode":
        return this.#mode(aggregate)
      default:
        return aggregate satisfies never
    }
  }

  #additive(aggregate: AdditiveAggregate, index: number): Pending {
    const column = this.#main?.columns.get(aggregate) ?? { id: -1, lower: 0n, upper: 1n }
    const { label } = aggregate
    const isOfKeys = this.#keysBy === "rows" || column.id === this.#main?.units
    if (this.#lists === undefined && this.#top === undefined && isOfKeys) {
      this.#countsKeys = true
      this.#isKeyCount[index] = true
      return { readings: () => [{ kind: "key-count", label }] }
    }
    const before = this.#firstUse.get(column.id)
    if (before !== undefined) return { paidBy: before, readings: cellOf(label) }
    this.#firstUse.set(column.id, index)
    const grid = aggregate.kind === "sum" ? addedGrid(aggregate) : one
    const of = aggregate.kind === "sum" ? "values" : aggregate.kind === "rows" ? "rows" : "units"
    return this.#noisy({ label, extract: 0, columns: [{ id: column.id, of }], grid }, column)
  }

  #distinct(aggregate: DistinctAggregate): Pending {
    const built = buildDistinct(this.#boundary, aggregate, this.#bounding, this.#ids)
    const { extract, count, rowsPerGroup: upper } = built
    const place = this.#extracts.push(extract) - 1
    const { label } = aggregate
    const columns = [{ id: count, of: "distinct" }] as const
    return this.#noisy({ label, extract: place, columns, grid: one }, { lower: 0n, upper })
  }

  #noisy(
    what: Omit<LinearMeasurement, "kind" | "strategy">,
    { lower, upper }: { readonly lower: bigint; readonly upper: bigint },
  ): Pending {
    const { groupsPerUnit } = this.#bounding
    for (const { id } of what.columns) this.#amounts.set(id, { lower, upper, groupsPerUnit })
    return {
      aggregate: (allowance, part) => ({
        kind: "linear",
        ...what,
        strategy: {
          kind: "identity",
          spec: chooseAdditive({ ...this.#bounds, lower, upper }, allowance, part),
        },
      }),
      readings: cellOf(what.label),
    }
  }

  #quantiles(aggregate: QuantileAggregate): Pending {
    const form = this.#whole
    const value = quantileValue(aggregate, form?.stored.get(aggregate))
    // A stored number of rows is that of all of them.
    const isOfAll = aggregate.where === undefined && !value.of.domain.nullable
    const weighing = { ...this.#bounding, rowTotal: isOfAll ? form?.rowTotal : undefined }
    const read = this.#read({ value, rows: "weighed" }, form?.boundary ?? this.#boundary, weighing)
    return pendingQuantiles(aggregate, read, this.#quantileMiss)
  }

  #mode(aggregate: ModeAggregate): Pending {
    const form = this.#form
    // Places of a copy bound rows and groups already.
    const bounding = form === undefined ? this.#bounding : { ...this.#bounding, oneRow: true, oneGroup: true }
    const drawn = { value: modeValue(aggregate), rows: "drawn" } as const
    return pendingMode(aggregate, this.#read(drawn, form?.boundary ?? this.#boundary, bounding))
  }

  #read(wanted: Parameters<typeof histogramOf>[1], boundary: Boundary, bounding: Weighing): ReadHistogram {
    const histogram = histogramOf(boundary, wanted, bounding, this.#ids)
    if (histogram.full !== undefined) this.#weighed += 1
    this.#full = histogram.full ?? this.#full
    const place = this.#extracts.push(histogram.extract) - 1
    return { ...histogram, place, rows: this.#bounding.rowsPerGroup, bounds: this.#bounds }
  }
}

// The noisy number of each group, as it was drawn.
function cellOf(label: string): Pending["readings"] {
  return (measurement) => [{ kind: "linear", label, measurement, column: 0, isWhole: true }]
}

function allCount({ k }: TopGroups): string {
  return `all groups of each count, as only ${k} are shown`
}
