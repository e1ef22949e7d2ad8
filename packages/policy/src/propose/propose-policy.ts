// A first policy for a source, from its names and types alone: it has seen no value, so it can show none. It
// is accepted as it stands, with conservative choices; lines with `decide:` are for the owner.

import { showType } from "@dosimeter/proof/catalog/sql-type"
import { utf8Length } from "@dosimeter/language/text/source"
import { guessUnit, leadsOf, looksIdentifying, looksLikeCode, plainName, unitColumn } from "./name-hints.ts"
import { writeColumn, writeScalar, type ColumnChoice, type OwnerChoices } from "./owner-choices.ts"
import { packNamed } from "../packs/packs.ts"
import type { Source } from "../file/policy.ts"
import { sourceLines } from "./source-lines.ts"
import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"

/** What the proposal is for. */
export interface ProposeOptions {
  readonly dataset: string
  readonly source: Source
  /** A pack, if the owner knows it; otherwise it is guessed from the tables. */
  readonly pack?: string
  /** The column that holds the unit's id, or `row`; otherwise it is guessed from the names. */
  readonly unit?: string
  /** What has been decided already. */
  readonly choices?: OwnerChoices
}

/** The text of a policy, and what its owner should decide, one sentence each. */
export interface Proposal {
  readonly text: string
  readonly decisions: readonly string[]
  /** The tables that no pack knows. */
  readonly tables: readonly ProposedTable[]
}

/** What is proposed for a table: how its rows lead to the unit, as the policy says it, or `deny`. */
export interface ProposedTable {
  readonly name: string
  readonly unit: string
  /** Names as the source has them, of what is denied and of what leads to the unit. */
  readonly denied: readonly string[]
  readonly leading: readonly string[]
}

/** Proposes a policy. */
export function proposePolicy(facts: SourceFacts, options: ProposeOptions): Proposal {
  const pack = options.pack ?? guessPack(facts)
  const { choices = {} } = options
  const known = new Set(pack === undefined ? [] : packTableNames(pack))
  const own = facts.tables.filter(({ name }) => !known.has(name.toLowerCase()))
  const unit = options.unit ?? (pack === undefined ? guessUnit(facts) : "person_id")
  const idType = facts.tables.map((table) => unitType(table, unit)).find((kind) => kind !== undefined)
  const tables = own.map((table) => proposeTable(table, { facts, unit, known, idType, choices }))
  const lines = [...headLines(options, pack), ...(tables.length === 0 ? [] : ["", "tables:"])]
  const undecided = tables.filter(({ undecided: open }) => open).map(({ name }) => name)
  const unbounded = tables.reduce((sum, table) => sum + table.unbounded, 0)
  const denied = tables.flatMap((table) => table.denied)
  return {
    text: `${[...lines, ...tables.flatMap((table) => table.lines)].join("\n")}\n`,
    decisions: [
      "the budget: epsilon and delta for everything that is ever asked",
      ...(unit === undefined
        ? ["the unit: no column looks like the id of a person; name it with --unit"]
        : []),
      ...(undecided.length === 0 ? [] : [`whose the rows of these tables are: ${undecided.join(", ")}`]),
      ...(unbounded === 0
        ? []
        : [
            `the bounds of numeric columns (${unbounded} have none): until then each sum pays a fifth to learn them`,
          ]),
      ...(denied.length === 0 ? [] : [`whether these should stay denied: ${denied.join(", ")}`]),
    ],
    tables: tables.map(({ told }) => told),
  }
}

function headLines(
  { dataset, source, choices = {} }: ProposeOptions,
  pack: string | undefined,
): readonly string[] {
  const { epsilon = "1", delta = "1e-9", questionDefault = "0.1", questionMax = "0.5" } = choices
  const [whole, wholeDelta, usual, most] = [epsilon, delta, questionDefault, questionMax].map(writeScalar)
  return [
    "# A policy for Dosimeter: what may be asked of this dataset, and at what price.",
    "# Proposed from names and types only. `dosimeter check` tells what is wrong with it.",
    "# Lines with `decide:` need a decision; until then they stand on the careful side.",
    "",
    `dataset: ${dataset}`,
    ...sourceLines(source),
    ...(pack === undefined
      ? []
      : [
          `schema: ${pack}   # units, keys, bounds and denied columns of a known schema; lines below override it`,
        ]),
    "",
    "# Two datasets are neighbours if one person is added or removed (or: replace).",
    "neighbours: add-or-remove",
    "",
    choices.epsilon === undefined
      ? "# decide: the most that all answers together may reveal about one person. Small on purpose;"
      : "# The most that all answers together may reveal about one person, for good;",
    "# delta should be far below one in the number of persons.",
    `budget: { epsilon: ${whole}, delta: ${wholeDelta}, accounting: zcdp }`,
    "",
    `# ${choices.questionMax === undefined ? "decide: w" : "W"}hat one question may cost. Default: if the analyst says nothing. Max: at most.`,
    `question: { epsilon: { default: ${usual}, max: ${most} }, delta: 1e-11, confidence: 0.95 }`,
    "",
    "# How many groups of an answer one person may touch, and with how many rows in each. Counts and sums",
    "# in public groups learn a norm instead, unless norm: fixed stands here.",
    "bounding: { groups_per_unit: 3, rows_per_group: 5 }",
  ]
}

