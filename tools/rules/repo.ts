// The repository as the checks in tools/ see it: one list of files, read once, with paths from the root.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The root folder, as an absolute path without a slash at the end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "")

const skipped = new Set(["node_modules", "dist", "coverage", ".git", ".vitest", "screenshots"])

/** One text file: its path from the root (with `/`) and its text. */
export interface RepoFile {
  readonly path: string
  readonly text: string
}

/** The paths of all files under a folder, sorted; none if the folder does not exist. */
export function listFiles(folder: string): readonly string[] {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { withFileTypes: true })
    .flatMap((entry) => {
      if (skipped.has(entry.name)) return []
      const path = relative(root, join(start, entry.name)).split(sep).join("/")
      return entry.isDirectory() ? listFiles(path) : [path]
    })
    .toSorted()
}

/** Reads one file by its path from the root. */
export function readRepoFile(path: string): RepoFile {
  return { path, text: readFileSync(join(root, path), "utf8") }
}

/** Reads one file, or nothing if it does not exist. */
export function readIfThere(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined
}

/** Every TypeScript file that people write: packages, tools, benchmarks, examples, configuration. */
export function typescriptFiles(): readonly RepoFile[] {
  const rootFiles = readdirSync(root).filter((name) => isTypescript(name))
  return ["packages", "tools", "bench", "examples", "e2e"]
    .flatMap((folder) => listFiles(folder))
    .filter((path) => isTypescript(path) && !path.includes("/generated/"))
    .concat(rootFiles)
    .map((path) => readRepoFile(path))
}

/** Every Markdown file of the repository. */
export function markdownFiles(): readonly RepoFile[] {
  return listFiles("")
    .filter((path) => path.endsWith(".md"))
    .map((path) => readRepoFile(path))
}

/** Whether a path names a test. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

function isTypescript(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts")
}
