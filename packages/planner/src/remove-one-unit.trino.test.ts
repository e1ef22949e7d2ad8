// remove-one-unit.node.test.ts on a real Trino: generated questions over generated hostile tables, with some
// people taken out or replaced. CAMPAIGN=n asks n times as many.

import { DosimeterError } from "@dosimeter/core/errors"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { expect, test } from "vitest"
import { randomQuestion } from "./testing/random/random-question.ts"
import { randomDataset } from "./testing/random/random-tables.ts"
import { tightPolicy } from "./testing/random/tight-policy.ts"
import { compareNeighbours } from "./testing/units/compare-neighbours.ts"
import { closeDataset, isTooLong, loadDataset, planOrRefusal } from "./testing/units/remove-each-unit.ts"
import { everyone, replaced, without } from "./testing/units/test-database.ts"
import { TrinoVersions } from "./testing/units/trino-versions.ts"

const times = Number(process.env["CAMPAIGN"] ?? "1")
const questions = 8
const people = 3

test.each(Array.from({ length: 2 * times }, (_, at) => `schema ${at + 1}`))(
  "[Q1] [Q2] [Q6] nobody changes more than is claimed: %s",
  async (seed) => {
    const grammar = await testGrammar()
    const dataset = randomDataset(seed)
    const policy = tightPolicy(dataset)
    const loaded = await loadDataset(dataset)
    const versions = new TrinoVersions(loaded)
    const problems: string[] = []
    const reached: string[] = []
    let accepted = 0
    try {
      await versions.load()
      for (let place = 0; accepted < questions && place < 4 * questions; place += 1) {
        const sql = randomQuestion(dataset, `${seed}, question ${place}`)
        const plan = planOrRefusal(sql, policy, grammar, place % 2 === 0 ? { keys: "counts" } : {})
        if (plan instanceof DosimeterError) continue
        accepted += 1
        const owners = dataset.owners.slice(0, people)
        const names = owners.map(dataset.neighbours === "replace" ? replaced : without)
        for (const release of plan.releases) {
          try {
            const all = await versions.extract(release, everyone)
            for (const name of names) {
              const found = compareNeighbours(release, all, await versions.extract(release, name))
              problems.push(...found.broken.map((what) => `${what} (${name})\n  ${sql}`))
              reached.push(...found.reached)
            }
          } catch (error) {
            if (!isTooLong(error)) problems.push(`${String(error)}\n  ${sql}`)
          }
        }
      }
    } finally {
      await versions.drop()
      closeDataset(loaded)
    }
    expect(problems.join("\n")).toBe("")
    expect(accepted).toBeGreaterThan(questions / 2)
    // Claims are tight: some are reached, or nothing was compared.
    expect(reached).not.toEqual([])
  },
)
