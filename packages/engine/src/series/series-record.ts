// Series as the ledger holds them: a definition, then noisy measurements step by step. All of it is public or
// released.

import { createHash } from "node:crypto"
import { rational, showRational, type Rational } from "@dosimeter/core/exact"
import type { TotalForm } from "@dosimeter/core/mechanisms"
import type { NoiseLaw } from "@dosimeter/answers/measurements/noise-law"
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
import type { Ledger } from "../ledger/ledger.ts"

/** What a series is: enough to plan it again. */
export interface SeriesDefinition {
  readonly name: string
  readonly sql: string
  /** The first day, or one before it. */
  readonly from: bigint
  readonly periods: number
  /** For the whole horizon. */
  readonly epsilon: Rational
  readonly groupsPerUnit?: bigint
  readonly rowsPerGroup?: bigint
}

/** How a series is shown: fixed when it is made. */
export interface SeriesView {
  readonly label: string
  /** What is measured at each step. */
  readonly form: TotalForm
  /** Of the noise in each measurement. */
  readonly noise: NoiseLaw
  /** The first day of each period, then the day on which the last is over. */
  readonly days: readonly bigint[]
  readonly rises: boolean
  readonly confidence: Rational
}

/** A series of the ledger: its definition, its charge, and the noisy measurements that were released. */
export interface KnownSeries {
  readonly definition: SeriesDefinition
  readonly view: SeriesView
  readonly planHash: string
  readonly charge: bigint
  /** One for each step so far. */
  readonly measured: readonly bigint[]
  /** The mark of the last update, by which its memory is found; empty before the first. */
  readonly mark: string
}

const definitionFormat = "dosimeter-series/1"
const stepsFormat = "dosimeter-series-steps/1"

/** What the texts of a series are kept under. */
export function seriesSubject(name: string): string {
  return createHash("sha256").update(`dosimeter series 1\n${name}`).digest("hex")
}

/** The text of a definition. */
export function writeDefinition(
  definition: SeriesDefinition,
  { view, planHash }: { readonly view: SeriesView; readonly planHash: string },
): string {
  const { from, periods, epsilon, ...rest } = definition
  const { form, noise, days, confidence, ...shown } = view
  return canonicalJson({
    format: definitionFormat,
    planHash,
    ...rest,
    from: `${from}`,
    periods: BigInt(periods),
    epsilon: showRational(epsilon),
    view: {
      ...shown,
      form: form.kind,
      ...(form.kind === "fading" ? { sixteenths: `${form.sixteenths}` } : {}),
      law: noise.law,
      amount: showRational(noise.amount),
      grid: showRational(noise.grid),
      days: days.map(String),
      confidence: showRational(confidence),
    },
  })
}

/** The text of some steps. */
export function writeSteps(measured: readonly bigint[], mark: string): string {
  return canonicalJson({ format: stepsFormat, nodes: measured.map(String), mark })
}

/** The series of a name, if there is one. */
export async function findSeries(
  ledger: Pick<Ledger, "kept">,
  name: string,
): Promise<KnownSeries | undefined> {
  const texts = await ledger.kept(seriesSubject(name))
  const [first] = texts
  if (first === undefined) return undefined
  const read = readDefinition(first.text)
  // Of two series that were made under one name at the same time, the first counts.
  const steps = texts.slice(1).filter(({ charge }) => charge === first.charge)
  const updates = steps.map(({ text }) => readSteps(text))
  return {
    ...read,
    charge: first.charge,
    measured: updates.flatMap(({ measured }) => measured),
    mark: updates.at(-1)?.mark ?? "",
  }
}

/** The name in the text of a release, if that is the definition of a series. */
export function seriesNameIn(text: string): string | undefined {
  const value = parseJson(text)
  // The answers to a workload are a list.
  if (Array.isArray(value) || fieldOf(value, "format") !== definitionFormat) return undefined
  return textField(value, "name")
}

function readDefinition(text: string): Omit<KnownSeries, "charge" | "measured" | "mark"> {
  const value = parseJson(text)
  if (fieldOf(value, "format") !== definitionFormat) throw new Unreadable("is no series")
  const [groups, rows] = ["groupsPerUnit", "rowsPerGroup"].map((key) => optionalText(value, key))
  return {
    planHash: textField(value, "planHash"),
    view: readView(fieldOf(value, "view")),
    definition: {
      name: textField(value, "name"),
      sql: textField(value, "sql"),
      from: BigInt(textField(value, "from")),
      periods: Number(countField(value, "periods")),
      epsilon: fractionField(value, "epsilon"),
      ...(groups === undefined ? {} : { groupsPerUnit: BigInt(groups) }),
      ...(rows === undefined ? {} : { rowsPerGroup: BigInt(rows) }),
    },
  }
}

function readView(value: unknown): SeriesView {
  return {
    label: textField(value, "label"),
    form: readForm(value),
    noise: {
      law: wordField(value, "law", ["laplace", "gaussian"]),
      amount: fractionField(value, "amount"),
      grid: fractionField(value, "grid"),
    },
    days: listField(value, "days", (day) => BigInt(readText(day))),
    rises: fieldOf(value, "rises") === true,
    confidence: fractionField(value, "confidence"),
  }
}

// Series from before there were several forms are trees.
function readForm(value: unknown): TotalForm {
  const kind = optionalText(value, "form") ?? "tree"
  if (kind === "tree") return { kind }
  if (kind !== "fading") throw new Unreadable("has a form that is not known")
  return { kind, sixteenths: BigInt(textField(value, "sixteenths")) }
}

function fractionField(value: unknown, key: string): Rational {
  const [, above, below = "1"] = /^(\d+)(?:\/(\d+))?$/.exec(textField(value, key)) ?? []
  if (above === undefined || /^0+$/.test(below)) throw new Unreadable(`has no amount for ${key}`)
  return rational(BigInt(above), BigInt(below))
}

// Steps from before memories had marks get one that no memory has.
function readSteps(text: string): { readonly measured: readonly bigint[]; readonly mark: string } {
  const value = parseJson(text)
  if (fieldOf(value, "format") !== stepsFormat) throw new Unreadable("is no step of a series")
  const measured = listField(value, "nodes", (node) => BigInt(readText(node)))
  return { measured, mark: optionalText(value, "mark") ?? "none" }
}
