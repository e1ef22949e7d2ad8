// Which columns could single somebody out: by their names, and by how many different values they have. A
// suggestion only: what outsiders know is for people to say.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { ColumnProfile, RiskReport } from "./risk-report.ts"

/** A column of the table that is looked at. */
export interface RiskColumn {
  readonly name: string
  /** As DuckDB writes it. */
  readonly type: string
}

/** Above so many rows different values are estimated. */
const exactRowsMax = 1_000_000
/** A column in which so large a share of the rows have a value of their own names them. */
const ownShare = 0.95
const rowsToJudge = 20
const marker = /^rs ?\d+$|\b(snps?|alleles?|genotypes?|haplotypes?|hla)\b/

// Words of names, as they stand between underscores, spaces and changes of case; a star for any ending.
const words = {
  identifier:
    "id uuid guid mrn nhs ssn patient person subject participant name forename surname firstname lastname " +
    "first last email mail phone telephone mobile address street passport licence license account ip",
  sensitive:
    "diagnos* disease* condition* icd* hiv drug* medic* treat* procedure* result* income salary wage* " +
    "outcome* death dead died religion smok* alcohol* depress* pregnan* test* lab score* risk disorder* " +
    "cancer diabetes note*",
  quasi:
    "age sex gender birth* dob born year month zip* post* city town county region state country district " +
    "area ward location race ethnic* nation* citizen* marital married educ* school* occupation job " +
    "profession employ* work* language height weight bmi blood admi* discharg* visit* date day hospital " +
    "clinic relationship household children",
} as const

const patternOf = (list: string): RegExp =>
  new RegExp(`\\b(${list.replaceAll("*", "\\w*").replaceAll(" ", "|")})\\b`)

/** The first that fits decides. */
const names: readonly (readonly [ColumnProfile["role"], RegExp])[] = [
  ["identifier", patternOf(words.identifier)],
  ["sensitive", patternOf(words.sensitive)],
  ["quasi", patternOf(words.quasi)],
]

/** Every column with its role. */
export async function profileColumns(
  rows: ExactRows,
  from: string,
  { columns, count }: { readonly columns: readonly RiskColumn[]; readonly count: number },
): Promise<readonly ColumnProfile[]> {
  if (columns.length === 0) return []
  const isEstimate = count > exactRowsMax
  const distinct = (name: string): string =>
    isEstimate ? `approx_count_distinct(${name})` : `count(DISTINCT ${name})`
  const parts = columns.flatMap(({ name }) => {
    const own = writeName(name)
    return [distinct(own), `count(*) - count(${own})`]
  })
  const [found = []] = await rows.ask(`SELECT ${parts.join(", ")} FROM ${from}`)
  return columns.map((column, index) => {
    const [values, missing] = [Number(found[2 * index]), Number(found[2 * index + 1])]
    return { column: column.name, distinct: values, isEstimate, missing, ...roleOf(column, values, count) }
  })
}

/** A column that could tell whose a row is: it names somebody, and many rows have the same value. */
export function personAmong(
  profiles: readonly ColumnProfile[],
  count: number,
): RiskReport["personSuggested"] {
  const found = profiles.find(
    ({ column, role, distinct, missing }) =>
      role === "identifier" &&
      /\b(patient|person|subject|participant|mrn|nhs|ssn)\b/.test(wordsOf(column)) &&
      missing === 0 &&
      distinct > 1 &&
      distinct < ownShare * count,
  )
  return found && { column: found.column, people: found.distinct, isEstimate: found.isEstimate }
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
}

function roleOf(
  { name, type }: RiskColumn,
  distinct: number,
  count: number,
): Pick<ColumnProfile, "role" | "why"> {
  const spoken = wordsOf(name)
  const named = names.find(([, pattern]) => pattern.test(spoken))?.[0]
  const isOwn = count >= rowsToJudge && distinct >= ownShare * count && !/^(FLOAT|DOUBLE|DECIMAL)/.test(type)
  if (named === "identifier" || (isOwn && named === undefined)) {
    return { role: "identifier", why: isOwn ? "nearly every row has a value of its own" : "by its name" }
  }
  if (distinct < 2) return { role: "other", why: "the same in every row" }
  if (marker.test(spoken)) return { role: "quasi", why: "a genetic marker: a few dozen are nobody else's" }
  return named === undefined
    ? { role: "other", why: "its name tells nothing" }
    : { role: named, why: "by its name" }
}
