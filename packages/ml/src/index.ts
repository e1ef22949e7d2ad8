// The main door of @dosimeter/ml: models whose fit costs a stated loss. Packages of this repository import
// files by name instead, so that nobody loads more than is used.

export { mlErrors } from "./errors.ts"
export { addBounded, stepOf, vectorGrid, vectorSensitivity, type VectorGrid } from "./grid/bounded-vector.ts"
export { AskedRows } from "./regression/answer-ask.ts"
export type { Coefficient } from "./regression/coefficients.ts"
export { expectedOf, modelOf, type RegressionModel } from "./regression/model.ts"
export type { CurvePoint, Quality } from "./regression/quality.ts"
export { rowsOf, type Rows, type RowValues } from "./regression/rows.ts"
export type { Family, ModelShape, Ranged } from "./regression/shape.ts"
export { train, type SumAsk, type Trained } from "./regression/train.ts"
export {
  planTraining,
  trainingLoss,
  type PlannedSteps,
  type TrainingPlan,
} from "./regression/training-plan.ts"
