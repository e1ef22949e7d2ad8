// Synthetic data in rounds: every column, rough tables of all pairs, close tables of the pairs that matter,
// twice, and tables to check the result with. Each round is decided from noisy tables of the rounds before it
// and nothing else, so that what a round loses is what its tables lose.

import { assert } from "@dosimeter/core/errors"
import { coarserPlaces, sumInto } from "./cell-places.ts"
import { choosePairs, roughPairs, type Candidate } from "./choose-pairs.ts"
import { differenceOf, type Difference } from "./fidelity.ts"
import { fitModel, type Fitted, type NoisyShares } from "./fit-model.ts"
import { GraphicalModel } from "./graphical-model.ts"
import { closeGroupsMax, groupsOfGroups, groupValues } from "./group-values.ts"
import { junctionTree } from "./junction-tree.ts"
import { allPairs, columnShares, differenceToRough, shared, totalOf } from "./round-tables.ts"
import {
  roundNames,
  roundShares,
  type NoisyTable,
  type Round,
  type RoundName,
  type RoundShares,
  type SyntheticSpec,
  type TableRequest,
} from "./rounds.ts"
import { classesOf, impossibleCells } from "./rule-classes.ts"
import { sampleRows, tableOfRows, type CodedRows } from "./sample-rows.ts"
import { SeededNumbers } from "./seeded-numbers.ts"
import { withinGroups } from "./within-groups.ts"

/** Rough tables have at most so many groups of each attribute. */
const roughGroupsMax = 6
/** Cells of all cliques of a model together. */
const modelCellsMax = 2 ** 16
/** Pairs with rough tables alone are let in while the model is smaller than this. */
const roughCellsMax = 2 ** 14
/** Rows that are drawn to see what a model says of pairs that stand in no clique. */
const trialRows = 20_000

