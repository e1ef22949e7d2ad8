// What the page of a risk report says, in one language: sentences about figures, heads of tables, names.

import type {
  AttackResult,
  Attacks,
  CrowdCurve,
  Homogeneity,
  RiskReport,
  TableAttack,
} from "@dosimeter/engine/risk"

/** The languages of a report. */
export type RiskLanguage = "en" | "zh"

/** The texts of one language. Whatever comes from data is escaped by the page. */
export interface RiskTexts {
  readonly language: RiskLanguage
  /** A share as per cent; neither nothing nor all unless it is. */
  readonly share: (value: number) => string
  readonly warning: (report: RiskReport) => string
  readonly title: (table: string) => string
  readonly heading: (table: string) => string
  readonly introduction: (report: RiskReport) => string
  readonly cards: {
    readonly alone: string
    readonly certain: (column: string) => string
    readonly smallest: string
  }
  readonly found: string
  readonly findings: (report: RiskReport) => readonly string[]
  readonly method: { readonly title: string; readonly text: string }
  readonly crowds: {
    readonly title: string
    readonly lead: (report: RiskReport) => string
    readonly heads: readonly [crowd: string, people: string, crowds: string]
    readonly band: (from: number, to: number | undefined) => string
  }
  readonly combinations: {
    readonly title: string
    readonly lead: (more: number, leftOut: number) => string
    readonly heads: readonly [known: string, alone: string, below11: string]
    readonly certain: (column: string) => string
  }
  readonly alike: {
    readonly title: string
    readonly lead: string
    readonly heads: readonly [
      column: string,
      values: string,
      certain: string,
      alone: string,
      inCrowd: string,
      entropy: string,
    ]
    readonly certainFor: (count: number, rows: number) => string
    readonly recursiveHead: (l: number) => string
    readonly recursive: (found: Homogeneity["recursive"][number], rows: number) => string
    readonly legend: string
  }
  readonly linkage: {
    readonly title: (file: string) => string
    readonly lead: (found: NonNullable<RiskReport["linkage"]>) => string
    readonly records: string
    readonly pairs: string
    readonly ambiguous: string
    readonly unmatched: string
    readonly certain: (column: string) => string
  }
  readonly coarser: {
    readonly title: string
    readonly lead: (quasi: readonly string[]) => string
    readonly chart: string
    readonly axis: string
    readonly below11: string
    readonly alone: string
    readonly certain: (column: string) => string
    readonly heads: readonly [step: string, lost: string, k: string, alone: string, below11: string]
    /** A step or a level, as the report names it. */
    readonly step: (text: string) => string
  }
  readonly attacks: {
    readonly title: string
    readonly question: (attacks: Attacks) => string
    readonly heads: readonly [name: string, right: string, questions: string, guesses: string]
    readonly name: (result: AttackResult) => string
    readonly own: (epsilon: number) => string
    readonly targets: (result: AttackResult) => string
    readonly legend: (ceiling: number) => string
    readonly tables: (attack: TableAttack, attacks: Attacks) => string
    readonly levels: (tables: readonly (readonly string[])[]) => string
    readonly leftOut: (why: string) => string
  }
  readonly curve: {
    readonly title: string
    readonly lead: (curve: CrowdCurve, person: RiskReport["person"]) => string
    readonly chart: string
    readonly mean: string
    readonly most: string
    readonly least: string
    readonly axis: string
  }
  readonly columns: {
    readonly title: string
    readonly lead: (isEstimate: boolean) => string
    readonly heads: readonly [column: string, role: string, why: string, distinct: string, missing: string]
    readonly roles: Readonly<Record<RiskReport["columns"][number]["role"], string>>
    readonly why: (text: string) => string
    readonly about: (count: number) => string
  }
  readonly rows: { readonly title: string; readonly lead: string; readonly missing: string }
}
