// What the policy says about the data, in words and as the compiler needs it.

import { showParameter } from "@dosimeter/core"
import { answerValue } from "@dosimeter/engine"
import { showDay, showMicros } from "@dosimeter/proof/catalog/civil-date"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain, RangeEnd } from "@dosimeter/proof/catalog/domain"
import { fail } from "../../../errors.ts"
import type { datasetRoutes } from "../contract/datasets.ts"
import { toPlain } from "../contract/plain-values.ts"
import type { MakeHandlers } from "../request/handler.ts"

/** The handlers. */
export const datasetHandlers: MakeHandlers<typeof datasetRoutes> = ({ engine, needsStudies }) => {
  const { policy } = engine
  const { catalog, terms } = policy
  const check = (dataset: string): void => {
    if (dataset !== policy.dataset) fail("request/no-dataset", { dataset: dataset.slice(0, 80) })
  }
  return {
    listDatasets: async () => ({ items: [{ name: policy.dataset, unit: catalog.unitName }] }),
    getDataset: async ({ params }) => {
      check(params.dataset)
      const { budget, question, bounding, shownFrom, slotMs } = terms
      return {
        name: policy.dataset,
        unit: catalog.unitName,
        neighbours: catalog.neighbours,
        studies: needsStudies,
        budget: {
          epsilon: showParameter(budget.epsilon),
          delta: showParameter(budget.delta),
          accounting: budget.accounting,
        },
        question: {
          epsilonDefault: showParameter(question.epsilonDefault),
          epsilonMax: showParameter(question.epsilonMax),
          delta: showParameter(question.delta),
          confidence: showParameter(question.confidence),
        },
        bounding: {
          groupsPerUnit: `${bounding.groupsPerUnit}`,
          groupsPerUnitMax: `${bounding.groupsPerUnitMax}`,
          rowsPerGroup: `${bounding.rowsPerGroup}`,
          rowsPerGroupMax: `${bounding.rowsPerGroupMax}`,
          norm: bounding.norm ?? "auto",
        },
        shownFrom: shownFrom === undefined ? null : `${shownFrom}`,
        slotMs: slotMs ?? null,
        tables: catalog.tables.map(tableObject),
      }
    },
    compileFacts: async ({ params }) => {
      check(params.dataset)
      return { catalog: toPlain(catalog), terms: toPlain(terms) }
    },
  }
}

function tableObject({ name, unit, keys, columns }: CatalogTable) {
  return {
    name,
    kind: unit.kind === "public" ? ("public" as const) : ("private" as const),
    unit: unitPath(unit),
    keys,
    columns: columns.filter(({ access }) => access === "allowed").map(columnObject),
  }
}

function unitPath(unit: CatalogTable["unit"]): string | null {
  switch (unit.kind) {
    case "public":
      return null
    case "row":
      return "each row"
    case "path":
      return [...unit.hops.map(({ column, table }) => `${column} → ${table}`), unit.column].join(" → ")
    default:
      return unit satisfies never
  }
}

function columnObject({ name, domain, references }: CatalogColumn) {
  const { range, values } = domain
  return {
    name,
    type: showType(domain.type),
    nullable: domain.nullable,
    min: endOf(range?.min, domain),
    max: endOf(range?.max, domain),
    values: values === undefined ? null : values.map(showConstant),
    freeText: domain.freeText === true,
    references: references === undefined ? null : `${references.table}.${references.column}`,
  }
}

/** What the owner declared; an end that only follows from the type says nothing. */
function endOf(end: RangeEnd | undefined, { type }: Domain): string | null {
  if (end === undefined || !end.declared) return null
  const whole = end.value.numerator / end.value.denominator
  if (type.kind === "date") return showDay(whole)
  return type.kind === "timestamp" ? showMicros(whole) : showParameter(end.value)
}

/** As answers show it, but numbers with all of their digits. */
function showConstant(value: Constant): string | null {
  if (value.kind === "number") return showParameter(value.value)
  const shown = answerValue(value)
  return shown === null ? null : `${shown}`
}
