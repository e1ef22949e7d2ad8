// The people whom the attacks are carried out on: each with the class of all quasi-identifiers, whether the
// fact is true, and the class in each of two published tables in which everybody has a crowd.

import type { Cells } from "../measures/cells.ts"
import type { Ladder } from "../measures/ladders.ts"

/** So many people are attacked among; a tenth of them are unique, for they are the targets. */
const peopleMax = 20_000
const uniqueMax = 2_000
/** So large a share of the people may be left out of a published table instead of being made coarser. */
const withheldShare = 0.05

/** What the attacker wants to know. */
export interface Fact {
  /** Which sensitive column: s0, s1, … */
  readonly sensitive: string
  /** The hash of its value, as a text. */
  readonly hash: string
}

/** One person. */
export interface AttackedPerson {
  readonly id: number
  readonly class: number
  readonly isUnique: boolean
  readonly bit: 0 | 1
  /** Classes in the published tables; 0 for whoever was left out of one. */
  readonly published: readonly [number, number]
}

/** The table `attacked`, and the same as values. */
export interface AttackedTable {
  readonly people: readonly AttackedPerson[]
  /** The columns of each published table. */
  readonly levels: readonly [readonly string[], readonly string[]]
}

/** Makes it. The two published tables coarsen the columns in opposite orders. */
export async function attackedTable(
  cells: Cells,
  { ladders, fact, k }: { readonly ladders: readonly Ladder[]; readonly fact: Fact; readonly k: number },
): Promise<AttackedTable> {
  const order = ladders.map((_, index) => index)
  const first = await coarsenInOrder(cells, { ladders, k, order })
  const second = await coarsenInOrder(cells, { ladders, k, order: order.toReversed() })
  const { rows } = cells
  await rows.ask(`CREATE TEMP TABLE coarse AS
    SELECT ${classSql(ladders, first)} AS a, ${classSql(ladders, second)} AS b, ${fact.sensitive} AS value,
      sum(n) AS n FROM cells GROUP BY ALL`)
  for (const name of ["a", "b"]) {
    await rows.ask(`CREATE TEMP TABLE published_${name} AS
      SELECT ${name}, sum(n) AS n, count(DISTINCT value) AS l FROM coarse GROUP BY ${name}`)
    await rows.ask(
      `CREATE TEMP TABLE values_${name} AS SELECT DISTINCT ${name} AS own_${name}, value FROM coarse`,
    )
  }
  await choosePeople(cells)
  await rows.ask(`CREATE TEMP TABLE chosen AS
    SELECT class, ${fact.sensitive} AS value, CAST(${fact.sensitive} = ${fact.hash} AS INTEGER) AS bit,
      ${classSql(ladders, first)} AS a, ${classSql(ladders, second)} AS b, copy
    FROM places JOIN cells ON cells.rowid = place`)
  await rows.ask(`CREATE TEMP TABLE attacked AS SELECT row_number() OVER (ORDER BY class, bit, copy) AS id,
      dense_rank() OVER (ORDER BY class) AS class_no, chosen.class AS class, bit, value,
      CASE WHEN published_a.n >= ${k} THEN dense_rank() OVER (ORDER BY chosen.a) ELSE 0 END AS a,
      CASE WHEN published_b.n >= ${k} THEN dense_rank() OVER (ORDER BY chosen.b) ELSE 0 END AS b,
      published_a.a AS own_a, published_b.b AS own_b
    FROM chosen JOIN published_a ON chosen.a = published_a.a JOIN published_b ON chosen.b = published_b.b`)
  const found = await rows.ask(
    `SELECT id, class_no, classes.n = 1, bit, a, b FROM attacked JOIN classes USING (class) ORDER BY id`,
  )
  return { people: found.map(personOf), levels: [labelsOf(ladders, first), labelsOf(ladders, second)] }
}

/** Who is attacked among: cells, and which of their people; drawn at random if they are many. */
async function choosePeople({ rows, people }: Cells): Promise<void> {
  await rows.ask(`CREATE TEMP TABLE sized AS
    SELECT cells.rowid AS place, cells.n AS n, classes.n = 1 AS alone FROM cells JOIN classes USING (class)`)
  const drawn = (condition: string, most: number): string => {
    const each = `SELECT place, unnest(range(n)) AS copy FROM sized WHERE ${condition}`
    return people > peopleMax
      ? `(SELECT * FROM (${each}) USING SAMPLE reservoir(${most} ROWS) REPEATABLE (22))`
      : `(${each})`
  }
  await rows.ask(`CREATE TEMP TABLE places AS ${drawn("alone", uniqueMax)}
    UNION ALL ${drawn("NOT alone", peopleMax - uniqueMax)}`)
}

function personOf(row: readonly unknown[]): AttackedPerson {
  const [id = 0, own = 0, unique = 0, bit = 0, a = 0, b = 0] = row.map(Number)
  return { id, class: own, isUnique: unique === 1, bit: bit === 1 ? 1 : 0, published: [a, b] }
}

/** The first levels, in this order of columns, at which nearly everybody has a crowd of k. */
async function coarsenInOrder(
  { rows, people }: Cells,
  {
    ladders,
    k,
    order,
  }: { readonly ladders: readonly Ladder[]; readonly k: number; readonly order: readonly number[] },
): Promise<readonly number[]> {
  let levels = ladders.map(() => 0)
  const below = async (): Promise<number> => {
    const [[found = 0] = []] = await rows.ask(`SELECT coalesce(sum(n) FILTER (n < ${k}), 0)
      FROM (SELECT sum(n) AS n FROM classes GROUP BY ${classSql(ladders, levels)})`)
    return Number(found)
  }
  for (const index of order) {
    for (let level = 1; level < (ladders[index]?.length ?? 0); level += 1) {
      if ((await below()) <= withheldShare * people) return levels
      levels = levels.map((own, column) => (column === index ? level : own))
    }
  }
  return levels
}

function classSql(ladders: readonly Ladder[], levels: readonly number[]): string {
  const values = ladders.map((ladder, index) => ladder[levels[index] ?? 0]?.sql(`q${index}`) ?? "NULL")
  return `hash(${values.join(", ")})`
}

function labelsOf(ladders: readonly Ladder[], levels: readonly number[]): readonly string[] {
  return ladders.map((ladder, index) => ladder[levels[index] ?? 0]?.label ?? "")
}
