// What models of curves, of tables and of points look like as data, and which lengths must agree for
// predictions to make sense.

import type { BoostedModel, BoostedShape } from "../boosting/boosted-model.ts"
import { cellCount } from "../boosting/cells.ts"
import { bayesCells } from "../bayes/naive-bayes.ts"
import type { TablesModel } from "../bayes/fit-bayes.ts"
import type { CentresModel, FoundGroup } from "../clustering/fit-clusters.ts"
import { coordinateCount } from "../columns/points.ts"
import type { DirectionsModel, FoundComponent } from "../components/fit-components.ts"
import type { TwoErrors } from "../components/direction-errors.ts"
import type { SpreadQuality } from "../spread/spread.ts"
import { isCategoryColumn, isColumn, isQuality } from "./model-shapes.ts"
import { isListOf, isNumber, isObjectOf, isOneOf, isText, isWhole, type Is } from "./shapes.ts"

const isShape: Is<BoostedShape> = isObjectOf<BoostedShape>({
  feature: isText,
  bins: isListOf(isWhole),
  edges: isListOf(isNumber),
  effect: isListOf(isNumber),
  noise: isListOf(isNumber),
  sample: isListOf(isNumber),
  people: isListOf(isNumber),
})
const isBoostedData: Is<BoostedModel> = isObjectOf<BoostedModel>({
  kind: isOneOf("boosted"),
  features: isListOf(isColumn),
  target: isColumn,
  intercept: isNumber,
  shapes: isListOf(isShape),
  rows: isNumber,
  quality: isQuality,
  settings: isObjectOf<BoostedModel["settings"]>({ epochs: isWhole, bins: isWhole }),
})

/** Whether a value is such a model, with lengths that agree. */
export function isBoosted(value: unknown): value is BoostedModel {
  if (!isBoostedData(value) || value.shapes.length !== value.features.length) return false
  return value.shapes.every(({ feature, bins, edges, effect, noise, sample, people }, at) => {
    const column = value.features[at]
    const lengths = [noise, sample, people].every(({ length }) => length === effect.length)
    const isOrdered = column?.kind === "category" ? edges.length === 0 : edges.length === effect.length
    return (
      column !== undefined &&
      column.name === feature &&
      bins.length === cellCount(column) &&
      bins.every((bin) => bin < effect.length) &&
      lengths &&
      isOrdered
    )
  })
}

const isTablesData: Is<TablesModel> = isObjectOf<TablesModel>({
  kind: isOneOf("tables"),
  features: isListOf(isColumn),
  target: isCategoryColumn,
  prior: isListOf(isNumber),
  tables: isListOf(isListOf(isNumber)),
  noise: isNumber,
  rows: isNumber,
  quality: isQuality,
})

/** Whether a value is a model of tables, with lengths that agree. */
export function isTables(value: unknown): value is TablesModel {
  if (!isTablesData(value)) return false
  const { features, target, prior, tables } = value
  const classes = target.categories
  return (
    prior.length === classes &&
    tables.length === features.length &&
    features.every((feature, at) => tables[at]?.length === classes * bayesCells(feature))
  )
}

const isSpread: Is<SpreadQuality> = isObjectOf<SpreadQuality>({
  kind: isOneOf("spread"),
  share: isNumber,
  shareError: isNumber,
})
const isErrors: Is<TwoErrors> = isObjectOf<TwoErrors>({ error: isNumber, noise: isNumber })
const isComponent: Is<FoundComponent> = isObjectOf<FoundComponent>({
  variance: isNumber,
  share: isNumber,
  shareErrors: isErrors,
  direction: isListOf(isNumber),
  errors: isListOf(isErrors),
})
const isDirectionsData: Is<DirectionsModel> = isObjectOf<DirectionsModel>({
  kind: isOneOf("directions"),
  features: isListOf(isColumn),
  means: isListOf(isNumber),
  components: isListOf(isComponent),
  rows: isNumber,
  quality: isSpread,
})

/** Whether a value is a model of components, with lengths that agree. */
export function isDirections(value: unknown): value is DirectionsModel {
  if (!isDirectionsData(value)) return false
  const width = coordinateCount(value.features)
  return (
    value.means.length === width &&
    value.components.length > 0 &&
    value.components.every(({ direction, errors }) => direction.length === width && errors.length === width)
  )
}

const isGroup: Is<FoundGroup> = isObjectOf<FoundGroup>({ people: isNumber, centre: isListOf(isNumber) })
const isCentresData: Is<CentresModel> = isObjectOf<CentresModel>({
  kind: isOneOf("centres"),
  features: isListOf(isColumn),
  asked: isWhole,
  groups: isListOf(isGroup),
  noise: isObjectOf<CentresModel["noise"]>({ people: isNumber, sum: isNumber }),
  left: isListOf(isNumber),
  rows: isNumber,
  quality: isSpread,
})

/** Whether a value is a model of groups, with lengths that agree. */
export function isCentres(value: unknown): value is CentresModel {
  if (!isCentresData(value)) return false
  const width = coordinateCount(value.features)
  const { groups, left } = value
  return left.length === width && groups.length > 0 && groups.every(({ centre }) => centre.length === width)
}