interface TableProposal {
  readonly name: string
  readonly lines: readonly string[]
  readonly undecided: boolean
  readonly unbounded: number
  readonly denied: readonly string[]
  readonly told: ProposedTable
}

interface TableContext {
  readonly facts: SourceFacts
  readonly unit: string | undefined
  readonly known: ReadonlySet<string>
  /** Of the unit's id; a column of another type names somebody else, or cannot be compared. */
  readonly idType: string | undefined
  readonly choices: OwnerChoices
}

function unitType(table: TableFacts, unit: string | undefined): string | undefined {
  const name = unit === undefined ? undefined : unitColumn(table, unit)
  return table.columns.find((column) => column.name === name)?.type?.kind
}

function proposeTable(table: TableFacts, context: TableContext): TableProposal {
  const name = quoteName(table.name)
  const told = { name: table.name, unit: "deny", denied: [], leading: [] }
  const base = { name, undecided: false, unbounded: 0, denied: [], told }
  if (!isUsable(table.name)) return { ...base, lines: [`  # ${name}: its name is too long`] }
  const chosen = context.choices.units?.get(table.name)
  if (chosen === "deny") return { ...base, lines: [`  ${name}: deny`] }
  const source = table.path.length > 1 ? [`    source: [${table.path.map(quote).join(", ")}]`] : []
  if (chosen === "public") {
    return { ...base, lines: [`  ${name}:`, "    unit: public", ...source], told: { ...told, unit: chosen } }
  }
  const unit = chosen === undefined ? guessedWay(table, context) : chosenWay(chosen)
  if (unit === undefined) {
    const line = `  ${name}: deny   # decide: { unit: COLUMN }, a path to it, { unit: public }, or leave it denied`
    return { ...base, lines: [line], undecided: true }
  }
  const own = context.choices.columns?.get(table.name)
  const columns = table.columns.map((column) => proposeColumn(column, unit.columns, own?.get(column.name)))
  const listed = columns.filter(({ line }) => !line.trimStart().startsWith("#"))
  const isDenied = (place: number): boolean => columns[place]?.denied === true
  return {
    ...base,
    unbounded: columns.filter(({ unbounded }) => unbounded).length,
    denied: columns.filter(({ denied }) => denied).map(({ name: column }) => `${name}.${column}`),
    lines: [
      `  ${name}:`,
      `    unit: ${unit.path}`,
      ...source,
      ...(listed.length === 0 ? [] : ["    columns:"]),
      ...columns.map(({ line }) => line),
    ],
    told: {
      name: table.name,
      unit: unit.path,
      denied: table.columns.filter((_, place) => isDenied(place)).map(({ name: column }) => column),
      leading: unit.columns,
    },
  }
}

function guessedWay(table: TableFacts, context: TableContext): Way | undefined {
  return context.unit === undefined ? undefined : pathOf(table, context.unit, { ...context, open: [] })
}

/** A way that the owner wrote: a column, `row`, or a path that begins with a column. */
function chosenWay(chosen: string): Way {
  if (chosen === "row") return { path: chosen, columns: [] }
  const [first = ""] = chosen.split("->")
  return { path: chosen, columns: [first.trim()] }
}

interface Way {
  /** As it is written in the policy. */
  readonly path: string
  /** The columns of the table that it uses: nothing more need be said about them. */
  readonly columns: readonly string[]
}

