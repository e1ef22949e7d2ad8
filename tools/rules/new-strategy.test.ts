// A new strategy or choice does not compile until every layer knows it: planted in a scratch copy, and seen
// by the compiler in each of their tables.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runNode } from "./doc-blocks.ts"
import { root } from "./repo.ts"

const kinds = "packages/proof/src/algebra/measurement.ts"

/** The tables by strategy, a layer each. */
const strategyTables: readonly string[] = [
  "packages/proof/src/verify/measurements/check-measurement.ts",
  "packages/engine/src/release/measurements/draw.ts",
  "packages/answers/src/measurements/reading-noise.ts",
  "packages/planner/src/aggregates/errors/reading-errors.ts",
  "packages/planner/src/explain/words/measurement-words.ts",
  "packages/engine/src/answer/strategies/published.ts",
]

/** The tables by choice. */
const choiceTables: readonly string[] = [
  "packages/proof/src/verify/measurements/check-measurement.ts",
  "packages/engine/src/release/measurements/draw.ts",
  "packages/planner/src/explain/words/measurement-words.ts",
  "packages/engine/src/answer/strategies/published.ts",
]

const folder = join(root, "node_modules/.cache/new-strategy")

/** Copies the packages that know measurements, with another list of kinds; gives what the compiler says. */
async function compiledWith(change: (kinds: string) => string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const copied = ["proof", "answers", "planner", "engine"]
  for (const name of copied) {
    const from = join(root, "packages", name, "src")
    cpSync(from, join(folder, "packages", name, "src"), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    })
  }
  writeFileSync(join(folder, kinds), change(readFileSync(join(root, kinds), "utf8")))
  const compilerOptions = {
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    lib: ["ES2023"],
    noEmit: true,
    paths: Object.fromEntries(
      copied.map((name) => [`@dosimeter/${name}/*`, [`./packages/${name}/src/*.ts`]]),
    ),
  }
  const files = [...new Set([...strategyTables, ...choiceTables])]
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const { output } = await runNode([tsc, "-p", folder, "--pretty", "false"])
  return output.split("\n")
}

/** The tables in which something is missed. */
function missing(name: string, output: readonly string[], tables: readonly string[]): readonly string[] {
  return tables.filter((table) =>
    output.some((line) => line.includes(`${table}(`) && line.includes(`'${name}' is missing`)),
  )
}

test("as they are, all tables compile", async () => {
  const output = await compiledWith((text) => text)
  expect(output.filter((line) => line.includes("error TS"))).toEqual([])
})

test("a new strategy and a new choice are missed in every layer", async () => {
  const output = await compiledWith((text) =>
    text
      .replace("interface Strategies {", "$&\n  readonly sketch: { readonly spec: LaplaceSpec }")
      .replace("interface Choices {", "$&\n  readonly widest: { readonly spec: SelectionSpec }"),
  )
  expect(missing("sketch", output, strategyTables)).toEqual(strategyTables)
  expect(missing("widest", output, choiceTables)).toEqual(choiceTables)
})
