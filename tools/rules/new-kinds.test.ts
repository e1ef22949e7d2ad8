// A new kind of relation, of expression, of function or of database: the compiler points at every layer that
// must know it, and for a database at its own file only. Each is planted in a scratch copy of the sources.

import { sampleOf } from "@dosimeter/core/testing"
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runNode } from "./doc-blocks.ts"
import { root } from "./repo.ts"

const scratch = join(root, "node_modules/.cache/new-kinds")
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Plant {
  readonly what: string
  /** Packages that are compiled with it. */
  readonly packages: readonly string[]
  /** In packages/proof/src. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The folders with a file that no longer compiles: all of them. */
  readonly layers: readonly string[]
}

const node = (kind: string, extending: string): string =>
  `/** Planted. */\nexport interface Planted ${extending}{\n  readonly kind: "${kind}"\n}\n`

const plants: readonly Plant[] = [
  {
    what: "relation",
    packages: ["core", "proof", "language", "answers", "planner"],
    file: "algebra/rel.ts",
    find: "  | Released\n",
    replace: `  | Released\n  | Planted\n\n${node("planted", "extends Placed ")}`,
    layers: [
      "answers/src/evaluate",
      "answers/src/reuse",
      "language/src/bind",
      "planner/src/keys",
      "planner/src/loss",
      "proof/src/algebra",
      "proof/src/print",
      "proof/src/units",
      "proof/src/verify",
      "proof/src/verify/measurements",
      "proof/src/verify/shapes",
      "proof/src/work",
    ],
  },
  {
    what: "expression",
    packages: ["core", "proof", "language", "answers", "planner"],
    file: "algebra/expr.ts",
    find: " | KeyedHashExpr\n",
    replace: ` | KeyedHashExpr | Planted\n\n${node("planted", "")}`.replace(
      '"planted"\n',
      '"planted"\n  readonly domain: Domain\n',
    ),
    layers: [
      "answers/src/evaluate",
      "answers/src/reuse",
      "language/src/bind/exprs",
      "planner/src/aggregates",
      "proof/src/algebra",
      "proof/src/print",
      "proof/src/verify/extracts",
      "proof/src/verify/shapes",
      "proof/src/work",
    ],
  },
  {
    what: "function",
    packages: ["core", "proof", "answers"],
    file: "functions/function-name.ts",
    find: '  | "age-months"\n',
    replace: '  | "age-months"\n  | "planted"\n',
    layers: ["answers/src/values", "proof/src/functions", "proof/src/spell", "proof/src/testing/second-way"],
  },
  {
    what: "database",
    packages: ["core", "proof"],
    file: "dialects/dialect.ts",
    find: '| "trino"\n',
    replace: '| "trino" | "planted"\n',
    layers: ["proof/src/dialects", "proof/src/testing/second-way"],
  },
]

/** The folders in which the compiler finds something wrong once the kind is there. */
async function complaints({ what, packages, file, find, replace }: Plant): Promise<readonly string[]> {
  const copy = join(scratch, what)
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(join(copy, "node_modules/@dosimeter"), { recursive: true })
  for (const name of packages) {
    const [from, to] = [join(root, "packages", name), join(copy, "packages", name)]
    cpSync(join(from, "src"), join(to, "src"), {
      recursive: true,
      filter: (path) => !/\.test\.tsx?$/.test(path),
    })
    cpSync(join(from, "package.json"), join(to, "package.json"))
    symlinkSync(to, join(copy, "node_modules/@dosimeter", name))
  }
  const planted = join(copy, "packages/proof/src", file)
  const text = readFileSync(planted, "utf8")
  expect(text.split(find).length).toBe(2)
  writeFileSync(planted, text.replace(find, replace))
  const compilerOptions = {
    lib: ["ES2023"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    noEmit: true,
  }
  const include = packages.map((name) => `packages/${name}/src`)
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, include, exclude: [] }
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config))
  const { output } = await runNode([
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    copy,
    "--pretty",
    "false",
  ])
  const files = [...output.matchAll(/packages\/([^(\n]+\.ts)\(\d+,\d+\): error/g)].map(
    ([, path]) => path ?? "",
  )
  return [...new Set(files.map((path) => dirname(path)))].toSorted()
}

test.each(sampleOf(plants, 1))("a new $what does not compile until every layer knows it", async (plant) => {
  expect(await complaints(plant)).toEqual(plant.layers)
})
