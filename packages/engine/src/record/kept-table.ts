// A released table as text, for the ledger: what it is of, its noisy values, and the exact law of their
// noise. All of it was released, or is public.

import { compare, rational, showRational, zero, type Rational } from "@dosimeter/core/exact"
import { choiceError } from "@dosimeter/answers/measurements/reading-noise"
import {
  keptFacts,
  type KeptColumnFacts,
  type KeptFacts,
  type KeptScale,
  type KeptKeyFacts,
} from "@dosimeter/answers/reuse/kept-facts"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { KeptChoices, KeptColumn, KeptTable } from "@dosimeter/answers/reuse/derived-table"
import type { Meaning } from "@dosimeter/answers/reuse/meaning"
import type { NoiseLaw, NoiseTerm } from "@dosimeter/answers/measurements/noise-law"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { LeftOutLength, Release } from "@dosimeter/proof/algebra/release-plan"
import {
  canonicalJson,
  countField,
  fieldOf,
  listField,
  optionalText,
  parseJson,
  readText,
  textField,
  Unreadable,
  wordField,
} from "../ledger/entries/canonical.ts"
import { readJoint, writeJoint } from "./kept-joint.ts"
import { readList, readRational, readWhole } from "./kept-values.ts"
import type { MixedNoise, NoisyCell, NoisyRow } from "../release/measurements/noisy-cell.ts"

/** The table of a release, or undefined if its noise is not of one law a column. */
export function keptTable(
  { release, meaning }: { readonly release: Release; readonly meaning: Meaning },
  rows: readonly NoisyRow[],
  confidence: Rational,
): KeptTable | undefined {
  const { keys } = release
  // Rows of several groupings share their noise.
  if (hasGroupings(keys)) return undefined
  const all = keptFacts(meaning, release, confidence)
  // The largest groups are chosen by other draws than those in their numbers.
  const facts: KeptFacts = keys.kind === "top" ? { ...all, selectedFrom: undefined, isPartial: true } : all
  const errors = release.readings.map((reading) => choiceError(reading, release, confidence))
  const draws = new Map<unknown, number>()
  const columns = facts.columns.map((_, place): KeptColumn | undefined => {
    const cells = rows.flatMap(({ cells: own }) => own[place] ?? [])
    const error = errors[place]
    return error === undefined ? numbersOf(cells, draws) : choicesOf(cells, error, draws)
  })
  if (!columns.every((column) => column !== undefined)) return undefined
  return { facts, keys: rows.map((row) => row.keys), columns }
}

/** Draws are told apart in the first row: columns with the same noise have the same cell there. */
type DrawPlaces = Map<unknown, number>

function placeOf(drawn: unknown, draws: DrawPlaces): number {
  const place = draws.get(drawn) ?? draws.size
  draws.set(drawn, place)
  return place
}

function numbersOf(cells: readonly NoisyCell[], draws: DrawPlaces): KeptColumn | undefined {
  const [first] = cells
  // No group was shown, which is an answer too.
  if (first === undefined) return { kind: "noisy", values: [], terms: [], slack: 0 }
  if (first.mixed !== undefined) return mixedOf(cells, first.mixed, draws)
  const { noise } = first
  if (noise === undefined) return undefined
  const values = cells.flatMap((cell) =>
    cell.value.kind === "number" && cell.noise !== undefined && isSame(cell.noise, noise)
      ? [cell.value.value]
      : [],
  )
  const terms = [{ draw: placeOf(first, draws), noise, factor: rational(1n) }]
  return values.length < cells.length ? undefined : { kind: "noisy", values, terms, slack: 0 }
}

// All cells of a column have the same factors; the values are kept as they were before rounding.
function mixedOf(
  cells: readonly NoisyCell[],
  { parts }: MixedNoise,
  draws: DrawPlaces,
): KeptColumn | undefined {
  const values = cells.flatMap(({ mixed }) => (mixed === undefined ? [] : [mixed.centre]))
  const terms = parts.map(({ draw, factor }) => ({ draw: placeOf(draw, draws), noise: draw.noise, factor }))
  return values.length < cells.length ? undefined : { kind: "noisy", values, terms, slack: 0 }
}

function choicesOf(cells: readonly NoisyCell[], error: bigint, draws: DrawPlaces): KeptColumn {
  const regions = cells.flatMap(({ region }) => region ?? [])
  return {
    kind: "chosen",
    values: cells.map(({ value }) => value),
    error,
    regions: cells.length > 0 && regions.length === cells.length ? regions : undefined,
    event: placeOf(regions[0]?.event ?? cells[0], draws),
  }
}

