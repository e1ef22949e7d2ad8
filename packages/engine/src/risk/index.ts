// Risk reports: @dosimeter/engine/risk. Exact figures about a table, for its owner alone; what serves
// questions does not import it (tools/rules/import-policy.ts).

export { measureRisk, type RiskOptions } from "./measure-risk.ts"
export type {
  Attacks,
  AttackResult,
  CertainPeople,
  ColumnProfile,
  Combination,
  CrowdCurve,
  CrowdSizes,
  FoundRow,
  GeneralisationStep,
  Homogeneity,
  Linkage,
  Recursive,
  RiskReport,
  SizeBand,
  TableAttack,
} from "./measures/risk-report.ts"
