import { DosimeterError, rational } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openWard, type Ward } from "../testing/ward.ts"

// Each POWER writes its argument more than once, so that this is too long once it is written out.
const deep = Array.from({ length: 14 }).reduce<string>((inner) => `POWER(${inner}, 1.01)`, "weight")

let ward: Ward
beforeAll(async () => {
  ward = await openWard({ rng: seededBits("refused") })
})
afterAll(async () => ward.close())

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return "answered"
  } catch (error) {
    return error instanceof DosimeterError ? error.code : String(error)
  }
}

test("[W2] what cannot be written for the database is refused before it is charged", async () => {
  const { engine } = ward
  const sql = `SELECT COUNT(*) FROM patients WHERE ${deep} > 2`
  const weight = rational(1n)
  const before = await engine.account()
  expect(await codeOf(() => engine.ask(sql))).toBe("sql/too-many")
  expect(
    await codeOf(async () =>
      engine.release(
        await engine.plan([
          { sql, weight },
          { sql: "SELECT COUNT(*) FROM stays", weight },
        ]),
      ),
    ),
  ).toBe("sql/too-many")
  expect(await engine.account()).toEqual(before)
})

test("[W2] a stage that cannot be written is refused before an earlier stage is charged", async () => {
  const { engine } = ward
  // How large it is is written as a long list of cases, each with the value in it.
  const sql = "SELECT SUM(CLAMP(POWER(weight, 1.01), 0, 7)) FROM patients"
  const before = await engine.account()
  expect(await codeOf(() => engine.ask(sql, { ask: { bounds: "all" } }))).toBe("sql/too-many")
  expect(await engine.account()).toEqual(before)
  expect(await codeOf(() => engine.ask(sql))).toBe("answered")
})