function isSame(a: NoiseLaw, b: NoiseLaw): boolean {
  const isLaw = a.law === b.law && a.shownFrom === b.shownFrom
  const isChance = compare(a.lowerChance ?? zero, b.lowerChance ?? zero) === 0
  return isLaw && isChance && compare(a.amount, b.amount) === 0 && compare(a.grid, b.grid) === 0
}

const plain = "dosimeter-table/1"
/**
 * The format of tables that were measured together, or are not whole: readers that know only the other format
 * skip them.
 */
const together = "dosimeter-table/2"
/** The format of tables whose units are scaled down. */
const scaledFormat = "dosimeter-table/3"

/** The text of a table: one line says what it is of, one holds its rows. */
export function writeKept({ facts, keys, columns, sets }: KeptTable): string {
  const rows = { keys: keys.map((row) => row.map(writeConstant)), columns: columns.map(writeColumn), sets }
  const isPlain = sets === undefined && facts.isPartial !== true
  const format = facts.scaled !== undefined ? scaledFormat : isPlain ? plain : together
  const shown = facts.scaled === undefined ? facts : { ...facts, scaled: writeScale(facts.scaled) }
  return `${canonicalJson({ format, facts: shown })}\n${canonicalJson(rows)}`
}

function writeScale({ beyond, confidence, worths, ...rest }: KeptScale): object {
  const scale = {
    ...rest,
    ...(confidence === undefined ? {} : { confidence: showRational(confidence) }),
    ...(worths === undefined ? {} : { worths: worths.map(showRational) }),
  }
  if (beyond === undefined) return scale
  const { estimate, most } = beyond
  const length = {
    estimate: showRational(estimate),
    ...(most === undefined ? {} : { most: showRational(most) }),
  }
  return { ...scale, beyond: length }
}

function writeColumn(column: KeptColumn): object {
  if (column.kind === "joint") return writeJoint(column)
  if (column.kind === "noisy") {
    const { kind, slack } = column
    const terms = column.terms.map(({ draw, noise, factor }) => ({
      draw: BigInt(draw),
      law: noise.law,
      amount: showRational(noise.amount),
      grid: showRational(noise.grid),
      shownFrom: noise.shownFrom,
      lowerChance: noise.lowerChance === undefined ? undefined : showRational(noise.lowerChance),
      factor: showRational(factor),
    }))
    return { kind, slack, terms, values: column.values.map(showRational) }
  }
  const { kind, error, event, regions } = column
  const shown = regions?.map(({ low, high, miss, least, most }) =>
    [low, high, miss, least, most].map(showRational),
  )
  return { kind, error, event: BigInt(event), regions: shown, values: column.values.map(writeConstant) }
}

/**
 * Reads a table; undefined if it was written by a later version, or is of no use. Throws Unreadable.
 */
export function readKept(text: string, isOfUse: (facts: KeptFacts) => boolean): KeptTable | undefined {
  const [head = "", body = ""] = text.split("\n")
  const value = parseJson(head)
  const format = textField(value, "format")
  if (format !== plain && format !== together && format !== scaledFormat) return undefined
  const facts = readFacts(fieldOf(value, "facts"))
  if (!isOfUse(facts)) return undefined
  const rows = parseJson(body)
  return {
    facts,
    keys: listField(rows, "keys", (row) => readList(row).map(readConstant)),
    columns: listField(rows, "columns", readColumn),
    ...(fieldOf(rows, "sets") !== undefined
      ? { sets: listField(rows, "sets", (set) => readList(set).map(Number)) }
      : {}),
  }
}

function readFacts(value: unknown): KeptFacts {
  const selected = optionalText(value, "selectedFrom")
  return {
    rows: textField(value, "rows"),
    conditions: listField(value, "conditions", readText),
    keys: listField(value, "keys", readKey),
    columns: listField(value, "columns", readColumnFacts),
    groupsPerUnit: countField(value, "groupsPerUnit"),
    rowsPerGroup: countField(value, "rowsPerGroup"),
    oneGroup: fieldOf(value, "oneGroup") === true,
    oneRow: fieldOf(value, "oneRow") === true,
    cutsGroups: fieldOf(value, "cutsGroups") === true,
    selectedFrom: selected === undefined ? undefined : countField(value, "selectedFrom"),
    ...(fieldOf(value, "isPartial") === true ? { isPartial: true as const } : {}),
    ...(fieldOf(value, "scaled") === undefined ? {} : { scaled: readScale(fieldOf(value, "scaled")) }),
  }
}

