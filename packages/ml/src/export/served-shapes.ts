// What models of curves and of tables look like as data, and which lengths must agree for predictions to
// make sense.

import type { BoostedModel, BoostedShape } from "../boosting/boosted-model.ts"
import { cellCount } from "../boosting/cells.ts"
import { bayesCells } from "../bayes/naive-bayes.ts"
import type { TablesModel } from "../bayes/fit-bayes.ts"
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
