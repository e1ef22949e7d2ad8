// What is typed after `dosimeter init`, as the source of a policy: files by their endings, or the URL of a server.

import type { FileFormat, Source } from "@dosimeter/policy/file/policy"
import { readdirSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path"
import { fail } from "../../../errors.ts"

/** What is typed. */
export interface TypedSource {
  readonly given: readonly string[]
  /** The folder that paths begin at. */
  readonly folder: string
  /** The folder that the policy will be in. */
  readonly policyFolder: string
  /** The schemas of a server. */
  readonly schemas: readonly string[]
}

const endings: readonly (readonly [RegExp, "duckdb" | FileFormat])[] = [
  [/\.(duckdb|ddb|db)$/i, "duckdb"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(csv|tsv)(\.(gz|zst))?$/i, "csv"],
  [/\.(ndjson|jsonl)(\.(gz|zst))?$/i, "ndjson"],
]

/** The source as the policy will say it: paths are relative to the policy's folder. */
export function sourceFor({ given, folder, policyFolder, schemas }: TypedSource): Source {
  const [url = ""] = given
  if (/^postgres(ql)?:/.test(url) && given.length === 1) return serverAt(url, schemas)
  const lake = given.length === 1 ? trinoAt(url) : undefined
  if (lake !== undefined) return lake
  const paths = given.map((path) => (isFolder(resolve(folder, path)) ? patternOf(path, folder) : path))
  const kinds = new Set(paths.map((path) => endings.find(([ending]) => ending.test(path))?.[1]))
  const [kind] = kinds
  const [first = ""] = paths
  if (kind === undefined || kinds.size > 1) return unknown(given)
  const moved = paths.map((path) =>
    isAbsolute(path) ? path : relative(policyFolder, resolve(folder, path)).split(sep).join("/"),
  )
  if (kind !== "duckdb") return { kind, globs: moved }
  return paths.length === 1 ? { kind, file: moved[0] ?? first } : unknown(given)
}

/** Says that nothing tells what was typed. Who is named before an @ may be named with a password. */
export function unknown(given: readonly string[]): never {
  return fail("cli/unknown-source", {
    source: given.map((one) => one.replace(/\/\/.*@/, "//").replace(/\?.*$/, "")).join(" "),
  })
}

/** All files of a folder that are of one kind. */
function patternOf(path: string, folder: string): string {
  const names = readdirSync(resolve(folder, path))
  const ending = ["parquet", "csv", "ndjson"].find((one) => names.some((name) => name.endsWith(`.${one}`)))
  return ending === undefined ? path : `${path.replace(/[/\\]+$/, "")}/*.${ending}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function serverAt(url: string, schemas: readonly string[]): Source {
  const version = { by: "content" } as const
  return { kind: "postgres", url, schemas: schemas.length === 0 ? ["public"] : schemas, version }
}

/** As it is typed for a Trino: https://USER@HOST:PORT/CATALOG/SCHEMA. What holds a password is none. */
function trinoAt(typed: string): Source | undefined {
  const parts = /^(https?:\/\/(?:[^@/:]+@)?[^@/]+)\/([^/?#]+)\/([^/?#]+)$/.exec(typed)
  const [, url, catalog, schema] = parts ?? []
  if (url === undefined || catalog === undefined || schema === undefined) return undefined
  const names = { catalog: catalog.toLowerCase(), schema: schema.toLowerCase() }
  return { kind: "trino", url, ...names, version: { by: "snapshots" } }
}

/** A name from the file, from the folder that the files are in, or from the database. */
export function datasetName(source: string, folder: string): string {
  const database = /^[a-z]+:\/\/[^/]*\/([^/?]+)/.exec(source)?.[1]
  const path = resolve(folder, source)
  const named = /[*?]/.test(source) ? dirname(path.replace(/[*?].*$/, "x")) : path
  const plain = (database ?? basename(named).replace(/\.[^.]*$/, "")).replace(/[^A-Za-z0-9_-]/g, "-")
  return /^[A-Za-z]/.test(plain) ? plain.slice(0, 63) : "dataset"
}