/** The rounds, one after the other. */
export class Synthesis {
  readonly spec: SyntheticSpec
  readonly #taken: NoisyTable[] = []
  #left = 1
  #groups: {
    readonly close: readonly (readonly number[])[]
    readonly rough: readonly (readonly number[])[]
  } = {
    close: [],
    rough: [],
  }
  #pairs: readonly (readonly [number, number])[] = []
  /** Pairs that stand in the model with their rough tables alone. */
  #rough: readonly (readonly [number, number])[] = []
  #fitted: Fitted | undefined
  readonly #shares: RoundShares
  #names: RoundName[]

  constructor(spec: SyntheticSpec) {
    this.spec = spec
    this.#shares = spec.rounds ?? roundShares
    const names = spec.attributes.length > 1 ? roundNames : (["columns", "check"] as const)
    this.#names = names.filter((name) => (this.#shares[name] ?? 0) > 0)
  }

  /** The tables that were measured so far. */
  get taken(): readonly NoisyTable[] {
    return this.#taken
  }

  /** What is measured next; undefined where all is. */
  next(): Round | undefined {
    for (;;) {
      const [name] = this.#names
      if (name === undefined) return undefined
      const tables = this.#tablesOf(name)
      // What a round does not need is left to the rounds after it.
      if (tables.length > 0) return { name, tables }
      this.#names.shift()
      if (this.#fitted !== undefined) this.#fit()
    }
  }

  /** Takes the counts of the tables of the last round. */
  take(
    round: Round,
    measured: readonly { readonly counts: Float64Array; readonly variance: number }[],
  ): void {
    assert(round.name === this.#names[0] && measured.length === round.tables.length, "rounds come in turn")
    this.#names.shift()
    for (const [place, table] of round.tables.entries()) {
      const found = measured[place]
      assert(found !== undefined && found.variance > 0, "every table was measured")
      assert(found.counts.every(Number.isFinite), "noisy counts are numbers")
      this.#taken.push({ ...table, ...found, round: round.name })
      this.#left -= table.share
    }
    if (round.name === "columns") this.#group()
    if (round.name === "close pairs" || round.name === "more close pairs") {
      const chosen = round.tables.flatMap(({ attributes: [a, b] }) =>
        a === undefined || b === undefined ? [] : [[a, b] as const],
      )
      this.#pairs = [...this.#pairs, ...chosen]
    }
    if (round.name !== "check") this.#fit()
  }

  /** How many rows the data has, as far as the noisy tables say: at least 1. */
  get rows(): number {
    return Math.max(1, totalOf(this.#taken.filter(({ round }) => round !== "check")))
  }

  /** Rows of the codes that attributes have; equal for an equal seed. */
  make(rows: number, seed: string): CodedRows {
    const { attributes } = this.spec
    assert(this.#fitted !== undefined, "columns were measured")
    const random = new SeededNumbers(seed)
    const coarse = sampleRows(this.#fitted, rows, random)
    return attributes.map(({ size }, attribute) => {
      const own = coarse[attribute] ?? new Int32Array(rows)
      const counts = this.#columnTable(attribute)?.counts ?? new Float64Array(size)
      const groups = this.#groups.close[attribute] ?? []
      return withinGroups(own, groups, { counts, random })
    })
  }

  /** How far rows are from the data, by column and by pair: told by the tables of the last round. */
  check(
    made: CodedRows,
    confidence: number,
  ): readonly (Difference & { readonly attributes: readonly number[] })[] {
    const sizes = this.spec.attributes.map(({ size }) => size)
    const length = Math.max(1, made[0]?.length ?? 0)
    const checks = this.#taken.filter(({ round }) => round === "check")
    // Not by the checks themselves: their noise must have no part in what they are compared with.
    const { rows } = this
    return checks.map((table) => {
      const { attributes, counts, variance } = table
      const fine = tableOfRows(made, sizes, attributes)
      const places = coarserPlaces(attributes, sizes, table)
      const own = sumInto(fine, places, new Float64Array(counts.length)).map(
        (count) => (count * rows) / length,
      )
      return { attributes, ...differenceOf({ made: own, noisy: counts, variance, rows }, confidence) }
    })
  }

  /** What stands together closely in the model. */
  get pairs(): readonly (readonly [number, number])[] {
    return this.#pairs
  }

  #tablesOf(name: RoundName): readonly TableRequest[] {
    const { attributes } = this.spec
    const ones = [...attributes.keys()]
    switch (name) {
      case "columns":
        return ones.map((attribute) => ({
          attributes: [attribute],
          groups: [Array.from({ length: attributes[attribute]?.size ?? 0 }, (_, code) => code)],
          share: this.#shareOf(name) / ones.length,
        }))
      case "rough pairs":
        return shared(allPairs(ones), this.#shareOf(name), this.#groups.rough)
      case "close pairs":
      case "more close pairs":
        return shared(
          this.#choose(name).map((pair) => [...pair]),
          this.#shareOf(name),
          this.#groups.close,
        )
      case "check": {
        const each = this.#left / (ones.length + allPairs(ones).length)
        return [
          ...ones.map((one) => ({ attributes: [one], groups: [this.#groups.close[one] ?? []], share: each })),
          ...allPairs(ones).map((pair) => ({
            attributes: pair,
            groups: pair.map((one) => this.#groups.rough[one] ?? []),
            share: each,
          })),
        ]
      }
      default:
        return name satisfies never
    }
  }

  // Of what is left, in the proportions of the rounds that are left.
  #shareOf(name: RoundName): number {
    const left = this.#names.reduce((sum, one) => sum + (this.#shares[one] ?? 0), 0)
    return (this.#left * (this.#shares[name] ?? 0)) / left
  }

  #columnTable(attribute: number): NoisyTable | undefined {
    return this.#taken.find(({ round, attributes }) => round === "columns" && attributes[0] === attribute)
  }

  // The variance of one table that has the whole loss to itself.
  #varianceOfAll(): number {
    const [first] = this.#taken
    return first === undefined ? 0 : first.variance * first.share
  }

  #group(): void {
    const { attributes, rules } = this.spec
    const count = attributes.length
    const closeNoise = Math.sqrt((this.#varianceOfAll() * count) / (this.#shares["close pairs"] ?? 1))
    const pairs = Math.max(1, (count * (count - 1)) / 2)
    const roughNoise = Math.sqrt((this.#varianceOfAll() * pairs) / (this.#shares["rough pairs"] ?? 1))
    const { rows } = this
    // A rough table of g x g cells has so much noise that no more groups than this tell anything.
    const groups = Math.floor(Math.sqrt((roughNoiseMost * rows) / (roughNoise * 0.8)))
    const roughGroups = Math.min(roughGroupsMax, Math.max(3, groups))
    const close = attributes.map((one, attribute) => {
      const table = this.#columnTable(attribute)
      const counts = table?.counts ?? new Float64Array(one.size)
      const classes = classesOf(attribute, attributes, rules)
      const least = Math.max(3 * Math.sqrt(table?.variance ?? 0), 2 * closeNoise)
      return groupValues({ ...one, counts, classes }, { groupsMax: closeGroupsMax, least })
    })
    const rough = attributes.map((one, attribute) => {
      const own = close[attribute] ?? []
      const size = Math.max(0, ...own) + 1
      const counts = new Float64Array(size)
      for (const [value, group] of own.entries()) {
        counts[group] = (counts[group] ?? 0) + (this.#columnTable(attribute)?.counts[value] ?? 0)
      }
      const limits = { groupsMax: roughGroups, least: rows / (4 * roughGroups) }
      const grouped = { ...one, counts, classes: Array.from({ length: size }, () => 0) }
      return groupsOfGroups(own, groupValues(grouped, limits))
    })
    this.#groups = { close, rough }
  }

  #sizes(): readonly number[] {
    return this.#groups.close.map((groups) => Math.max(0, ...groups) + 1)
  }

  #close(): readonly (readonly number[])[] {
    return [...this.spec.rules.map(({ attributes }) => attributes), ...this.#pairs]
  }

  #choose(name: RoundName): readonly (readonly [number, number])[] {
    const fitted = this.#fitted
    assert(fitted !== undefined, "pairs are chosen by what a model lacks")
    const sizes = this.#sizes()
    const { rows } = this
    const trial = sampleRows(fitted, trialRows, new SeededNumbers(`${this.spec.seed} trial`))
    const rough = this.#taken.filter(({ round }) => round === "rough pairs")
    const candidates = rough.flatMap((table): readonly Candidate[] => {
      const [a, b] = table.attributes
      if (a === undefined || b === undefined || this.#pairs.some((pair) => pair[0] === a && pair[1] === b)) {
        return []
      }
      const { target } = this.spec
      const weight = a === target || b === target ? 2 : 1
      const missing = weight * differenceToRough(trial, sizes, { ...this.#onGroups(table), rows })
      return [{ attributes: [a, b], missing, cells: (sizes[a] ?? 1) * (sizes[b] ?? 1) }]
    })
    const noiseOfOne = (Math.sqrt(this.#varianceOfAll() / this.#shareOf(name)) * 0.8) / rows
    const { isTree = false } = this.spec
    const limits = { sizes, together: this.#close(), cellsMax: modelCellsMax }
    const chosen = choosePairs(candidates, {
      ...limits,
      pairsMax: name === "close pairs" ? sizes.length : 2 * sizes.length,
      noiseOfOne,
      isTree,
    }).map(({ attributes }) => attributes)
    const left = candidates.filter(({ attributes }) => !chosen.includes(attributes))
    const room = { ...limits, cellsMax: roughCellsMax, together: [...limits.together, ...chosen] }
    this.#rough = isTree ? [] : roughPairs(left, room)
    return chosen
  }

  // A table in terms of the groups of the model.
  #onGroups(table: NoisyTable): NoisyTable {
    const groups = table.attributes.map((attribute, place) => {
      const own = this.#groups.close[attribute] ?? []
      const coarse = table.groups[place] ?? []
      const ofGroup: number[] = []
      for (const [value, group] of own.entries()) ofGroup[group] = coarse[value] ?? 0
      return ofGroup
    })
    return { ...table, groups }
  }

  #fit(): void {
    const { rules } = this.spec
    const sizes = this.#sizes()
    const model = new GraphicalModel(sizes, junctionTree(sizes, [...this.#close(), ...this.#rough]))
    const { rows } = this
    const noisy = this.#taken.map((table): NoisyShares => {
      if (table.round === "columns") return columnShares(table, this.#groups.close, rows)
      const variances = new Float64Array(table.counts.length).fill(table.variance / rows ** 2)
      const { attributes, groups } = this.#onGroups(table)
      return { attributes, groups, shares: table.counts.map((count) => count / rows), variances }
    })
    const earlier = this.#fitted === undefined ? {} : { weights: this.#fitted.weights }
    this.#fitted = fitModel(model, {
      noisy,
      impossible: impossibleCells(rules, this.#groups.close),
      ...earlier,
    })
  }
}

/** Rough tables are kept so coarse that noise is about this share of all rows. */
const roughNoiseMost = 0.12