/** The way from a table to the unit, if its names lead there. A table of a pack knows its own. */
function pathOf(
  table: TableFacts,
  unit: string,
  search: TableContext & { readonly open: readonly TableFacts[] },
): Way | undefined {
  if (unit === "row") return { path: "row", columns: [] }
  const direct = unitColumn(table, unit)
  if (direct !== undefined) {
    const isUsual = isPathName(direct) && unitType(table, unit) === search.idType
    return isUsual ? { path: direct, columns: [direct] } : undefined
  }
  for (const lead of leadsOf(table, search.facts)) {
    const { column, table: target, key } = lead
    if (search.open.includes(target) || ![column, target.name, key].every(isPathName)) continue
    const leadsOn =
      search.known.has(target.name.toLowerCase()) && unitColumn(target, unit) !== undefined
        ? true
        : pathOf(target, unit, { ...search, open: [...search.open, table] }) !== undefined
    if (leadsOn) return { path: `${column} -> ${target.name}.${key}`, columns: [column] }
  }
  return undefined
}

interface ColumnProposal {
  readonly name: string
  readonly line: string
  readonly unbounded: boolean
  readonly denied: boolean
}

function proposeColumn(
  column: ColumnFacts,
  taken: readonly string[],
  choice: ColumnChoice | undefined,
): ColumnProposal {
  const name = quoteName(column.name)
  const base = { name, unbounded: false, denied: false }
  const { type } = column
  const indent = "      "
  if (type === undefined || !isUsable(column.name)) {
    return {
      ...base,
      line: `${indent}# ${name}: ${type === undefined ? "its type cannot be asked about" : "its name is too long"}`,
    }
  }
  if (taken.includes(column.name))
    return { ...base, line: `${indent}${name}: ${showType(type)}   # leads to the unit` }
  if (choice !== undefined && choice.kind !== "open") {
    const line = `${indent}${name}: ${writeColumn(type, choice)}`
    return { ...base, line, denied: choice.kind === "deny" }
  }
  if (choice === undefined && looksIdentifying(column.name))
    return { ...base, line: `${indent}${name}: deny`, denied: true }
  switch (type.kind) {
    case "integer":
    case "decimal":
    case "float": {
      if (/(^|_)id$/i.test(column.name)) return { ...base, line: `${indent}${name}: ${showType(type)}` }
      const grid = type.kind === "float" ? ", grid: 0.01" : ""
      const example = `{ type: ${showType(type)}, min: 0, max: 100${grid} }`
      const auto = `{ type: ${showType(type)}, bounds: auto }`
      return { ...base, unbounded: true, line: `${indent}${name}: ${auto}   # decide: ${example}` }
    }
    case "date":
    case "timestamp": {
      const example = `{ type: ${type.kind}, min: 2000-01-01, max: 2030-12-31 }`
      return {
        ...base,
        line: `${indent}${name}: ${type.kind}   # decide: ${example} makes years public`,
      }
    }
    case "text": {
      const line = looksLikeCode(column.name)
        ? `${indent}${name}: text   # decide: { values: [A, B] } if the list is public`
        : `${indent}${name}: { type: text, text: free }`
      return { ...base, line }
    }
    case "boolean":
    case "interval":
    case "null":
      return { ...base, line: `${indent}${name}: ${showType(type)}` }
    default:
      return type satisfies never
  }
}

/** The pack that the tables look like. */
function guessPack(facts: SourceFacts): string | undefined {
  const names = new Set(facts.tables.map(({ name }) => name.toLowerCase()))
  if (!names.has("person") || !(names.has("visit_occurrence") || names.has("observation_period")))
    return undefined
  const columns = new Set(
    facts.tables.flatMap((table) => table.columns.map(({ name }) => name.toLowerCase())),
  )
  if (!columns.has("gender_concept_id")) return undefined
  return columns.has("admitting_source_concept_id") ? "omop-5.3" : "omop-5.4"
}

function packTableNames(pack: string): readonly string[] {
  return (
    packNamed(pack)
      ?.tables({ start: 0, end: 0 })
      .map(({ name }) => name) ?? []
  )
}

/** A name as a key of YAML. Plain names are not quoted, so that they can be asked for in any case. */
function quoteName(name: string): string {
  return isPathName(name) ? name : quote(name)
}

function isPathName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && plainName(name) !== ""
}

function isUsable(name: string): boolean {
  return name !== "" && utf8Length(name) <= 63 && !/[\p{Cc}\p{Cs}]/u.test(name)
}

function quote(text: string): string {
  return JSON.stringify(text)
}
