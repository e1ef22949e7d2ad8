// Files that match a pattern: `*` and `?` within a name, `**` for any number of folders. Resolved by us, so
// that the database is only ever given plain paths.

import { readdirSync, statSync } from "node:fs"
import { isAbsolute, join, parse, sep } from "node:path"

/** The files that match a pattern, sorted; relative patterns begin at `folder`. */
export function findFiles(pattern: string, folder: string): readonly string[] {
  const root = isAbsolute(pattern) ? parse(pattern).root : folder
  const parts = pattern.slice(isAbsolute(pattern) ? root.length : 0).split(/[/\\]/)
  const found = new Set(
    walk(
      root,
      parts.filter((part) => part !== "" && part !== "."),
    ),
  )
  return [...found].filter((path) => isFile(path)).toSorted()
}

function walk(at: string, parts: readonly string[]): readonly string[] {
  const [part, ...rest] = parts
  if (part === undefined) return [at]
  if (part === "**") {
    const deeper = namesIn(at)
      .map((name) => join(at, name))
      .filter(isFolder)
    return [...walk(at, rest), ...deeper.flatMap((path) => walk(path, parts))]
  }
  if (!/[*?]/.test(part)) return walk(join(at, part), rest)
  const shape = new RegExp(
    `^${part
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
  )
  return namesIn(at)
    .filter((name) => shape.test(name) && !name.startsWith("."))
    .flatMap((name) => walk(join(at, name), rest))
}

function namesIn(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder) : []
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isFile(path: string): boolean {
  return !path.endsWith(sep) && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
}
