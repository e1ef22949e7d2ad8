// What each kind of model looks like as data, and which lengths must agree for predictions to make sense.

import { bayesCells, type BayesModel } from "../bayes/naive-bayes.ts"
import { cellCount } from "../boosting/cells.ts"
import type { Shape, ShapeModel } from "../boosting/shape-model.ts"
import type { Clusters } from "../clustering/k-means.ts"
import type { CategoryColumn, ColumnSpec, NumberColumn } from "../columns/columns.ts"
import { coordinateCount } from "../columns/points.ts"
import type { ComponentsModel } from "../components/components.ts"
import type { ForestModel, Split } from "../forest/forest.ts"
import type { Coefficient } from "../regression/coefficients.ts"
import type { RegressionModel } from "../regression/model.ts"
import type { CurvePoint, Quality } from "../regression/quality.ts"
import type { Ranged } from "../regression/shape.ts"
import type { NetworkModel } from "../sgd/train-network.ts"
import {
  isEither,
  isFlag,
  isFloats,
  isListOf,
  isMaybe,
  isNumber,
  isObjectOf,
  isOneOf,
  isSmalls,
  isText,
  isWhole,
  type Is,
} from "./shapes.ts"

const isRanged = isObjectOf<Ranged>({ name: isText, low: isNumber, high: isNumber })
const isNumberColumn = isObjectOf<NumberColumn>({
  kind: isOneOf("number"),
  name: isText,
  low: isNumber,
  high: isNumber,
})
/** Whether a value is a declared column of categories. */
export const isCategoryColumn: Is<CategoryColumn> = isObjectOf<CategoryColumn>({
  kind: isOneOf("category"),
  name: isText,
  categories: isWhole,
})
/** Whether a value is a declared column. */
export const isColumn: Is<ColumnSpec> = isEither(isNumberColumn, isCategoryColumn)

const isCoefficient = isObjectOf<Coefficient>({
  name: isText,
  value: isNumber,
  error: isMaybe(isNumber),
  noiseShare: isMaybe(isNumber),
  isShrunk: isMaybe(isFlag),
})
const isPoint = isObjectOf<CurvePoint>({ falseAlarms: isNumber, found: isNumber })
/** Whether a value says how good a model is. */
export const isQuality: Is<Quality> = isEither(
  isObjectOf<Extract<Quality, { kind: "curve" }>>({
    kind: isOneOf("curve"),
    auc: isNumber,
    aucError: isNumber,
    points: isListOf(isPoint),
  }),
  isEither(
    isObjectOf<Extract<Quality, { kind: "explained" }>>({
      kind: isOneOf("explained"),
      rSquared: isNumber,
      meanSquare: isNumber,
    }),
    isObjectOf<Extract<Quality, { kind: "classes" }>>({
      kind: isOneOf("classes"),
      accuracy: isNumber,
      commonest: isNumber,
    }),
  ),
)
const isRegression = isObjectOf<RegressionModel>({
  kind: isOneOf("regression"),
  family: isOneOf("linear", "logistic", "multinomial", "poisson"),
  features: isListOf(isRanged),
  target: isRanged,
  rowsPerUnit: isWhole,
  coefficients: isListOf(isListOf(isCoefficient)),
  predictors: isListOf(isListOf(isNumber)),
  rows: isNumber,
  quality: isQuality,
  settings: isObjectOf<RegressionModel["settings"]>({
    rounds: isNumber,
    clip: isNumber,
    step: isNumber,
    momentum: isNumber,
    penalty: isNumber,
  }),
  loss: isObjectOf<RegressionModel["loss"]>({
    rho: isText,
    neighbours: isOneOf("add-or-remove", "replace"),
  }),
})

