// Which data this is: a new version has a new secret, and its answers are new answers.

import { createHash, createHmac, randomBytes } from "node:crypto"
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { Source } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import { findFiles } from "./find-files.ts"

/** A version of the data. */
export interface DataVersion {
  /** Stands for the version; tells nothing about the data. */
  readonly name: string
  /** For keyed hashes. Never leaves the process. */
  readonly secret: string
  /** For digests that are compared over versions: the same for all of them. Never leaves the process. */
  readonly lasting: string
  /**
   * Refuses where the source is no longer the one that was opened: its keys were not looked at, and answers
   * about it would be recorded under the wrong version.
   */
  readonly check: () => void
}

/**
 * The version of a source, by its files' names, sizes and times. Name and secret are keyed by a random text
 * that is kept beside the ledger: without it they say nothing, not even how large a file is.
 */
export function dataVersionOf({ files, current }: SeenFiles, keyFile: string): DataVersion {
  const texts = files.map(({ path, size, mtimeMs }) => [path, size, mtimeMs].join("\n"))
  const print = createHash("sha256").update(texts.join("\n\n")).digest("hex")
  const key = readKey(keyFile)
  const derive = (purpose: string): string =>
    createHmac("sha256", key).update(`${purpose} ${print}`).digest("hex")
  return {
    name: derive("version").slice(0, 32),
    secret: derive("secret"),
    lasting: createHmac("sha256", key).update("all versions").digest("hex"),
    check: () => {
      if (!isDeepStrictEqual(current(), files)) fail("dataset/changed", {})
    },
  }
}

/** The files of a source as they were before it was opened, and as they are. */
export interface SeenFiles {
  readonly files: readonly FileFacts[]
  readonly current: () => readonly FileFacts[]
}

/** Looks at the files of a source. Before it is opened: what is renamed while it is opened is noticed so. */
export function seeFiles(source: Source, folder: string): SeenFiles {
  const current = (): readonly FileFacts[] => filesOf(source, folder)
  return { files: current(), current }
}

interface FileFacts {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Another file under the same name has another one. It is this machine's, and no part of the version. */
  readonly ino: number
}

function filesOf(source: Source, folder: string): readonly FileFacts[] {
  const paths =
    source.kind === "duckdb"
      ? [resolve(folder, source.file)]
      : source.globs.flatMap((glob) => findFiles(glob, folder))
  return paths.toSorted().map((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return { path, size: found?.size ?? -1, mtimeMs: found?.mtimeMs ?? 0, ino: found?.ino ?? 0 }
  })
}

function readKey(path: string): Buffer {
  if (!existsSync(path)) makeKey(path)
  // What follows on the second line is the ledger's: lineage/key-marker.ts.
  const [text = ""] = readFileSync(path, "utf8").trim().split("\n")
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : fail("dataset/bad-key", { file: path })
}

// Whole under its name, or not there: of several processes that make one at once, the first gives it.
function makeKey(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const next = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`
  writeFileSync(next, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" })
  try {
    linkSync(next, path)
  } catch (error) {
    // Where there are no links (some shared folders), the name is given by the file itself.
    if (!existsSync(path)) writeFileSync(path, readFileSync(next), { mode: 0o600, flag: "wx" })
    if (!existsSync(path)) throw error
  } finally {
    rmSync(next, { force: true })
  }
}
