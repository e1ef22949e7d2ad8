// What the guided set-up has gathered, and the policy that it makes: proposed by the code of `dosimeter init`,
// checked by the reader of policies.

import { DosimeterError } from "@dosimeter/core"
import { proposePolicy, type ProposedTable } from "@dosimeter/policy/propose/propose-policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { ColumnChoice, OwnerChoices } from "@dosimeter/policy/propose/owner-choices"
import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"
import type { FileTable } from "./table-of-file.ts"
import type { SaidError } from "../../strings/error-text.ts"

/** What was typed about a column; empty where nothing was. */
export interface ColumnDraft {
  readonly isOpen?: boolean
  readonly min?: string
  readonly max?: string
  readonly values?: string
}

/** Everything that was decided so far. */
export interface GuideState {
  readonly dataset: string
  readonly files: readonly FileTable[]
  readonly budget: Budget
  readonly units: ReadonlyMap<string, string>
  /** By table, then by column. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, ColumnDraft>>
}

/** The terms as they are typed. */
export interface Budget {
  readonly epsilon: string
  readonly delta: string
  readonly questionDefault: string
  readonly questionMax: string
}

/** Before anything was decided. The terms are those of `dosimeter init`. */
export const emptyGuide: GuideState = {
  dataset: "",
  files: [],
  budget: { epsilon: "1", delta: "1e-9", questionDefault: "0.1", questionMax: "0.5" },
  units: new Map(),
  columns: new Map(),
}

/** One thing that is wrong, and the line that it is in. */
export interface Problem extends SaidError {
  readonly line: number
}

/** The policy as it stands. */
export interface DraftPolicy {
  readonly text: string
  readonly tables: readonly ProposedTable[]
  readonly problems: readonly Problem[]
  /** The tables that can be asked about. */
  readonly open: readonly string[]
}

/** Proposes the policy from what was decided so far, and checks it. */
export function draftPolicy(state: GuideState): DraftPolicy {
  const facts = { tables: state.files.map(({ table }) => table) }
  const [first] = state.files
  const unit = [...state.units.values()].find((path) => !/^(row|public|deny)$|->/.test(path))
  const { text, tables } = proposePolicy(facts, {
    dataset: state.dataset === "" ? datasetName(state.files) : state.dataset,
    source: { kind: first?.format ?? "csv", globs: state.files.map(({ file }) => file) },
    choices: choicesOf(state),
    ...(unit === undefined ? {} : { unit }),
  })
  try {
    const { catalog } = readPolicy(text, { facts })
    return { text, tables, problems: [], open: catalog.tables.map(({ name }) => name) }
  } catch (error) {
    // A policy with mistakes is an ordinary result here.
    if (!(error instanceof DosimeterError)) throw error
    const problems = error.issues.map(({ code, message, help, facts, at }) => ({
      line: text.slice(0, at?.start ?? 0).split("\n").length,
      code,
      message,
      help,
      facts,
    }))
    return { text, tables, problems, open: [] }
  }
}

/** A name from the first file. */
export function datasetName([first]: readonly FileTable[]): string {
  const plain = (first?.table.name ?? "").replace(/[^A-Za-z0-9_-]/g, "-")
  return /^[A-Za-z]/.test(plain) ? plain.slice(0, 63) : "dataset"
}

/** The ways in which rows of a table can belong to somebody, as a policy writes them. */
export function waysOf(
  { name, columns }: FileTable["table"],
  files: readonly FileTable[],
): readonly string[] {
  const ids = columns.filter(isId).map((column) => column.name)
  const paths = files
    .filter(({ table }) => table.name !== name && isPlain(table.name))
    .flatMap(({ table }) =>
      table.columns
        .filter((column) => isId(column) && ids.includes(column.name) && /id$/i.test(column.name))
        .map((column) => `${column.name} -> ${table.name}.${column.name}`),
    )
  return [...ids, ...paths]
}

function isId({ name, type }: ColumnFacts): boolean {
  return (type?.kind === "integer" || type?.kind === "text") && isPlain(name)
}

/** Only such names can stand in a path. */
function isPlain(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
}

function choicesOf({ files, budget, units, columns }: GuideState): OwnerChoices {
  const chosen = files.map(({ table }) => {
    const drafts = columns.get(table.name)
    const own = table.columns.flatMap((column) => {
      const choice = choiceOf(drafts?.get(column.name) ?? {})
      return choice === undefined ? [] : [[column.name, choice] as const]
    })
    return [table.name, new Map(own)] as const
  })
  return { ...budget, units, columns: new Map(chosen) }
}

function choiceOf(draft: ColumnDraft): ColumnChoice | undefined {
  const { isOpen, min = "", max = "", values = "" } = draft
  if (isOpen === false) return { kind: "deny" }
  if (min.trim() !== "" || max.trim() !== "") return { kind: "bounds", min, max }
  const list = values.split(/[,，\n]/).map((value) => value.trim())
  const filled = list.filter((value) => value !== "")
  if (filled.length > 0) return { kind: "values", values: filled }
  return isOpen === true ? { kind: "open" } : undefined
}

/** Whether the loss can be shown as odds; a number that is only half typed cannot. */
export function isLoss({ epsilon, delta }: Budget): boolean {
  const number = /^\d*\.?\d+(e-?\d+)?$/i
  const [loss, failure] = [Number(epsilon), Number(delta)]
  if (!number.test(epsilon) || !number.test(delta)) return false
  return loss >= 0.000001 && loss <= 1000 && failure > 0 && failure <= 0.001
}
