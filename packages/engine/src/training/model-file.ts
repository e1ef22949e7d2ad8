// A trained model as plain data: what is kept in the ledger, written to a file, and predicts. Everything in
// it is noisy or public.

import { assert } from "@dosimeter/core/errors"
import { isBoosted, isCentres, isDirections, isTables } from "@dosimeter/ml/export/served-shapes"
import { isModel } from "@dosimeter/ml/export/model-shapes"
import { regressionOnnx } from "@dosimeter/ml/export/onnx"
import { predictTables, type TablesModel } from "@dosimeter/ml/bayes/fit-bayes"
import { predictBoosted, type BoostedModel } from "@dosimeter/ml/boosting/boosted-model"
import { predictGroup, type CentresModel } from "@dosimeter/ml/clustering/fit-clusters"
import { predictDirections, type DirectionsModel } from "@dosimeter/ml/components/fit-components"
import { expectedOf, type RegressionModel } from "@dosimeter/ml/regression/model"
import { fail } from "../errors.ts"
import {
  canonicalJson,
  fieldOf,
  listField,
  parseJson,
  readText,
  textField,
  Unreadable,
  wordField,
} from "../ledger/entries/canonical.ts"
import {
  featureCount,
  heldOf,
  specOf,
  targetOf,
  writeFeatures,
  type Held,
  type ListedValue,
  type ModelColumn,
  type ModelKind,
  type TellingKind,
} from "./model-columns.ts"
import { componentName, groupName } from "./shown-points.ts"

/** A model with what it is of and what it cost. */
export interface ModelFile {
  readonly format: "dosimeter-model/1"
  readonly dataset: string
  /** The SELECT of its rows. */
  readonly features: string
  /** Columns that predictions are made from. */
  readonly inputs: readonly ModelColumn[]
  /** What it tells, if it tells a column. */
  readonly target?: ModelColumn
  readonly model: TellingModel | PlacingModel
  readonly dose: ModelDose
}

/** A model that tells a column. */
type TellingModel = RegressionModel | BoostedModel | TablesModel
/** A model of how rows lie. */
type PlacingModel = DirectionsModel | CentresModel

/** What a model cost. */
export interface ModelDose {
  readonly epsilon: string
  readonly delta: string
  /** In the measure of the account, in words. */
  readonly loss: string
  readonly unit: string
  readonly neighbours: "add-or-remove" | "replace"
}

const format = "dosimeter-model/1"

/** The text of a model. */
export function writeModel(model: ModelFile): string {
  return canonicalJson(model)
}

