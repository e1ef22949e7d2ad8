// What a command may touch: a folder to begin at, two ways to write, and the text that errors point into.

import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { fail } from "../errors.ts"

/** One run of the command. */
export class Session {
  /** Where relative paths begin. */
  readonly folder: string
  readonly out: (text: string) => void
  #subject: Subject | undefined

  constructor(folder: string, out: (text: string) => void) {
    this.folder = folder
    this.out = out
  }

  /** Reads a file that the following errors may point into. */
  read(file: string): string {
    const path = resolve(this.folder, file)
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) fail("cli/no-file", { file })
    return this.about(file, readFileSync(path, "utf8"))
  }

  /** Says which text the following errors may point into. */
  about(name: string, text: string): string {
    this.#subject = { name, text }
    return text
  }

  /** The text that errors point into, if one was read. */
  get subject(): Subject | undefined {
    return this.#subject
  }
}

/** A named text. */
export interface Subject {
  readonly name: string
  readonly text: string
}
