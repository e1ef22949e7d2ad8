// Where answers wait for an approval nothing is learnt first: a stage that failed, or told something, would
// show in the charges before anybody approved.

import { DosimeterError } from "@dosimeter/core"
import { numberNear } from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ChargeList } from "../answers/charge-list.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import { housePolicy, openSmallHouse, type SmallHouse } from "../testing/small-house.ts"

// Nothing says that an id has one row here, so that the norm of counts is learnt.
const rows = `  rows:
    source: patients
    unit: id
    columns:
      sex: { values: [f, m], nullable: false }
      day: { source: admitted, type: date }
`
let house: SmallHouse
beforeAll(async () => {
  const policy = housePolicy.replace(", norm: fixed", "")
  house = await openSmallHouse(rows, openSqliteState(":memory:"), policy)
  await house.openStudy("held", { airlock: true })
  await house.openStudy("open")
})
afterAll(() => house.close())

const sqlOver = (day: number): string =>
  `SELECT sex, COUNT(*) FROM rows WHERE EXTRACT(DAY FROM day) > ${day} GROUP BY sex`

interface Seen {
  readonly code: string
  readonly spent: number
  readonly charges: number
}

/** What whoever asks sees of a question. */
async function seen(work: () => Promise<unknown>): Promise<Seen> {
  const { engine } = house
  const charged = async (): Promise<number> => (await new ChargeList(engine.ledger).all()).length
  const [before, first] = [numberNear((await engine.account()).spent), await charged()]
  const code = await work().then(
    () => "passed",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "bug"),
  )
  const spent = numberNear((await engine.account()).spent) - before
  return { code, spent: Number(spent.toPrecision(9)), charges: (await charged()) - first }
}

const ask = (sql: string, study: string): Promise<unknown> => house.questions.ask("ada", { sql, study })

test("[I3] a failure costs what an answer that waits does, in as many charges, now and asked again", async () => {
  const good = await seen(() => ask(sqlOver(1), "held"))
  house.breakReleases(true)
  const bad = await seen(() => ask(sqlOver(2), "held"))
  house.breakReleases(false)
  expect(bad).toEqual(good)
  expect(good).toMatchObject({ code: "airlock/waiting", charges: 1 })
  for (const day of [1, 2]) {
    const again = await seen(() => ask(sqlOver(day), "held"))
    expect(again).toEqual({ code: "airlock/waiting", spent: 0, charges: 0 })
  }
})

test("[G3] elsewhere the norm is learnt, and what is asked there changes nothing of what waits", async () => {
  expect(await seen(() => ask(sqlOver(3), "held"))).toMatchObject({ charges: 1 })
  expect(await seen(() => ask(sqlOver(4), "open"))).toMatchObject({ code: "passed", charges: 2 })
  await seen(() => ask(sqlOver(3), "open"))
  expect(await seen(() => ask(sqlOver(3), "held"))).toMatchObject({ code: "airlock/waiting", charges: 0 })
})

test("airlock/no-learning: what would be learnt first is refused, asked or explained, and costs nothing", async () => {
  const asked = [{ bounds: "undeclared" }, { bounds: "all" }, { autoGroups: true }, { norm: "auto" }] as const
  for (const one of asked) {
    const question = { sql: sqlOver(5), study: "held", ask: one }
    for (const work of [
      () => house.questions.ask("ada", question),
      () => house.questions.explain("ada", question),
    ]) {
      expect(await seen(work)).toEqual({ code: "airlock/no-learning", spent: 0, charges: 0 })
    }
  }
})
