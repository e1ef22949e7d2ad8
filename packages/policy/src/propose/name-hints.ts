// What the name of a column or table suggests. Hints only: a proposal is made of them, and its owner decides.

import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"

/** Names that ids of persons go by, the most telling first, without case and underscores. */
const personIds: readonly string[] = [
  "personid",
  "patientid",
  "subjectid",
  "participantid",
  "patientnum",
  "usubjid",
  "patid",
  "memberid",
  "beneficiaryid",
  "userid",
  "clientid",
  "customerid",
  "employeeid",
  "studentid",
  "deviceid",
  "patient",
  "subject",
]

/** Parts of names, between underscores, of what identifies a person. */
const identities = new RegExp(
  [
    "(^|_)(first|last|full|middle|maiden|family|given|sur)_?name",
    "^name$",
    "(patient|person|member|contact|doctor|physician|nurse|staff|employee|user|account)_?name",
    "address|street|phone|mobile|e_?mail|(^|_)(zip|postcode|postal|fax)",
    "(^|_)(ssn|nhs|mrn|nino|passport|licen[cs]e|iban|npi|dea)($|_)",
    "medical_?record|social_?security|insurance_?(no|num|id)|policy_?(no|num)",
    "(^|_)(ip|mac|lat|lon|lng|latitude|longitude)$",
    "password|secret|token|photo|image|signature",
    "birth_?(date|time)|date_?of_?birth|(^|_)dob($|_)",
  ].join("|"),
  "i",
)

/** Endings of names of what is chosen from a list. */
const codes = new RegExp(
  [
    "(code|type|status|category|class|kind|sex|gender|ward|unit|department|region|country|state|county)s?$",
    "(language|currency|icd|atc|loinc|snomed|cpt|drg|stage|grade|severity|route|outcome|priority)s?$",
    "(shift|group|level|source|flag|method|specialty)s?$",
    "^(icd|atc|is|has)_",
  ].join("|"),
  "i",
)

/** Whether a name suggests something that identifies a person by itself. */
export function looksIdentifying(name: string): boolean {
  return identities.test(name)
}

/** Whether a name suggests texts from a list, rather than free ones. */
export function looksLikeCode(name: string): boolean {
  return codes.test(name)
}

/** A name without case and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "")
}

/** The column that probably holds the id of persons: the one that most tables have. */
export function guessUnit(facts: SourceFacts): string | undefined {
  const counted = personIds.map((plain) => {
    const columns = facts.tables.flatMap((table) =>
      table.columns.filter((column) => plainName(column.name) === plain && isIdType(column)),
    )
    return { name: columns[0]?.name, count: columns.length }
  })
  return counted.reduce((best, one) => (one.count > best.count ? one : best), { name: undefined, count: 0 })
    .name
}

/** The column of a table that holds the unit's id, by the unit's name; of patients also plain `id`. */
export function unitColumn(table: TableFacts, unit: string): string | undefined {
  const own = table.columns.find((column) => plainName(column.name) === plainName(unit) && isIdType(column))
  if (own !== undefined) return own.name
  return singular(table.name) === plainName(unit).replace(/id$/, "") ? plainId(table) : undefined
}

/** A column of one table that seems to lead to a key of another. */
export interface Lead {
  readonly column: string
  readonly table: TableFacts
  readonly key: string
}

/** Where the columns of a table seem to lead: declared foreign keys first, then names such as order_id. */
export function leadsOf(table: TableFacts, facts: SourceFacts): readonly Lead[] {
  const others = facts.tables.filter((other) => other !== table)
  return table.columns.filter(isIdType).flatMap((column) => {
    const declared = column.references
    const target = declared === undefined ? undefined : others.find(({ name }) => name === declared.table)
    if (declared !== undefined && target !== undefined) {
      return [{ column: column.name, table: target, key: declared.column }]
    }
    const stem = /^(.+?)_?id$/i.exec(column.name)?.[1]
    const named =
      stem === undefined ? undefined : others.find(({ name }) => singular(name) === plainName(stem))
    const same = named?.columns.find(({ name }) => plainName(name) === plainName(column.name))
    const key = named === undefined ? undefined : (plainId(named) ?? same?.name)
    return named === undefined || key === undefined ? [] : [{ column: column.name, table: named, key }]
  })
}

function plainId(table: TableFacts): string | undefined {
  return table.columns.find((column) => plainName(column.name) === "id" && isIdType(column))?.name
}

function isIdType({ type }: ColumnFacts): boolean {
  return type?.kind === "integer" || type?.kind === "text"
}

function singular(name: string): string {
  const plain = plainName(name)
  if (plain.endsWith("ies")) return `${plain.slice(0, -3)}y`
  return plain.endsWith("s") && !plain.endsWith("ss") ? plain.slice(0, -1) : plain
}
