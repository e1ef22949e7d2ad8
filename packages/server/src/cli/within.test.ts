import { compare, DosimeterError, exactly, numberNear } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { openEngine, type Engine } from "@dosimeter/engine"
import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { smallHospital, type SmallHospital } from "../testing/small-hospital.ts"
import { epsilonWithinShare } from "./within.ts"

let hospital: SmallHospital
let engine: Engine
const visits = "SELECT COUNT(*) AS n FROM visit_occurrence"

beforeAll(async () => {
  hospital = await smallHospital()
  const policy = readFileSync(join(hospital.folder, "dosimeter.yaml"), "utf8")
  // The same noise in every run: what is chosen after a first look depends on it.
  const state = mkdtempSync(join(hospital.folder, "state-"))
  engine = await openEngine({ policy, folder: hospital.folder, state, rng: seededBits("7") })
})

afterAll(async () => {
  await engine.close()
  hospital.remove()
})

test("a share of the answer is reached in two stages, both charged", async () => {
  const before = await engine.account()
  const wide = await epsilonWithinShare(visits, exactly("0.5", "share"), { engine, options: {} })
  const after = await engine.account()
  expect(compare(after.spent, before.spent)).toBe(1)
  const { epsilonMax } = engine.policy.terms.question
  expect(numberNear(wide)).toBeLessThanOrEqual(numberNear(epsilonMax))
  // The first look is on record: a second wish is planned from it at no further cost.
  const narrow = await epsilonWithinShare(visits, exactly("0.4", "share"), { engine, options: {} })
  expect(numberNear(narrow)).toBeGreaterThan(numberNear(wide))
  expect(await engine.account()).toEqual(after)
})

test("an answer that the first look cannot tell from 0 has no share: cli/within-small", async () => {
  const nobody = `${visits} WHERE visit_concept_id = -5`
  const refused = await epsilonWithinShare(nobody, exactly("0.5", "share"), { engine, options: {} }).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(DosimeterError)
  expect(refused).toMatchObject({ code: "cli/within-small", kind: "refused" })
})
