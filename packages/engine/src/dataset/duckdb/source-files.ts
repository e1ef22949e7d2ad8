// The files of a source: which they are, where they lie, and whether they are still what they were.

import type { FileFormat } from "@dosimeter/policy/file/policy"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { createHash } from "node:crypto"
import { realpathSync, statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { SeenData } from "../data-version.ts"
import { findFiles } from "./find-files.ts"

/** A source that DuckDB reads: a file of its own, or files in a format that it knows. */
export type DuckDBSource =
  | { readonly kind: "duckdb"; readonly file: string }
  | { readonly kind: FileFormat; readonly globs: readonly string[] }

/** Looks at the files of a source. Before it is opened: what is renamed while it is opened is noticed so. */
export function seeFiles(source: DuckDBSource, folder: string): SeenData {
  const current = (): readonly FileFacts[] => pathsOf(source, folder).toSorted().map(factsOf)
  const files = current()
  const texts = files.map(({ path, size, mtimeMs }) => [path, size, mtimeMs].join("\n"))
  return {
    print: createHash("sha256").update(texts.join("\n\n")).digest("hex"),
    isSame: async () => isDeepStrictEqual(current(), files),
  }
}

/** The files that hold rows about people, by the names that they have on this machine. */
export function placesOf(source: DuckDBSource, catalog: Catalog, folder: string): readonly string[] {
  const paths = pathsOf(source, folder)
  if (source.kind === "duckdb") return paths.map(realPath)
  const shared = new Set(
    catalog.tables.filter(({ unit }) => unit.kind === "public").map(({ path }) => path.at(-1) ?? ""),
  )
  // Lists that everybody may see, such as codes, belong to many datasets.
  return paths.filter((path) => !shared.has(basename(path).replace(/\..*$/, ""))).map(realPath)
}

interface FileFacts {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Another file under the same name has another one. It is this machine's, and no part of the version. */
  readonly ino: number
}

function factsOf(path: string): FileFacts {
  const found = statSync(path, { throwIfNoEntry: false })
  return { path, size: found?.size ?? -1, mtimeMs: found?.mtimeMs ?? 0, ino: found?.ino ?? 0 }
}

function pathsOf(source: DuckDBSource, folder: string): readonly string[] {
  if (source.kind === "duckdb") return [resolve(folder, source.file)]
  return source.globs.flatMap((glob) => findFiles(glob, folder))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // What is not there has no other name.
    return path
  }
}
