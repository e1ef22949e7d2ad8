// Programs with a planted fault: compiled with the repository's own compiler and settings, to see that it
// refuses each of them, and where.

import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runNode } from "./doc-blocks.ts"
import { root } from "./repo.ts"

const folder = join(root, "node_modules/.cache/planted")

/** The errors of each program, such as "TS2741", by its name. All are compiled at once. */
export async function compileErrors(
  programs: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const names = Object.keys(programs)
  const compilerOptions = { types: ["node"], typeRoots: [join(root, "node_modules/@types")], noEmit: true }
  const files = names.map((name) => `${name}.ts`)
  const settings = { extends: join(root, "tsconfig.base.json"), compilerOptions, files }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), `${programs[name] ?? ""}\nexport {}\n`)
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const { output } = await runNode([compiler, "-p", folder, "--pretty", "false"])
  const found = [...output.matchAll(/^(\S+?)\.ts\(\d+,\d+\): error (TS\d+)/gm)]
  const elsewhere = found.filter(([, path = ""]) => !names.includes(path.split("/").at(-1) ?? ""))
  if (elsewhere.length > 0) throw new Error(`the sources themselves do not compile:\n${output}`)
  return Object.fromEntries(
    names.map((name) => [
      name,
      found.filter(([, path = ""]) => path.split("/").at(-1) === name).map(([, , code = ""]) => code),
    ]),
  )
}
