// What a command may touch: a folder to begin at, two ways to write, a terminal or none, and the text that
// errors point into.

import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { Readable, Writable } from "node:stream"
import { fail } from "../../../errors.ts"

/** Where a command runs, reads and writes. */
export interface CommandContext {
  readonly folder: string
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** Where questions come from if none is given; nothing if left out. */
  readonly input?: Readable
  /** The terminal, if a person is looking. */
  readonly terminal?: Terminal
  /** How the command is called, for examples that can be typed: "dosimeter" if left out. */
  readonly called?: string
  /** Stops the question that is being answered. */
  readonly signal?: AbortSignal
  /** Where ledger and state are kept if several servers share them, unless --store says otherwise. */
  readonly store?: string
}

/** A terminal with a person before it. */
export interface Terminal {
  readonly columns: number
  /** No colours, no blocks. */
  readonly plain: boolean
  /** Where a prompt writes, if the person can type. */
  readonly prompt?: Writable
}

/** One run of the command. */
export class Session {
  /** Where relative paths begin. */
  readonly folder: string
  readonly out: (text: string) => void
  /** What is not part of the answer: progress, remarks. */
  readonly note: (text: string) => void
  readonly input: Readable | undefined
  readonly terminal: Terminal | undefined
  readonly called: string
  readonly signal: AbortSignal | undefined
  #subject: Subject | undefined
  #store: string | undefined

  constructor(context: CommandContext) {
    this.folder = context.folder
    this.out = context.out
    this.note = context.error
    this.input = context.input
    this.terminal = context.terminal
    this.called = context.called ?? "dosimeter"
    this.signal = context.signal
  }

  /** The URL of the store that several servers share; undefined: files beside the policy. */
  get store(): string | undefined {
    return this.#store
  }

  /** Says where the store is, before a command runs. */
  useStore(url: string | undefined): void {
    this.#store = url
  }

  /** Plain characters only: no terminal, or one that asked for it. */
  get plain(): boolean {
    return this.terminal?.plain ?? true
  }

  /** Reads a file that the following errors may point into. */
  read(file: string): string {
    const path = resolve(this.folder, file)
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) fail("cli/no-file", { file })
    return this.about(readFileSync(path, "utf8"), file)
  }

  /** Says which text the following errors may point into; a question has no name. */
  about(text: string, name?: string): string {
    this.#subject = name === undefined ? { text } : { text, name }
    return text
  }

  /** The text that errors point into, if one was read. */
  get subject(): Subject | undefined {
    return this.#subject
  }
}

/** A text, and the file that it is from. */
export interface Subject {
  readonly name?: string
  readonly text: string
}
