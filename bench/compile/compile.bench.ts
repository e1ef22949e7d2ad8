// Compile time of the fourteen questions with the OMOP pack: parse to proven plan, and printing, in
// milliseconds of CPU time and as multiples of parsing alone, which is the PostgreSQL grammar's own work.

import { readFileSync } from "node:fs"
import { DosimeterError } from "@dosimeter/core"
import { systemBits } from "../../packages/core/src/random/system-bits.ts"
import { printPlan } from "../../packages/proof/src/print/print-plan.ts"
import { compile } from "../../packages/planner/src/compile.ts"
import { loadGrammar, type Grammar } from "../../packages/language/src/parse/grammar.ts"
import { parse } from "../../packages/language/src/parse/parse.ts"
import { readPolicy } from "../../packages/policy/src/read/read-policy.ts"
import { examplePolicy } from "../../packages/policy/src/testing/example-policy.ts"
import { readGolden, type GoldenCase } from "../../packages/language/src/testing/golden.ts"
import { measureGroups, median, medianRatio, type Group } from "../measure.ts"
import { formatTable, short } from "../table.ts"

const questions = new URL("../../packages/language/test/golden/parse-questions.sqlt", import.meta.url)
const targetMilliseconds = 5
const { catalog, terms } = readPolicy(examplePolicy)

/** Runs the suite and returns the medians for the history. */
export async function benchCompile(options: {
  readonly quick: boolean
}): Promise<Readonly<Record<string, number>>> {
  const grammar = await loadGrammar()
  const cases = readGolden(readFileSync(questions, "utf8"))
  const refused = cases.flatMap((one) => refusalOf(one, grammar))
  if (refused.length > 0) console.log(`Refused, and measured up to the refusal:\n${refused.join("\n")}\n`)
  const groups = cases.map((one) => groupOf(one, grammar))
  const results = measureGroups(groups, options.quick ? 3 : 11, systemBits())
  const rows = [["question", "parse ms", "compile ms", "worst ms", "/ parse", "print ms"]]
  const medians: Record<string, number> = {}
  for (const { name } of groups) {
    const times = results.get(name)
    const [parsed = [], compiled = [], printed = []] = ["parse", "compile", "print"].map((step) =>
      times?.get(step),
    )
    const milliseconds = median(compiled) / 1e6
    medians[`${name} ms`] = milliseconds
    const figures = [
      median(parsed) / 1e6,
      milliseconds,
      Math.max(...compiled) / 1e6,
      medianRatio(compiled, parsed),
    ]
    rows.push([name, ...figures.map(short), printed.length === 0 ? "-" : short(median(printed) / 1e6)])
  }
  console.log(`${formatTable(rows)}\n`)
  const slowest = Math.max(...Object.values(medians))
  const verdict = slowest <= targetMilliseconds ? "met" : "missed"
  console.log(`at most: ${targetMilliseconds} ms for each question: ${verdict} (${short(slowest)} ms)`)
  return medians
}

function groupOf({ comment, sql }: GoldenCase, grammar: Grammar): Group {
  const run = (step: () => void) => (times: number) => {
    for (let count = 0; count < times; count += 1) step()
  }
  const compiled = { name: "compile", draws: 1, run: run(() => planOf(sql, grammar)) }
  const parsed = { name: "parse", draws: 1, run: run(() => parse(sql, grammar)) }
  const plan = planOf(sql, grammar)
  const printed =
    plan instanceof DosimeterError
      ? []
      : [{ name: "print", draws: 1, run: run(() => printPlan(plan, "duckdb")) }]
  return { name: nameOf(comment), candidates: [parsed, compiled, ...printed] }
}

function planOf(sql: string, grammar: Grammar): ReturnType<typeof compile>["plan"] | DosimeterError {
  try {
    return compile(sql, { grammar, catalog, terms }).plan
  } catch (error) {
    if (error instanceof DosimeterError) return error
    throw error
  }
}

function refusalOf({ comment, sql }: GoldenCase, grammar: Grammar): readonly string[] {
  const plan = planOf(sql, grammar)
  return plan instanceof DosimeterError ? [`  ${nameOf(comment)}: ${plan.code}: ${plan.message}`] : []
}

/** The first words of the comment above a question. */
function nameOf(comment: string): string {
  return (
    comment
      .replace(/^#\s*/, "")
      .split(/[:(,\n]/)[0]
      ?.trim()
      .slice(0, 48) ?? ""
  )
}
