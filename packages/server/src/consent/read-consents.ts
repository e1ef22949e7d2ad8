// Decisions from files: tables in CSV, and Consent resources of FHIR R4. What is not understood is refused
// with its place: a condition that is dropped silently would be an agreement that nobody gave.

import { normalId, timeOf, type ConsentDecision, type ConsentOptions } from "./consents.ts"
import { readFhirConsent } from "./fhir-consent.ts"
import { purposeOf } from "../studies/purposes.ts"

/** What a file says, and what is wrong with it: each problem with its place. */
export interface ReadConsents {
  readonly decisions: readonly ConsentDecision[]
  readonly problems: readonly string[]
}

/** Reads a file by what it looks like: JSON, or JSON in lines, or CSV. */
export function readConsents(text: string, unitType: ConsentOptions["unitType"]): ReadConsents {
  const read = /^\uFEFF?\s*[{[]/.test(text) ? readJson(text) : readCsv(text)
  const problems = [...read.problems]
  const decisions = read.decisions.flatMap(({ place, decision }) => {
    const problem = problemOf(decision, unitType)
    if (problem !== undefined) problems.push(`${place}: ${problem}`)
    return problem === undefined ? [decision] : []
  })
  if (decisions.length === 0 && problems.length === 0) problems.push("there is no decision in it")
  return { decisions, problems }
}

interface Placed {
  readonly decisions: readonly { readonly place: string; readonly decision: ConsentDecision }[]
  readonly problems: readonly string[]
}

function problemOf(decision: ConsentDecision, unitType: ConsentOptions["unitType"]): string | undefined {
  if (normalId(decision.participant, unitType) === undefined) return `the participant is no ${unitType} id`
  if (purposeOf(decision.purpose)?.kind !== "permission") return "the purpose is not one that people agree to"
  return timeOf(decision.decidedAt) === undefined ? "the date is none" : undefined
}

const columns = ["participant", "purpose", "decision", "date"] as const

function readCsv(text: string): Placed {
  const [head, ...rows] = csvRows(text)
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase())
  const places = columns.map((name) => names.indexOf(name))
  const isPlain = names.length === columns.length && places.every((place) => place >= 0)
  if (!isPlain) return { decisions: [], problems: [`line 1: its columns are not ${columns.join(", ")}`] }
  const problems: string[] = []
  const decisions = rows.flatMap(({ line, cells }) => {
    const [participant = "", purpose = "", decision = "", decidedAt = ""] = places.map((place) =>
      (cells[place] ?? "").trim(),
    )
    const place = `line ${line}`
    if (cells.length !== columns.length) problems.push(`${place}: it has ${cells.length} cells, not 4`)
    else if (decision !== "given" && decision !== "withdrawn") {
      problems.push(`${place}: the decision is neither given nor withdrawn`)
    } else return [{ place, decision: { participant, purpose, decision, decidedAt } as const }]
    return []
  })
  return { decisions, problems }
}

/** Rows of a CSV file with their lines; cells may be quoted. */
function csvRows(text: string): readonly { readonly line: number; readonly cells: readonly string[] }[] {
  const rows: { line: number; cells: string[] }[] = []
  let [line, cell, quoted] = [1, "", false]
  let row = { line, cells: [] as string[] }
  const endCell = (): void => {
    row.cells.push(cell)
    cell = ""
  }
  const endRow = (): void => {
    endCell()
    if (row.cells.length > 1 || row.cells[0] !== "") rows.push(row)
    row = { line: line + 1, cells: [] }
  }
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? ""
    if (quoted && sign === '"' && source[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (sign === '"') quoted = !quoted
    else if (!quoted && sign === ",") endCell()
    else if (!quoted && sign === "\n") endRow()
    else cell += sign
    if (sign === "\n") line += 1
  }
  endRow()
  return rows
}

function readJson(text: string): Placed {
  const whole = parsed(text)
  const resources =
    whole === undefined
      ? text
          .split("\n")
          .flatMap((line, index) =>
            line.trim() === "" ? [] : [{ place: `line ${index + 1}`, resource: parsed(line) }],
          )
      : resourcesOf(whole.value)
  const problems: string[] = []
  const decisions = resources.flatMap(({ place, resource }) => {
    const read = resource === undefined ? "it is no JSON" : readFhirConsent(resource.value)
    if (typeof read !== "string") return read.map((decision) => ({ place, decision }))
    problems.push(`${place}: ${read}`)
    return []
  })
  return { decisions, problems }
}

interface PlacedResource {
  readonly place: string
  readonly resource: { readonly value: unknown } | undefined
}

function resourcesOf(value: unknown): readonly PlacedResource[] {
  const isBundle =
    typeof value === "object" && value !== null && "resourceType" in value && value.resourceType === "Bundle"
  const entries: readonly unknown[] =
    isBundle && "entry" in value && Array.isArray(value.entry) ? value.entry : []
  if (!isBundle) return [{ place: "resource", resource: { value } }]
  return entries.map((entry, index) => {
    const inner =
      typeof entry === "object" && entry !== null && "resource" in entry ? entry.resource : undefined
    return { place: `entry ${index + 1}`, resource: { value: inner } }
  })
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    // Not JSON: the caller says where.
    return undefined
  }
}
