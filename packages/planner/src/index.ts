// The main door of @dosimeter/planner: from a question to a proven plan, its price and its SQL. Packages of
// this repository import files by name instead, so that nobody loads more than is used.

export { plannerErrors } from "./errors.ts"
export { compile, type Compiled, type CompileOptions } from "./compile.ts"
export { printPlan } from "@dosimeter/proof/print/print-plan"
export { explain, type Explanation } from "./explain/explain.ts"
export { showExplanation, type ShowOptions } from "./explain/show-explanation.ts"
export { planWorkload, type Workload } from "./workload/plan-workload.ts"
export { planSeries, type SeriesPlan } from "./series/plan-series.ts"
