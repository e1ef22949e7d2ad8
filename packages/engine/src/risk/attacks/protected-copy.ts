// The same people behind the product: a real engine over a copy in a folder of its own, each attack on a
// ledger in memory with the whole budget. The owner's ledger, key and copies are neither read nor written.
// In the copy a coin decides the fact of each target, so that knowing everybody else tells nothing, and
// only answers can.

import type { RandomBits } from "@dosimeter/core"
import { uniformBelow } from "@dosimeter/core/noise"
import { divide, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CompileOnce } from "../../ask/compile-once.ts"
import { askingOver } from "../../engine.ts"
import { openMemoryLedger } from "../../ledger/stores/memory-ledger.ts"
import { openAccounts } from "../../lineage/open-accounts.ts"
import { openDataset } from "../../prepare/open-dataset.ts"
import type { AttackResult } from "../measures/risk-report.ts"
import type { AttackedPerson } from "./attacked-table.ts"

/** What is attacked, and by how much each attack may move the odds. */
export interface ProtectedAttack {
  readonly people: readonly AttackedPerson[]
  readonly targets: readonly AttackedPerson[]
  readonly epsilon: number
  readonly rng: RandomBits
}

/** Attacks on the answers. */
export interface ProtectedAttacks {
  /** Two counts, with and without the target, each for half of the loss. A ledger for each target. */
  differencing(): Promise<AttackResult>
  /** Counts by the classes of some published tables, which share the loss. A ledger for each round. */
  tables(which: readonly (0 | 1)[]): Promise<AttackResult>
}

/**
 * Neighbours replace a person, so that another bit is one step, and whatever an attacker does who knows
 * everybody else is right about a fair coin at most e^epsilon / (1 + e^epsilon) of the time.
 */
const policyText = (epsilon: number, most: { readonly class: number; readonly published: number }): string =>
  `dataset: attacked
source: { csv: people.csv }
unit: person
neighbours: replace
budget: { epsilon: ${epsilon}, delta: 0, accounting: pure }
question: { epsilon: { default: ${epsilon}, max: ${epsilon} } }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  people:
    unit: id
    keys: [id]
    columns:
      class: { type: integer, min: 0, max: ${most.class} }
      bit: { type: integer, min: 0, max: 1 }
      a: { type: integer, min: 0, max: ${most.published} }
      b: { type: integer, min: 0, max: ${most.published} }
`

const rounds = 5

