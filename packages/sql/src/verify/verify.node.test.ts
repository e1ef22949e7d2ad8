// Plans that were spoilt after planning, each in one way that could cost privacy: verify rejects every one.

import { DosimeterError } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import { compile } from "../compile.ts"
import type { ReleasePlan } from "../ir/release-plan.ts"
import type { Grammar } from "../parse/grammar.ts"
import { readPolicy } from "../policy/read-policy.ts"
import { clinicPolicy, clinicQuestions, type ClinicQuestion } from "../testing/clinic.ts"
import { mechanismCorruptions, planCorruptions, postCorruptions } from "../testing/mechanism-corruptions.ts"
import {
  boundingCorruptions,
  unitCorruptions,
  valueCorruptions,
  type Corruption,
} from "../testing/relation-corruptions.ts"
import { testGrammar } from "../testing/test-grammar.ts"
import { verify } from "./verify.ts"

const policy = readPolicy(clinicPolicy({}))
const { catalog, terms } = policy
const questions = Object.entries(clinicQuestions)
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const corruptions: readonly Corruption[] = [
  ...boundingCorruptions,
  ...valueCorruptions,
  ...unitCorruptions,
  ...mechanismCorruptions,
  ...planCorruptions,
  ...postCorruptions(catalog),
]

test.each(questions)("proves the plan of an honest question: %s", (_name, sql) => {
  const { plan } = compile(sql, { grammar, catalog, terms })
  expect(verify(plan, catalog)).toBe(plan)
})

test("there are enough corruptions", () => {
  expect(corruptions.length).toBeGreaterThanOrEqual(100)
})

test.each(corruptions)("rejects $name", ({ of, change }) => {
  const plan = planOf(of)
  const spoilt = change(plan)
  expect(show(spoilt), "the corruption must change something").not.toBe(show(plan))
  expect(rejectionOf(spoilt)).toMatch(/^bug\//)
})

function planOf(question: ClinicQuestion): ReleasePlan {
  return compile(clinicQuestions[question], { grammar, catalog, terms }).plan
}

function rejectionOf(plan: ReleasePlan): string {
  try {
    verify(plan, catalog)
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

function show(plan: ReleasePlan): string {
  return JSON.stringify(plan, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}