const isShape = isObjectOf<Shape>({
  features: isListOf(isText),
  places: isListOf(isSmalls),
  edges: isListOf(isNumber),
  effect: isFloats,
  noise: isFloats,
  sample: isFloats,
  people: isFloats,
})
const isShapes = isObjectOf<ShapeModel>({
  kind: isOneOf("shapes"),
  features: isListOf(isColumn),
  target: isColumn,
  intercept: isNumber,
  shapes: isListOf(isShape),
})

const isNetwork = isObjectOf<NetworkModel>({
  kind: isOneOf("network"),
  sizes: isListOf(isWhole),
  target: isOneOf("classes", "numbers"),
  weights: isFloats,
})
const isBayes = isObjectOf<BayesModel>({
  kind: isOneOf("bayes"),
  features: isListOf(isColumn),
  classes: isWhole,
  prior: isFloats,
  tables: isListOf(isFloats),
})
const isClusters = isObjectOf<Clusters>({
  kind: isOneOf("clusters"),
  features: isListOf(isColumn),
  centres: isFloats,
  people: isFloats,
})
const isComponents = isObjectOf<ComponentsModel>({
  kind: isOneOf("components"),
  features: isListOf(isColumn),
  means: isFloats,
  directions: isFloats,
  variances: isFloats,
})

const isSide: Is<0 | 1> = isOneOf(0, 1)
const isSplit = isObjectOf<Split>({
  feature: isWhole,
  from: isNumber,
  categories: isListOf(isFlag),
  missing: isSide,
})
const isForest = isObjectOf<ForestModel>({
  kind: isOneOf("forest"),
  forest: isObjectOf<ForestModel["forest"]>({
    features: isListOf(isColumn),
    target: isCategoryColumn,
    depth: isWhole,
    trees: isListOf(isListOf(isSplit)),
  }),
  chances: isListOf(isFloats),
})

/** Whatever a learner ends with. */
export type ReleasedModel =
  | RegressionModel
  | ShapeModel
  | NetworkModel
  | BayesModel
  | Clusters
  | ComponentsModel
  | ForestModel

/** Whether a value is a model, with lengths that agree. */
export function isModel(value: unknown): value is ReleasedModel {
  if (isRegression(value)) {
    return value.predictors.every(({ length }) => length === value.features.length + 1)
  }
  if (isShapes(value)) return value.shapes.every((shape) => agrees(shape, value.features))
  if (isNetwork(value)) {
    const { sizes, weights } = value
    const needed = sizes.slice(1).reduce((sum, outs, at) => sum + ((sizes[at] ?? 0) + 1) * outs, 0)
    return sizes.length >= 2 && weights.length === needed
  }
  if (isBayes(value)) {
    const { features, tables, prior, classes } = value
    const fits = features.every((feature, at) => tables[at]?.length === classes * bayesCells(feature))
    return fits && tables.length === features.length && prior.length === classes
  }
  if (isClusters(value)) {
    const { features, centres, people } = value
    return centres.length === people.length * coordinateCount(features)
  }
  if (isComponents(value)) {
    const { features, means, directions, variances } = value
    const width = coordinateCount(features)
    return means.length === width && directions.length === variances.length * width
  }
  return isForest(value) && isWholeForest(value)
}

/** One place for every cell of each side, and an effect at each place. */
function agrees({ features, places, effect }: Shape, columns: readonly ColumnSpec[]): boolean {
  const sides = features.map((name) => columns.find((column) => column.name === name))
  const fits = sides.every((column, at) => column !== undefined && places[at]?.length === cellCount(column))
  const most = places.reduce((sum, own) => sum + own.reduce((top, place) => Math.max(top, place), 0), 0)
  return fits && places.length === features.length && most < effect.length
}

function isWholeForest({ forest, chances }: ForestModel): boolean {
  const { features, trees, depth, target } = forest
  const nodes = 2 ** depth - 1
  return (
    trees.length === chances.length &&
    chances.every(({ length }) => length === 2 ** depth * target.categories) &&
    trees.every(
      (splits) => splits.length === nodes && splits.every(({ feature }) => feature < features.length),
    )
  )
}
