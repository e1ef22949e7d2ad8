// The attacks of the report: on counts under the usual rules, on tables in which everybody has a crowd, and
// the same on Dosimeter's answers, beside the most that any attack on them can reach.

import { systemBits, type RandomBits } from "@dosimeter/core"
import { rationalOfNumber } from "@dosimeter/core/exact"
import { balancedAccuracy } from "@dosimeter/core/meaning"
import type { Cells } from "../measures/cells.ts"
import type { Ladder } from "../measures/ladders.ts"
import type { Attacks, AttackResult, TableAttack } from "../measures/risk-report.ts"
import { attackedTable, type AttackedPerson, type AttackedTable, type Fact } from "./attacked-table.ts"
import { withProtectedCopy, type ProtectedAttacks } from "./protected-copy.ts"
import { attackRounded, attackHidden, padsNeeded } from "./published-counts.ts"

/** How the attacks are carried out. */
export interface AttackOptions {
  readonly ladders: readonly Ladder[]
  readonly fact: Fact & { readonly column: string; readonly value: string }
  /** The crowd that everybody has in a published table. */
  readonly k: number
  readonly epsilon: number
  readonly targetsMax: number
  readonly rng?: RandomBits
}

/** Carries them out. */
export async function runAttacks(cells: Cells, options: AttackOptions): Promise<Attacks> {
  const { fact, k, epsilon, targetsMax, rng = systemBits() } = options
  const table = await attackedTable(cells, options)
  const unique = table.people.filter(({ isUnique }) => isUnique)
  const targets = balanced(unique, targetsMax)
  const leftOut: string[] = []
  const counts: AttackResult[] = []
  if (targets.length > 0) {
    counts.push(await attackHidden(cells.rows, targets))
    if (unique.length > padsNeeded) counts.push(await attackRounded(cells.rows, targets, unique))
    else leftOut.push("rounding: fewer than five people are unique, and the attack adds four to each count")
  } else {
    leftOut.push("differencing: not both of those with the fact and those without have unique people")
  }
  // Whoever is in no published table is found in none.
  const members = balanced(
    table.people.filter(({ published }) => published.every((own) => own > 0)),
    targetsMax,
  )
  const attack = { people: table.people, epsilon, rng }
  const dosimeter =
    targets.length === 0
      ? undefined
      : await withProtectedCopy({ ...attack, targets }, (own) => own.differencing())
  const tables =
    members.length === 0
      ? []
      : await withProtectedCopy({ ...attack, targets: members }, (own) => attackTables(cells, table, own))
  if (members.length === 0) leftOut.push("tables: nobody is in both, or all of them have the fact, or none")
  return {
    fact: { column: fact.column, value: fact.value },
    rows: table.people.length,
    isSample: table.people.length < cells.people,
    k,
    epsilon,
    ceiling: balancedAccuracy({ measure: "pure", epsilon: rationalOfNumber(epsilon) }),
    counts,
    dosimeter,
    tables,
    leftOut,
  }
}

/** As many with the fact as without, so that guessing is right half of the time. */
function balanced(people: readonly AttackedPerson[], most: number): readonly AttackedPerson[] {
  const [yes, no] = [1, 0].map((bit) => people.filter((person) => person.bit === bit))
  const each = Math.min(yes?.length ?? 0, no?.length ?? 0, Math.floor(most / 2))
  // Evenly over the list, which is in the order of hashes.
  const pick = (own: readonly AttackedPerson[]): readonly AttackedPerson[] =>
    Array.from({ length: each }, (_, index) => own[Math.floor((index * own.length) / each)]).flatMap((one) =>
      one === undefined ? [] : [one],
    )
  return [...pick(yes ?? []), ...pick(no ?? [])]
}

async function attackTables(
  { rows }: Cells,
  { levels }: AttackedTable,
  own: ProtectedAttacks,
): Promise<readonly TableAttack[]> {
  const [[all, inA, certainA] = []] = await rows.ask(`SELECT count(*), count(*) FILTER (attacked.a > 0),
      count(*) FILTER (attacked.a > 0 AND published_a.l = 1)
    FROM attacked JOIN published_a ON own_a = published_a.a`)
  // A value is possible for a person if both of the person's classes hold it.
  const [[inBoth, alone, other, together] = []] = await rows.ask(`
    WITH members AS (SELECT * FROM attacked WHERE a > 0 AND b > 0),
    pairs AS (SELECT own_a, own_b, count(*) AS n FROM members GROUP BY own_a, own_b),
    possible AS (SELECT own_a, own_b, any_value(pairs.n) AS n, count(*) AS values
      FROM pairs JOIN values_a USING (own_a) JOIN values_b USING (own_b, value) GROUP BY own_a, own_b)
    SELECT (SELECT count(*) FROM members),
      (SELECT count(*) FROM members JOIN published_a ON own_a = published_a.a WHERE l = 1),
      (SELECT count(*) FROM members JOIN published_b ON own_b = published_b.b WHERE l = 1),
      (SELECT coalesce(sum(n), 0) FROM possible WHERE values = 1)`)
  return [
    {
      kind: "homogeneous",
      people: Number(inA),
      withheld: Number(all) - Number(inA),
      certain: [Number(certainA)],
      together: Number(certainA),
      levels: levels.slice(0, 1),
      dosimeter: await own.tables([0]),
    },
    {
      kind: "linked",
      people: Number(inBoth),
      withheld: Number(all) - Number(inBoth),
      certain: [Number(alone), Number(other)],
      together: Number(together),
      levels,
      dosimeter: await own.tables([0, 1]),
    },
  ]
}