/** Opens the copy, attacks it, and takes it away. */
export async function withProtectedCopy<Result>(
  attack: ProtectedAttack,
  work: (attacks: ProtectedAttacks) => Promise<Result>,
): Promise<Result> {
  const { epsilon, rng } = attack
  const { people, targets } = renumbered(withCoins(attack))
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-attack-"))
  try {
    const rows = people.map(({ id, class: own, bit, published: [a, b] }) => [id, own, bit, a, b].join(","))
    writeFileSync(join(folder, "people.csv"), `id,class,bit,a,b\n${rows.join("\n")}\n`, { mode: 0o600 })
    const policy = policyText(epsilon, {
      class: Math.max(...people.map((person) => person.class)),
      published: Math.max(...people.flatMap(({ published }) => published)),
    })
    const dataset = await openDataset({ policy, folder, state: join(folder, "state"), prepare: "never" })
    const once = new CompileOnce()
    const begin = async (): Promise<Counting> => {
      const ledger = await openMemoryLedger({ dataset: dataset.policy.dataset })
      await openAccounts(ledger, dataset.policy)
      const asking = await askingOver({ dataset, ledger, once }, { rng })
      return async (sql, share) => {
        const { answer } = await asking.ask(sql, { ask: { epsilon: share } })
        return answer.rows.map((row) => row.map(({ value }) => Number(value)))
      }
    }
    try {
      return await work({
        differencing: () => difference(targets, epsilon, begin),
        tables: (which) => readTables({ people, targets, epsilon, begin }, which),
      })
    } finally {
      await dataset.backend.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function withCoins({ people, targets, rng }: ProtectedAttack): Pick<ProtectedAttack, "people" | "targets"> {
  const tossed = new Map(
    targets.map((target) => [target.id, { ...target, bit: uniformBelow(2, rng) === 1 ? 1 : 0 } as const]),
  )
  return { people: people.map((person) => tossed.get(person.id) ?? person), targets: [...tossed.values()] }
}

/** Only classes of targets are looked at: all others are one, so that a question has few groups. */
function renumbered({
  people,
  targets,
}: Pick<ProtectedAttack, "people" | "targets">): Pick<ProtectedAttack, "people" | "targets"> {
  const numbers = [0, 1].map((table) => {
    const own = new Set(targets.map(({ published }) => published[table] ?? 0))
    return new Map([...own].map((name, index) => [name, index + 1]))
  })
  const renumber = (person: AttackedPerson): AttackedPerson => {
    const [a, b] = person.published
    return { ...person, published: [numbers[0]?.get(a) ?? 0, numbers[1]?.get(b) ?? 0] }
  }
  return { people: people.map(renumber), targets: targets.map(renumber) }
}

/** Answers of one ledger, as numbers. */
type Counting = (sql: string, epsilon: Rational) => Promise<readonly (readonly number[])[]>

async function difference(
  targets: readonly AttackedPerson[],
  epsilon: number,
  begin: () => Promise<Counting>,
): Promise<AttackResult> {
  const half = divide(rationalOfNumber(epsilon), rational(2n))
  let right = 0
  for (const target of targets) {
    const count = await begin()
    const sql = "SELECT COUNT(*) AS n FROM people WHERE bit = 1"
    const [[all = 0] = []] = await count(sql, half)
    const [[others = 0] = []] = await count(`${sql} AND class <> ${target.class}`, half)
    right += rightness(all - others, target.bit)
  }
  return {
    kind: "differenced",
    queries: 2,
    targets: targets.length,
    right: right / Math.max(1, targets.length),
    hidden: 0,
  }
}

interface TableReading {
  readonly people: readonly AttackedPerson[]
  readonly targets: readonly AttackedPerson[]
  readonly epsilon: number
  readonly begin: () => Promise<Counting>
}

/** An attacker who knows everybody else's fact: what is more in the target's classes is the target's. */
async function readTables(
  { people, targets, epsilon, begin }: TableReading,
  which: readonly (0 | 1)[],
): Promise<AttackResult> {
  const share = divide(rationalOfNumber(epsilon), rational(BigInt(which.length)))
  let right = 0
  for (let round = 0; round < rounds; round += 1) {
    const count = await begin()
    const more = targets.map(() => 0)
    for (const table of which) {
      const name = table === 0 ? "a" : "b"
      const sql = `SELECT ${name}, COUNT(*) AS n FROM people WHERE bit = 1 GROUP BY ${name}`
      const shown = new Map((await count(sql, share)).map(([own = 0, n = 0]) => [own, n]))
      const truth = new Map<number, number>()
      for (const { published, bit } of people) {
        truth.set(published[table], (truth.get(published[table]) ?? 0) + bit)
      }
      for (const [index, { published, bit }] of targets.entries()) {
        const others = (truth.get(published[table]) ?? 0) - bit
        more[index] = (more[index] ?? 0) + ((shown.get(published[table]) ?? others) - others) / which.length
      }
    }
    for (const [index, { bit }] of targets.entries()) right += rightness(more[index] ?? 0, bit)
  }
  const guesses = Math.max(1, rounds * targets.length)
  return { kind: "differenced", queries: which.length, targets: guesses, right: right / guesses, hidden: 0 }
}

/** Whether "more than a half" is the fact; exactly a half is a coin. */
function rightness(more: number, bit: 0 | 1): number {
  if (more === 0.5) return 0.5
  return more > 0.5 === (bit === 1) ? 1 : 0
}
