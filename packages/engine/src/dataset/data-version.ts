// Which data this is: a new version has a new secret, and its answers are new answers.

import { createHmac, randomBytes } from "node:crypto"
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fail } from "../errors.ts"
import { looking } from "./looking.ts"

/** The data behind a source, as it was when the source was opened. */
export interface SeenData {
  /**
   * A text that is another one for other data, as well as the database can tell: by names, sizes and times of
   * files, by a snapshot, or by the owner's word. It may tell about the data and never leaves the process;
   * only keyed hashes of it do.
   */
  readonly print: string
  /** Whether the source still is what it was. Cheap: it is asked before and after every question. */
  isSame(): Promise<boolean>
}

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
  readonly check: () => Promise<void>
}

/**
 * The version of a source, by what its database saw. Name and secret are keyed by a random text that is kept
 * beside the ledger: without it they say nothing, not even how large a file is.
 */
export function dataVersionOf(seen: SeenData, keyFile: string): DataVersion {
  const key = readKey(keyFile)
  const derive = (purpose: string): string =>
    createHmac("sha256", key).update(`${purpose} ${seen.print}`).digest("hex")
  return {
    name: derive("version").slice(0, 32),
    secret: derive("secret"),
    lasting: createHmac("sha256", key).update("all versions").digest("hex"),
    check: async () => {
      const isSame = await looking(seen.isSame(), "it does not say which data it holds")
      if (!isSame) fail("dataset/changed", {})
    },
  }
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
