// Makes a risk report: opens the table, reads it once into cells, and counts.

import type { RandomBits } from "@dosimeter/core"
import type { Source } from "@dosimeter/policy/file/policy"
import { openExactRows, type ExactRows } from "../dataset/duckdb/exact-rows.ts"
import type { SourceLimits } from "../dataset/database.ts"
import { fail } from "../errors.ts"
import { attackCells } from "./attacks/attack-cells.ts"
import { onCopiedTable } from "./measures/copied-table.ts"
import { makeCells } from "./measures/cells.ts"
import { chooseColumns } from "./measures/choose-columns.ts"
import { personAmong, profileColumns } from "./measures/column-profiles.ts"
import { countCombinations } from "./measures/combinations.ts"
import { crowdCurve } from "./measures/crowd-curve.ts"
import { crowdSizes, homogeneityOf } from "./measures/crowd-sizes.ts"
import { findRows } from "./measures/find-rows.ts"
import { generalise } from "./measures/generalise.ts"
import { laddersOf } from "./measures/ladders.ts"
import {
  columnsOf,
  fileSource,
  linked,
  secondFile,
  tableOf,
  type LinkOptions,
} from "./measures/open-table.ts"
import { riskWarning, type RiskReport } from "./measures/risk-report.ts"

/** What a report is made of. */
export interface RiskOptions {
  readonly source: Source
  /** Where relative paths of the source begin. */
  readonly folder: string
  /** May be left out where the source has one table. */
  readonly table?: string
  /** Columns that outsiders could know; suggested ones if left out. */
  readonly quasi?: readonly string[]
  /** Columns that nobody should learn; suggested ones if left out. */
  readonly sensitive?: readonly string[]
  /** The column that tells whose a row is; each row is one person if left out. */
  readonly person?: string
  /** A second file, and pairs of columns that say the same under other names. */
  readonly link?: LinkOptions
  /** Whether the attacks are carried out: yes, if left out. */
  readonly attacks?: boolean
  readonly fact?: { readonly column: string; readonly value: string }
  /** The crowd to be reached by coarsening: 11 if left out. */
  readonly k?: number
  /** What the attacked answers of Dosimeter cost: 1 if left out. */
  readonly epsilon?: number
  readonly targets?: number
  /** So many single rows of people about whom something is certain; none if left out. */
  readonly rows?: number
  readonly limits?: SourceLimits
  readonly rng?: RandomBits
  readonly onProgress?: (what: string) => void
}

/** The report of a table. Exact, and for its owner alone. */
export async function measureRisk(options: RiskOptions): Promise<RiskReport> {
  const { source, folder, limits, table } = options
  if (source.kind === "postgres") {
    options.onProgress?.("copying the table")
    const work = (copy: Source): Promise<RiskReport> => measureRisk({ ...omitTable(options), source: copy })
    return onCopiedTable(source, { folder, table, work })
  }
  const rows = await openExactRows(fileSource(source), folder, limits)
  try {
    return await reportOf(rows, options)
  } finally {
    rows.close()
  }
}

/** A copy holds one table. */
function omitTable({ table: _, ...others }: RiskOptions): RiskOptions {
  return others
}

async function reportOf(rows: ExactRows, options: RiskOptions): Promise<RiskReport> {
  const { k = 11, onProgress = () => {}, rows: rowsWanted = 0 } = options
  const { name: table, from } = tableOf(await rows.tables(), options.table)
  const second = await secondFile(rows, options.link)
  await rows.shut()
  onProgress("looking at the columns")
  const columns = await columnsOf(rows, from)
  const [[count = 0] = []] = await rows.ask(`SELECT count(*) FROM ${from}`)
  if (count === 0) fail("risk/no-people", { table })
  const profiles = await profileColumns(rows, from, { columns, count: Number(count) })
  const chosen = chooseColumns({ table, columns, profiles }, options)
  onProgress("counting the classes")
  const cells = await makeCells(rows, from, chosen)
  const crowds = await crowdSizes(cells)
  const homogeneity = await homogeneityOf(cells)
  onProgress("counting every combination of columns")
  const { combinations, leftOut } = await countCombinations(cells)
  const linkage = second === undefined ? undefined : await linked(cells, second)
  onProgress("making columns coarser")
  const ladders = await laddersOf(cells)
  const generalisation = await generalise(cells, { ladders, k })
  if (options.attacks !== false) onProgress("attacking the table")
  const attacks = await attackCells(cells, { ...options, from, ladders, k })
  onProgress("looking for a crowd")
  const open = columns.filter(({ name }) => isOpen(name, profiles))
  const curve = await crowdCurve(rows, from, { columns: open.map(({ name }) => name), count: Number(count) })
  return {
    format: "dosimeter-risk/1",
    warning: riskWarning,
    table,
    rows: cells.people,
    ...(chosen.person === undefined
      ? suggestedPerson(profiles, Number(count))
      : { person: { column: chosen.person, varying: cells.varying } }),
    quasi: chosen.quasi.map(({ name }) => name),
    chosen: options.quasi === undefined,
    sensitive: chosen.sensitive.map(({ name }) => name),
    columns: profiles,
    combinations,
    combinationsLeftOut: leftOut,
    crowds,
    homogeneity,
    generalisation,
    curve,
    linkage,
    attacks,
    found: rowsWanted === 0 ? [] : await findRows(cells, from, rowsWanted),
  }
}

function suggestedPerson(
  profiles: RiskReport["columns"],
  count: number,
): Pick<RiskReport, "personSuggested"> {
  const found = personAmong(profiles, count)
  return found === undefined ? {} : { personSuggested: found }
}

function isOpen(name: string, profiles: RiskReport["columns"]): boolean {
  const profile = profiles.find(({ column }) => column === name)
  return profile !== undefined && profile.role !== "identifier" && profile.distinct > 1
}
