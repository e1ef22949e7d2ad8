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
  const current = (): readonly FileFacts[] => [
    ...pathsOf(source, folder).toSorted().map(factsOf),
    ...logsOf(source, folder).map(factsOf),
  ]
  const files = current()
  const logs = new Set(logsOf(source, folder))
  // A log that is not there is no part of the version.
  const counted = files.filter(({ path, size }) => size >= 0 || !logs.has(path))
  const texts = counted.map(({ path, size, mtimeMs }) => [path, size, mtimeMs].join("\n"))
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
  /** When the file was last written or renamed: unlike the other time it cannot be set back. As `ino`. */
  readonly ctimeMs: number
}

function factsOf(path: string): FileFacts {
  const found = statSync(path, { throwIfNoEntry: false })
  const { size = -1, mtimeMs = 0, ino = 0, ctimeMs = 0 } = found ?? {}
  return { path, size, mtimeMs, ino, ctimeMs }
}

// What a writer that did not finish has left beside a file: DuckDB reads it with the file.
function logsOf(source: DuckDBSource, folder: string): readonly string[] {
  return source.kind === "duckdb" ? pathsOf(source, folder).map((path) => `${path}.wal`) : []
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