/** Reads the text of a model; undefined where it is none of ours. */
export function readModel(text: string): ModelFile | undefined {
  try {
    return modelIn(parseJson(text))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Reads a model that somebody gives. */
export function modelOfText(text: string, file: string): ModelFile {
  return readModel(text) ?? fail("training/no-model", { file })
}

/** What it is. */
export function kindOfModel(model: TellingModel): TellingKind
export function kindOfModel(model: ModelFile["model"]): ModelKind
export function kindOfModel(model: ModelFile["model"]): ModelKind {
  switch (model.kind) {
    case "boosted":
      return "boosting"
    case "tables":
      return "bayes"
    case "directions":
      return "components"
    case "centres":
      return "k-means"
    case "regression":
      return model.family
    default:
      return model satisfies never
  }
}

/**
 * The model for other programs, as ONNX: features come in the order and the coding of `model.features`.
 * Undefined for a model that has no such form.
 */
export function modelOnnx({ model }: ModelFile): Uint8Array | undefined {
  return model.kind === "regression" ? regressionOnnx(model) : undefined
}

/** What a prediction says. */
export interface Prediction {
  /** The expected number, the most likely class, the nearest group, or how far it is along component 1. */
  readonly value: number | string
  /** Of a model of classes: the probability of each. */
  readonly probabilities?: Readonly<Record<string, number>>
  /** Of components: how far the row lies along each, from the mean of all. */
  readonly coordinates?: Readonly<Record<string, number>>
}

/** What a model expects of a row: values by the names of columns, as texts. A missing one may be left out. */
export function predictRow(
  { model, inputs, target }: ModelFile,
  row: Readonly<Record<string, string | undefined>>,
): Prediction {
  // A column may have the name of what every object has.
  const textOf = (name: string): string | undefined => (Object.hasOwn(row, name) ? row[name] : undefined)
  const held = inputs.map((column) => heldOf(column, textOf(column.name)))
  const numbers = held.map((value) => value ?? Number.NaN)
  if (model.kind === "centres") return { value: groupName(predictGroup(model, numbers)) }
  if (model.kind === "directions") {
    const along = predictDirections(model, numbers)
    const coordinates = Object.fromEntries(along.map((value, place) => [componentName(place), value]))
    return { value: along[0] ?? 0, coordinates }
  }
  assert(target !== undefined, "a model that tells a column says which")
  const expected = expectedIn({ model, inputs }, held)
  const { classes } = targetOf(kindOfModel(model), target)
  const [first = 0] = expected
  if (classes.length === 0) return { value: first }
  const shares = expected.length === 1 ? [1 - first, first] : expected
  const best = shares.indexOf(Math.max(...shares))
  const probabilities = Object.fromEntries(classes.map((name, place) => [name, shares[place] ?? 0]))
  return { value: classes[best] ?? "", probabilities }
}

// A number, the chance of the second of two classes, or the chances of all.
function expectedIn(
  { model, inputs }: Pick<ModelFile, "inputs"> & { readonly model: TellingModel },
  held: readonly Held[],
): readonly number[] {
  const numbers = held.map((value) => value ?? Number.NaN)
  if (model.kind === "tables") return sharesOf(predictTables(model, numbers))
  if (model.kind === "boosted") return [predictBoosted(model, numbers)]
  const features = new Float64Array(model.features.length)
  let from = 0
  for (const [at, column] of inputs.entries()) {
    writeFeatures(column, held[at], { to: features, from })
    from += featureCount(column)
  }
  return expectedOf(model, features)
}

// Of two classes the chance of the second is enough.
function sharesOf(shares: readonly number[]): readonly number[] {
  return shares.length === 2 ? shares.slice(1) : shares
}

function modelIn(found: unknown): ModelFile {
  if (textField(found, "format") !== format) throw new Unreadable("is no model")
  const model = fittedIn(fieldOf(found, "model"))
  const isPlacing = model.kind === "directions" || model.kind === "centres"
  const file: ModelFile = {
    format,
    dataset: textField(found, "dataset"),
    features: textField(found, "features"),
    inputs: listField(found, "inputs", columnIn),
    ...(isPlacing ? {} : { target: columnIn(fieldOf(found, "target")) }),
    model,
    dose: doseIn(fieldOf(found, "dose")),
  }
  if (!hasItsFeatures(file)) throw new Unreadable("has other features")
  return file
}

function hasItsFeatures({ model, inputs }: ModelFile): boolean {
  if (model.kind !== "regression") {
    return canonicalJson(model.features) === canonicalJson(inputs.map(specOf))
  }
  const width = inputs.reduce((sum, column) => sum + featureCount(column), 0)
  const { features, predictors } = model
  return features.length === width && predictors.every((one) => one.length === width + 1)
}

function columnIn(found: unknown): ModelColumn {
  const name = textField(found, "name")
  const hasMissing = fieldOf(found, "hasMissing") === true
  if (wordField(found, "kind", ["number", "listed"]) === "listed")
    return { kind: "listed", name, values: listField(found, "values", valueIn), hasMissing }
  return {
    kind: "number",
    name,
    low: numberField(found, "low"),
    high: numberField(found, "high"),
    hasMissing,
  }
}

function valueIn(found: unknown): ListedValue {
  return typeof found === "boolean" || typeof found === "number" ? found : readText(found)
}

function doseIn(found: unknown): ModelDose {
  return {
    epsilon: textField(found, "epsilon"),
    delta: textField(found, "delta"),
    loss: textField(found, "loss"),
    unit: textField(found, "unit"),
    neighbours: wordField(found, "neighbours", ["add-or-remove", "replace"]),
  }
}

function fittedIn(found: unknown): ModelFile["model"] {
  if (isBoosted(found) || isTables(found) || isDirections(found) || isCentres(found)) return found
  if (isModel(found) && found.kind === "regression") return found
  throw new Unreadable("holds no model")
}

function numberField(found: unknown, key: string): number {
  return numberIn(fieldOf(found, key))
}

function numberIn(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Unreadable("has no number")
  return value
}
