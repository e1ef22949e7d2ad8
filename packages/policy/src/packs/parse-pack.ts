// Reads a pack's own small notation. A line at the margin begins a table: its name, then whose its rows are,
// then its key. Indented words are its columns: `name!:part:part`, where ! means never NULL, and a part is a
// type, a range `0..365`, a grid `=0.01`, a reference `>table.column`, `free` or `deny`. The endings of OMOP
// names say the rest.

import { assert, type Span } from "@dosimeter/core/errors"
import { parseType } from "../file/column-type.ts"
import { parseUnit, type ColumnSpec, type TableSpec, type Written } from "../file/specs.ts"

/** The tables of a pack. `at` is the place in the policy that asks for the pack. */
export function parsePack(text: string, at: Span): readonly TableSpec[] {
  const blocks = text.split(/\n(?=[a-z])/).map((block) => block.trim())
  return blocks.filter((block) => block !== "").map((block) => parseTable(block, at))
}

function parseTable(block: string, at: Span): TableSpec {
  const [head = "", ...lines] = block.split("\n")
  const [name = "", unit = "", key = ""] = head.split("|").map((part) => part.trim())
  const columns = lines.flatMap((line) => line.trim().split(/\s+/)).filter((word) => word !== "")
  const written = (part: string): Written => ({ text: part, quoted: false, at })
  const parsed = unit.startsWith("withheld:") ? undefined : parseUnit(written(unit))
  assert(parsed !== undefined || unit.startsWith("withheld:"), `the pack says whose ${name} is`)
  return {
    name,
    at,
    origin: "pack",
    ...(parsed === undefined ? { withheld: unit.slice("withheld:".length).trim() } : { unit: parsed }),
    keys: key === "" ? [] : [{ columns: key.split(/\s+/).map(written), at }],
    columns: columns.map((word) => parseColumn(word, at)),
  }
}

function parseColumn(word: string, at: Span): ColumnSpec {
  const [named = "", ...parts] = word.split(":")
  const name = named.replace(/!$/, "")
  let column: ColumnSpec = {
    name,
    at,
    origin: "pack",
    ...byEnding(name, at),
    ...(named.endsWith("!") ? { nullable: false } : {}),
  }
  for (const part of parts) column = { ...column, ...parsePart(part, at) }
  assert(column.type !== undefined, `the pack says the type of ${name}`)
  return column
}

function parsePart(part: string, at: Span): Partial<ColumnSpec> {
  const written = (text: string): Written => ({ text, quoted: false, at })
  if (part === "deny") return { access: "denied" }
  if (part === "free") return { text: "free" }
  if (part.startsWith("=")) return { grid: written(part.slice(1)) }
  if (part.startsWith(">")) return { references: written(part.slice(1)) }
  if (parseType(part) !== undefined) return { type: written(part) }
  const [min, max, ...more] = part.split("..")
  assert(min !== undefined && max !== undefined && more.length === 0, `the pack can be read at ${part}`)
  return { min: written(min), max: written(max) }
}

/** What an OMOP name says by its ending. */
function byEnding(name: string, at: Span): Partial<ColumnSpec> {
  const written = (text: string): Written => ({ text, quoted: false, at })
  if (/(^|_)concept_id(_\d)?$/.test(name)) {
    return { type: written("integer"), references: written("concept.concept_id") }
  }
  const target = references.get(name)
  if (target !== undefined) return { type: written("integer"), references: written(target) }
  if (name.endsWith("_id")) return { type: written("integer") }
  if (name.endsWith("_date")) return { type: written("date"), ...between(eventYears, at) }
  if (name.endsWith("_datetime")) return { type: written("timestamp"), ...between(eventYears, at) }
  return name.endsWith("_source_value") ? { type: written("text") } : {}
}

function between(years: { readonly min: string; readonly max: string }, at: Span): Partial<ColumnSpec> {
  const written = (text: string): Written => ({ text, quoted: false, at })
  return { min: written(years.min), max: written(years.max) }
}

/**
 * Nobody whose record is held was treated before 1900, and records reach into the future only by planning. A
 * range makes years and months public keys; a site narrows it to the years that it has.
 */
const eventYears = { min: "1900-01-01", max: "2099-12-31" }

const references: ReadonlyMap<string, string> = new Map([
  ["person_id", "person.person_id"],
  ["visit_occurrence_id", "visit_occurrence.visit_occurrence_id"],
  ["preceding_visit_occurrence_id", "visit_occurrence.visit_occurrence_id"],
  ["visit_detail_id", "visit_detail.visit_detail_id"],
  ["preceding_visit_detail_id", "visit_detail.visit_detail_id"],
  ["parent_visit_detail_id", "visit_detail.visit_detail_id"],
  ["visit_detail_parent_id", "visit_detail.visit_detail_id"],
  ["provider_id", "provider.provider_id"],
  ["care_site_id", "care_site.care_site_id"],
  ["location_id", "location.location_id"],
  ["note_id", "note.note_id"],
  ["episode_id", "episode.episode_id"],
  ["episode_parent_id", "episode.episode_id"],
  ["payer_plan_period_id", "payer_plan_period.payer_plan_period_id"],
  ["cohort_definition_id", "cohort_definition.cohort_definition_id"],
])
