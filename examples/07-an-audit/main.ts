// An audit of a count from outside: the whole product is asked about two hospitals that differ in one
// patient, again and again, and what can be told apart is compared with the epsilon that it states.

import { numberUp } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { openAudit, type Audit } from "@dosimeter/engine/testing"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const policy = `dataset: ward
source: { csv: patients.csv }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 1, delta: 0, accounting: pure }
question: { epsilon: { default: 1, max: 1 } }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    columns:
      age: { type: integer, min: 0, max: 110 }
`
const sql = "SELECT COUNT(*) AS n FROM patients WHERE age >= 65"
const times = Number(process.argv[2] ?? 1000)
/** How often this audit accuses a product that keeps its promise: once in a billion runs. */
const falseAlarm = 1e-9

const place = mkdtempSync(join(tmpdir(), "dosimeter-example-"))
const [withEve, withoutEve] = [await auditOf("with", 41), await auditOf("without", 40)]

const stated = await withEve.state(sql)
const [mechanism] = stated.mechanisms
const epsilon = numberUp(stated.charge.amount)
console.log(`stated: ${mechanism?.mechanism}, sensitivity ${mechanism?.sensitivity}, epsilon ${epsilon}`)

const [present, absent] = [await histogramOf(withEve), await histogramOf(withoutEve)]
const answers = [...new Set([...present.keys(), ...absent.keys()])].sort((a, b) => a - b)
for (const answer of answers) {
  const bar = (counts: ReadonlyMap<number, number>): string =>
    "#".repeat(Math.round(((counts.get(answer) ?? 0) * 120) / times))
  console.log(`${String(answer).padStart(4)}  ${bar(present).padEnd(45)}  ${bar(absent)}`)
}

// Of every "at least so many" and "at most so many": how far apart are its chances, at the very least?
const radius = Math.sqrt(Math.log((4 * answers.length) / falseAlarm) / (2 * times))
const apart = answers.flatMap((limit) => [
  lossOf(
    shareOf(present, (answer) => answer >= limit),
    shareOf(absent, (answer) => answer >= limit),
  ),
  lossOf(
    shareOf(absent, (answer) => answer < limit),
    shareOf(present, (answer) => answer < limit),
  ),
])
const seen = Math.max(0, ...apart)
console.log(`told apart by at least epsilon ${seen.toFixed(2)} of the ${epsilon} stated`)
assert(seen <= epsilon, "the product loses no more than it states")

await withEve.close()
await withoutEve.close()
rmSync(place, { recursive: true })

async function auditOf(name: string, old: number): Promise<Audit> {
  const folder = join(place, name)
  mkdirSync(folder)
  const rows = Array.from({ length: 60 + old }, (_, id) => `${id},${id < 60 ? 30 : 80}`)
  writeFileSync(join(folder, "patients.csv"), `id,age\n${rows.join("\n")}\n`)
  return openAudit({ policy, folder })
}

/** How often each answer came. */
async function histogramOf(audit: Audit): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for await (const outcome of audit.repeat(sql, times)) {
    assert(outcome.kind === "answered", "the budget allows one question a ledger")
    const answer = Number(outcome.answer.rows[0]?.[0]?.value)
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
  }
  return counts
}

function shareOf(counts: ReadonlyMap<number, number>, holds: (answer: number) => boolean): number {
  const held = [...counts].filter(([answer]) => holds(answer))
  return held.reduce((sum, [, count]) => sum + count, 0) / times
}

/** A lower bound of the loss, from two shares that are both within the radius of the truth (Hoeffding). */
function lossOf(often: number, seldom: number): number {
  return Math.log(Math.max(often - radius, 0) / (seldom + radius))
}
