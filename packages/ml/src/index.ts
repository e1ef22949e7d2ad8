// The main door of @dosimeter/ml: models whose fit costs a stated loss. Packages of this repository import
// files by name instead, so that nobody loads more than is used.

export { mlErrors } from "./errors.ts"
export { addBounded, stepOf, vectorGrid, vectorSensitivity, type VectorGrid } from "./grid/bounded-vector.ts"
export type { CategoryColumn, ColumnSpec, Examples, NumberColumn } from "./columns/columns.ts"
export { roundsLoss, trainLearner, type Learner, type Reader, type Round } from "./rounds/learner.ts"
export type { TrainingBudget } from "./rounds/round-spec.ts"
export { boosting, type Boosting, type BoostingOptions } from "./boosting/boosting.ts"
export { boostingLearner } from "./boosting/train-boosting.ts"
export { predictShapes, scoresOf, type Shape, type ShapeModel } from "./boosting/shape-model.ts"
export {
  network,
  networkEpsilon,
  networkEpsilonBounds,
  networkEvents,
  type Network,
  type NetworkOptions,
  type Optimizer,
} from "./sgd/network.ts"
export { imageData, inputCount, networkData } from "./sgd/inputs.ts"
export type { NetworkData } from "./sgd/layers.ts"
export { PoissonSample, stepEvents } from "./sgd/poisson-sample.ts"
export { predictNetwork, trainNetwork, type NetworkModel } from "./sgd/train-network.ts"
export {
  naiveBayes,
  naiveBayesLearner,
  predictBayes,
  type BayesModel,
  type NaiveBayes,
  type NaiveBayesOptions,
} from "./bayes/naive-bayes.ts"
export {
  kMeans,
  kMeansLearner,
  type Clusters,
  type KMeans,
  type KMeansOptions,
} from "./clustering/k-means.ts"
export {
  alongComponents,
  components,
  componentsLearner,
  type Components,
  type ComponentsModel,
  type ComponentsOptions,
} from "./components/components.ts"
export {
  forest,
  forestLearner,
  predictForest,
  type Forest,
  type ForestModel,
  type ForestOptions,
} from "./forest/forest.ts"
export {
  hazards,
  kaplanMeier,
  releaseTimes,
  times,
  type Hazard,
  type NoisyTimes,
  type TimeData,
  type Times,
  type TimesOptions,
} from "./survival/times.ts"
export { modelFromJson, modelToJson } from "./export/model-json.ts"
export type { ReleasedModel } from "./export/model-shapes.ts"
export { networkOnnx, regressionOnnx } from "./export/onnx.ts"
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
