// Plants the bugs of tools/mutants/mutants.ts, one at a time, and demands that a test notices: `npm run mutants`, or
// `npm run mutants -- NAME...` for some. A mutant that breaks loading does not count as noticed: that would
// be a broken row, not a good test.

import { fork, type ChildProcess } from "node:child_process"
import { join } from "node:path"
import { mutants, type Mutant } from "./mutants.ts"
import { mutate } from "./mutate-plugin.ts"
import { readIfThere, root } from "../rules/repo.ts"

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
  if (unknown.length > 0) throw new Error(`tools/mutants/mutants.ts has no mutant ${unknown.join(", ")}`)
  const queue = mutants.filter(({ name }) => names.length === 0 || names.includes(name))
  const results: MutantResult[] = []
  const work = async (): Promise<void> => {
    const worker = new MutantWorker()
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const started = performance.now()
      const problem = rowProblem(mutant) ?? (await worker.survival(mutant))
      const seconds = (performance.now() - started) / 1000
      const result = { name: mutant.name, seconds, ...(problem === undefined ? {} : { problem }) }
      results.push(result)
      report(result)
    }
    worker.stop()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
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

/** A process of mutant-worker.ts. One that hangs is stopped, and the next mutant gets a new one. */
class MutantWorker {
  private child: ChildProcess | undefined

  /** Nothing when a test notices the mutant, otherwise why none did. */
  async survival(mutant: Mutant): Promise<string | undefined> {
    const child = this.child ?? (await this.start())
    return new Promise((resolve) => {
      const end = (problem: string | undefined): void => {
        clearTimeout(timer)
        child.removeAllListeners()
        resolve(problem)
      }
      const timer = setTimeout(() => {
        this.stop()
        end(undefined) // It never ends: whoever runs the tests notices that.
      }, timeoutMs)
      child.on("message", (problem) => end(problem === "" ? undefined : JSON.stringify(problem)))
      child.on("exit", () => {
        this.child = undefined
        end("the process that ran its tests ended")
      })
      child.send(mutant.name)
    })
  }

  stop(): void {
    if (this.child?.pid !== undefined) process.kill(-this.child.pid, "SIGKILL")
    this.child = undefined
  }

  private start(): Promise<ChildProcess> {
    const child = fork(join(root, "tools/mutants/mutant-worker.ts"), {
      cwd: root,
      execArgv: ["--conditions=source", "--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true, // A group of its own, so that a worker in an endless loop can be stopped with it.
    })
    this.child = child
    return new Promise((resolve, reject) => {
      child.once("error", reject)
      child.once("exit", () => reject(new Error("tools/mutants/mutant-worker.ts does not start")))
      child.once("message", () => {
        child.removeAllListeners()
        resolve(child)
      })
    })
  }
}

/** One line for one result. */
export function showMutant({ name, seconds, problem }: MutantResult): string {
  return `${problem === undefined ? "caught" : "NOT CAUGHT"} ${name} (${seconds.toFixed(1)} s)${problem === undefined ? "" : `: ${problem}`}`
}

if (process.argv[1] === join(root, "tools/mutants/run-mutants.ts")) {
  const results = await runMutants(process.argv.slice(2), (result) => {
    console.log(showMutant(result))
    // Where the checks have started it, they count.
    process.send?.(result.problem === undefined)
  })
  const survivors = results.filter(({ problem }) => problem !== undefined).length
  console.log(`${results.length - survivors} caught, ${survivors} not caught`)
  process.disconnect?.()
  if (survivors > 0) process.exitCode = 1
}