function readScale(value: unknown): KeptScale {
  const confidence = optionalText(value, "confidence")
  return {
    norm: wordField(value, "norm", ["l1", "l2"]),
    bound: countField(value, "bound"),
    vector: textField(value, "vector"),
    ...(fieldOf(value, "worths") === undefined
      ? {}
      : { worths: listField(value, "worths", (one) => readRational(readText(one))) }),
    ...(fieldOf(value, "beyond") === undefined ? {} : { beyond: readLength(fieldOf(value, "beyond")) }),
    ...(confidence === undefined ? {} : { confidence: readRational(confidence) }),
    ...(fieldOf(value, "isCap") === true ? { isCap: true as const } : {}),
  }
}

function readLength(value: unknown): LeftOutLength {
  const most = optionalText(value, "most")
  return {
    estimate: readRational(textField(value, "estimate")),
    ...(most === undefined ? {} : { most: readRational(most) }),
  }
}

function readKey(value: unknown): KeptKeyFacts {
  return {
    text: textField(value, "text"),
    isWhole: fieldOf(value, "isWhole") === true,
    byUnit: fieldOf(value, "byUnit") === true,
  }
}

function readColumnFacts(value: unknown): KeptColumnFacts {
  return {
    text: textField(value, "text"),
    adds: wordField(value, "adds", ["rows", "units", "none"]),
    part: Number(fieldOf(value, "part")),
    isCount: fieldOf(value, "isCount") === true,
  }
}

function readColumn(value: unknown): KeptColumn {
  const kind = wordField(value, "kind", ["noisy", "joint", "chosen"])
  if (kind === "joint") return readJoint(value)
  if (kind === "noisy") {
    const values = listField(value, "values", (one) => readRational(readText(one)))
    return {
      kind,
      values,
      terms: listField(value, "terms", readTerm),
      slack: Number(fieldOf(value, "slack")),
    }
  }
  const regions = fieldOf(value, "regions")
  return {
    kind,
    values: listField(value, "values", readConstant),
    error: countField(value, "error"),
    regions: regions === undefined ? undefined : readList(regions).map(readRegion),
    event: Number(countField(value, "event")),
  }
}

function readTerm(value: unknown): NoiseTerm {
  const shownFrom = optionalText(value, "shownFrom")
  const chance = optionalText(value, "lowerChance")
  const noise: NoiseLaw = {
    law: wordField(value, "law", ["laplace", "gaussian"]),
    amount: readRational(textField(value, "amount")),
    grid: readRational(textField(value, "grid")),
    ...(shownFrom === undefined ? {} : { shownFrom: countField(value, "shownFrom") }),
    ...(chance === undefined ? {} : { lowerChance: readRational(chance) }),
  }
  const factor = readRational(textField(value, "factor"))
  return { draw: Number(countField(value, "draw")), noise, factor }
}

type KeptRegion = NonNullable<KeptChoices["regions"]>[number]

function readRegion(value: unknown): KeptRegion {
  const [low, high, miss, least, most] = readList(value).map((end) => readRational(readText(end)))
  const all = [low, high, miss, least, most]
  if (low === undefined || high === undefined || miss === undefined) throw new Unreadable("has no region")
  if (least === undefined || most === undefined || all.length !== 5) throw new Unreadable("has no region")
  return { low, high, miss, least, most }
}

function writeConstant(constant: Constant): readonly (string | boolean)[] {
  switch (constant.kind) {
    case "null":
      return ["null"]
    case "boolean":
    case "text":
      return [constant.kind, constant.value]
    case "number":
      return ["number", showRational(constant.value)]
    case "date":
      return ["date", `${constant.day}`]
    case "timestamp":
      return ["timestamp", `${constant.micros}`]
    case "interval":
      return ["interval", ...[constant.months, constant.days, constant.micros].map(String)]
    default:
      return constant satisfies never
  }
}

function readConstant(value: unknown): Constant {
  const [kind, first, ...more] = readList(value)
  switch (kind) {
    case "null":
      return { kind }
    case "boolean":
      return { kind, value: first === true }
    case "text":
      return { kind, value: readText(first) }
    case "number":
      return { kind, value: readRational(readText(first)) }
    case "date":
      return { kind, day: readWhole(first) }
    case "timestamp":
      return { kind, micros: readWhole(first) }
    case "interval":
      return { kind, months: readWhole(first), days: readWhole(more[0]), micros: readWhole(more[1]) }
    default:
      throw new Unreadable("has a constant of no kind")
  }
}
