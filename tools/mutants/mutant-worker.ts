// A process that keeps Vitest and the transformed sources, and runs the tests of one planted bug after the
// other: run-mutants.ts sends names and gets verdicts. Tests run in a new thread each time, so nothing but
// the text of modules survives from one to the next, and that is compared.

import { join } from "node:path"
import type { DevEnvironment } from "vite"
import { createVitest, type TestModule, type Vitest } from "vitest/node"
import { mutants, type Mutant } from "./mutants.ts"
import { root } from "../rules/repo.ts"

async function main(): Promise<void> {
  const vitest = await createVitest("test", {
    root,
    watch: false,
    project: ["unit", "stat", "deep", "tools"],
    reporters: [{}],
    bail: 1,
    maxWorkers: 1,
    isolate: true,
    pool: "threads",
  })
  process.on("message", (name) => {
    const mutant = mutants.find((row) => row.name === name)
    if (mutant === undefined) throw new Error(`tools/mutants/mutants.ts has no mutant ${String(name)}`)
    void survival(vitest, mutant).then((problem) => process.send?.(problem ?? ""))
  })
  process.send?.("ready")
}

/** Runs the named tests with the bug planted; nothing when one of them fails, otherwise why not. */
async function survival(vitest: Vitest, mutant: Mutant): Promise<string | undefined> {
  const found = await vitest.globTestSpecifications([...mutant.tests])
  // Files with a long form are in two projects; the sample must notice the bug.
  const specifications = found.filter(
    ({ project, moduleId }) => project.name !== "deep" || moduleId.endsWith(".deep.test.ts"),
  )
  const [specification] = specifications
  if (specification === undefined) return `Vitest does not know ${mutant.tests.join(", ")}`
  const { ssr } = specification.project.vite.environments
  const file = join(root, mutant.file)
  const clean = await textOf(ssr, file)
  process.env["MUTANT"] = mutant.name
  vitest.invalidateFile(file)
  vitest.setGlobalTestNamePattern(mutant.title ?? "")
  const { testModules } = await vitest.runTestSpecifications(specifications)
  const planted = heldText(ssr, file)
  process.env["MUTANT"] = ""
  vitest.invalidateFile(file)
  if ((await textOf(ssr, file)) !== clean) throw new Error(`${mutant.name} stays in ${mutant.file}`)
  if (planted === undefined || planted === clean) return "no test loads the change, or it is no code"
  const names = mutant.tests.map((test) => join(root, test))
  return verdict(testModules.filter(({ moduleId }) => names.includes(moduleId)))
}

function verdict(modules: readonly TestModule[]): string | undefined {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  if (tests.some((test) => test.result().state === "failed")) return undefined
  return tests.length === 0 ? "the changed file does not load, so no test ran" : "it survives: no test fails"
}

/** The module's text as a test would get it now. */
async function textOf(environment: DevEnvironment, file: string): Promise<string | undefined> {
  return withoutMap((await environment.transformRequest(file))?.code)
}

/** The text that the last run was given, if it asked. */
function heldText(environment: DevEnvironment, file: string): string | undefined {
  const modules = [...(environment.moduleGraph.getModulesByFile(file) ?? [])]
  return withoutMap(modules.flatMap(({ transformResult }) => transformResult?.code ?? [])[0])
}

/** Vitest writes the source map into the text when a test asks for it. */
function withoutMap(code: string | undefined): string | undefined {
  return code?.split("\n//# sourceMapping")[0]?.trimEnd()
}

await main()
