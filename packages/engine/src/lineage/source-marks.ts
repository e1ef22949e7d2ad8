// Which data a dataset is about: one mark for each place in which rows about people lie. Two datasets with a
// mark in common are about the same people. A mark stands for a place, not for what lies there: a new version
// of the data has the same marks, and a copy elsewhere has others.

import type { Policy } from "@dosimeter/policy/file/policy"
import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { basename, resolve } from "node:path"
import { findFiles } from "../dataset/find-files.ts"

/** The marks of a dataset's source; paths in the policy begin at `folder`. */
export function sourceMarks({ source, catalog }: Policy, folder: string): readonly string[] {
  if (source.kind === "duckdb") return [markOf(resolve(folder, source.file))]
  const shared = new Set(
    catalog.tables.filter(({ unit }) => unit.kind === "public").map(({ path }) => path.at(-1) ?? ""),
  )
  const files = source.globs.flatMap((glob) => findFiles(glob, folder))
  // Lists that everybody may see, such as codes, belong to many datasets.
  const own = files.filter((path) => !shared.has(basename(path).replace(/\..*$/, "")))
  return [...new Set(own.map(markOf))].toSorted()
}

function markOf(path: string): string {
  return createHash("sha256")
    .update(`dosimeter/source\n${realPath(path)}`)
    .digest("hex")
    .slice(0, 32)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A path that does not exist has no other name.
    return path
  }
}
