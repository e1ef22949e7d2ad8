// `npm run types`: checks the types of what runs anywhere, of the pages, then of everything, with the programs
// in README and docs. `npm run build` (`--build`): writes each package's dist, lower packages first.

import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { documentedBlocks, writeBlocks } from "./doc-blocks.ts"
import { packageNames } from "./packages.ts"
import { readRepoFile, root } from "./repo.ts"

const folder = join(root, "node_modules/.cache/types")

/**
 * The arguments of the compiler, one list for each run. Packages of which nothing is of Node or of a browser
 * are compiled without their types, in one run. What is left has the options of the repository.
 */
export function typeChecks(): readonly (readonly string[])[] {
  mkdirSync(folder, { recursive: true })
  const anywhere = packageNames().filter((name) => read(name).compilerOptions.types.length === 0)
  const configs = [
    configOf("anywhere", {
      extends: join(root, "packages/core/tsconfig.json"),
      compilerOptions: { rootDir: root },
      include: anywhere.map((name) => join(root, "packages", name, "src")),
      exclude: anywhere.flatMap((name) =>
        read(name).exclude.map((path) => join(root, "packages", name, path)),
      ),
    }),
    "packages/web",
    configOf("everything", {
      extends: join(root, "tsconfig.json"),
      files: writeBlocks("typed-docs", documentedBlocks()),
      compilerOptions: { typeRoots: [join(root, "node_modules/@types")] },
    }),
  ]
  return configs.map((path) => ["-p", path, "--noEmit"])
}

function configOf(name: string, config: object): string {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify(config))
  return path
}

interface PackageConfig {
  readonly compilerOptions: { readonly types: readonly string[] }
  readonly exclude: readonly string[]
}

function read(name: string): PackageConfig {
  const config: PackageConfig = JSON.parse(readRepoFile(`packages/${name}/tsconfig.json`).text)
  return config
}

function main(build: boolean): void {
  const runs = build ? packageNames().map((name) => ["-p", `packages/${name}`]) : typeChecks()
  for (const args of runs) run("tsc", args)
  // Pages for browsers are bundled; the compiler only checks them.
  if (build) run("vite", ["build", "packages/web"])
}

function run(program: string, args: readonly string[]): void {
  const path = join(root, "node_modules/.bin", program)
  const { status } = spawnSync(path, args, { cwd: root, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.includes("--build"))
