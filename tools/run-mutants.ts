// Plants the bugs of tools/mutants.ts, one at a time, and demands that a test notices: `npm run mutants`, or
// `npm run mutants -- NAME...` for some. A mutant that breaks loading does not count as noticed: that would
// be a broken row, not a good test.

import { spawn } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { mutants, type Mutant } from "./mutants.ts"
import { mutate } from "./mutate-plugin.ts"
import { readIfThere, root } from "./repo.ts"

/** What became of one mutant; `problem` is absent when it was caught. */
export interface MutantResult {
  readonly name: string
  readonly seconds: number
  readonly problem?: string
}

const atOnce = 2
const timeoutMs = 60_000

/** Runs the mutants (all, or those named), two at a time, and reports each as it ends. */
export async function runMutants(
  names: readonly string[],
  report: (result: MutantResult) => void,
): Promise<readonly MutantResult[]> {
  const unknown = names.filter((name) => !mutants.some((mutant) => mutant.name === name))
  if (unknown.length > 0) throw new Error(`tools/mutants.ts has no mutant ${unknown.join(", ")}`)
  const queue = mutants.filter(({ name }) => names.length === 0 || names.includes(name))
  const results: MutantResult[] = []
  const worker = async (): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const started = performance.now()
      const problem = rowProblem(mutant) ?? (await survival(mutant))
      const seconds = (performance.now() - started) / 1000
      const result = { name: mutant.name, seconds, ...(problem === undefined ? {} : { problem }) }
      results.push(result)
      report(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** What is wrong with the row itself, before anything runs. */
export function rowProblem(mutant: Mutant): string | undefined {
  const text = readIfThere(mutant.file)
  if (text === undefined) return `there is no ${mutant.file}`
  const missing = mutant.tests.filter((test) => readIfThere(test) === undefined)
  if (missing.length > 0 || mutant.tests.length === 0) return `there is no test ${missing.join(", ")}`
  if (mutant.find === mutant.replace) return "it changes nothing"
  try {
    mutate(mutant, text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : "the row cannot be used" // The message says which row.
  }
}

/** Runs the named tests with the bug planted; nothing when one of them fails, otherwise why not. */
async function survival(mutant: Mutant): Promise<string | undefined> {
  const folder = join(root, "node_modules/.cache/mutants")
  mkdirSync(folder, { recursive: true })
  const reportPath = join(folder, `${mutant.name}.json`)
  const args = [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    ...mutant.tests,
    ...["unit", "stat", "tools"].flatMap((project) => ["--project", project]),
    "--reporter=json",
    `--outputFile=${reportPath}`,
    "--bail=1",
    "--maxWorkers=1",
    "--pool=threads",
    ...(mutant.title === undefined ? [] : ["-t", mutant.title]),
  ]
  const ended = await run(args, mutant.name)
  if (ended === "timeout") return undefined // It never ends: whoever runs the tests notices that.
  const {
    numFailedTests,
    numTotalTests,
  }: { readonly numFailedTests: number; readonly numTotalTests: number } = JSON.parse(
    readFileSync(reportPath, "utf8"),
  )
  if (numFailedTests > 0) return undefined
  return numTotalTests === 0 ? "the changed file does not load, so no test ran" : "it survives: no test fails"
}

function run(args: readonly string[], name: string): Promise<"ended" | "timeout"> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, MUTANT: name },
      stdio: "ignore",
      detached: true, // A group of its own, so that a worker in an endless loop can be stopped with it.
    })
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      resolve("timeout")
    }, timeoutMs)
    child.on("error", reject)
    child.on("exit", () => {
      clearTimeout(timer)
      resolve("ended")
    })
  })
}

/** One line for one result. */
export function showMutant({ name, seconds, problem }: MutantResult): string {
  return `${problem === undefined ? "caught" : "NOT CAUGHT"} ${name} (${seconds.toFixed(1)} s)${problem === undefined ? "" : `: ${problem}`}`
}

if (process.argv[1] === join(root, "tools/run-mutants.ts")) {
  const results = await runMutants(process.argv.slice(2), (result) => console.log(showMutant(result)))
  const survivors = results.filter(({ problem }) => problem !== undefined).length
  console.log(`${results.length - survivors} caught, ${survivors} not caught`)
  if (survivors > 0) process.exitCode = 1
}
