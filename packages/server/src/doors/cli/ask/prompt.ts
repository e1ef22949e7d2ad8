// Questions one after the other: from a person at a terminal, with history, or from a pipe.

import type { Engine } from "@dosimeter/engine"
import { hasWords, onOneLine, splitStatements } from "@dosimeter/language/text/statements"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface, type Interface } from "node:readline"
import { answerQuestion, type AnswerFlags } from "./answer-question.ts"
import { budgetText } from "./budget.ts"
import { explainQuestion } from "./explain.ts"
import type { Session } from "../session/session.ts"
import { drawProblems } from "../show/show-problems.ts"

/** What a prompt works on. */
export interface PromptOptions {
  readonly engine: Engine
  readonly session: Session
  readonly flags: AnswerFlags
  /** The folder where the history is kept. */
  readonly state: string
}

const welcome = `SQL ends with ; and may take several lines.
\\d tables  \\d TABLE columns  \\explain SQL; what it would cost  \\budget  \\q leave
`

/** Reads questions until the end. At a terminal a session goes on after an error; a pipe ends with it. */
export async function runPrompt(options: PromptOptions): Promise<void> {
  const { session, state } = options
  const { input, terminal } = session
  if (input === undefined) return
  const history = new History(join(state, "history"))
  const output = terminal?.prompt
  const reader = createInterface({
    input,
    ...(output === undefined
      ? { terminal: false }
      : {
          output,
          terminal: true,
          history: history.newestFirst(),
          historySize: 1000,
          removeHistoryDuplicates: true,
        }),
  })
  const talk = new Talk(options, history, reader)
  if (output !== undefined) session.out(welcome)
  try {
    await talk.run()
  } finally {
    reader.close()
  }
}

/** A session: the lines read so far, and what they are to become. */
class Talk {
  readonly #options: PromptOptions
  readonly #history: History
  readonly #reader: Interface
  readonly #isPerson: boolean
  #pending = ""
  #explains = false
  #last = ""
  #stop: AbortController | undefined

  constructor(options: PromptOptions, history: History, reader: Interface) {
    this.#options = options
    this.#history = history
    this.#reader = reader
    this.#isPerson = options.session.terminal?.prompt !== undefined
  }

  async run(): Promise<void> {
    const { session } = this.#options
    const isPerson = this.#isPerson
    const ask = (): void => {
      if (!isPerson) return
      this.#reader.setPrompt(this.#pending === "" ? "dosimeter> " : "        -> ")
      this.#reader.prompt()
    }
    // Ctrl-C stops the question that is being answered, or forgets the lines typed so far.
    this.#reader.on("SIGINT", () => {
      this.#stop?.abort()
      this.#pending = ""
      session.out("\n")
      ask()
    })
    ask()
    for await (const line of this.#reader) {
      if (/^\s*\\q\b/.test(line)) return
      await this.#guarded(() => this.#take(line))
      ask()
    }
    if (hasWords(this.#pending)) await this.#guarded(() => this.#answer(this.#pending.trim()))
    if (isPerson) session.out("\n")
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    if (!this.#isPerson) return work()
    try {
      await work()
    } catch (reason) {
      // A person reads the error and goes on; a pipe has nobody to read it, so there it ends the command.
      this.#options.session.out(drawProblems(reason, this.#options.session.subject))
    }
  }

  async #take(line: string): Promise<void> {
    const command = this.#pending === "" ? /^\s*\\(\w+|\?)\s*(.*)$/s.exec(line) : null
    if (command !== null) return this.#command(command[1] ?? "", command[2] ?? "")
    const { statements, rest } = splitStatements(`${this.#pending}${line}\n`)
    this.#pending = hasWords(rest) ? rest.replace(/^\s+/, "") : ""
    for (const statement of statements) await this.#answer(statement)
  }

  async #command(name: string, rest: string): Promise<void> {
    const { engine, session } = this.#options
    switch (name) {
      case "d":
        return session.out(describe(engine, rest.replace(/;\s*$/, "").trim()))
      case "budget":
        return session.out(await budgetText(engine, session))
      case "explain":
        if (rest.trim() === "" && this.#last !== "") return this.#explain(this.#last)
        this.#explains = true
        return this.#take(rest)
      default:
        return session.out(welcome)
    }
  }

  async #answer(statement: string): Promise<void> {
    const explains = this.#explains
    this.#explains = false
    this.#last = statement
    if (this.#isPerson) this.#history.add(statement)
    if (explains) return this.#explain(statement)
    const { engine, session, flags } = this.#options
    this.#stop = new AbortController()
    const { signal } = this.#stop
    // The prompt has the terminal: what a question would cost is shown by \\explain.
    await answerQuestion(statement, { ...flags, yes: true }, { engine, session, signal })
    session.out("\n")
  }

  async #explain(statement: string): Promise<void> {
    const { engine, session, flags } = this.#options
    await explainQuestion(statement, flags, { engine, session })
    session.out("\n")
  }
}

/** Questions of earlier sessions: what was asked, never what was answered. */
class History {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  newestFirst(): string[] {
    if (!existsSync(this.#path)) return []
    const lines = readFileSync(this.#path, "utf8").split("\n")
    return lines
      .filter((line) => line !== "")
      .slice(-1000)
      .toReversed()
  }

  add(question: string): void {
    appendFileSync(this.#path, `${onOneLine(question)};\n`, { mode: 0o600 })
  }
}

/** The tables, or the columns of one. */
function describe({ policy }: Engine, name: string): string {
  const { tables } = policy.catalog
  if (name === "") {
    const width = Math.max(...tables.map((table) => table.name.length))
    const lines = tables.map(
      (table) => `${table.name.padEnd(width)}  ${table.unit.kind === "public" ? "public" : "private"}`,
    )
    return `${lines.join("\n")}\n`
  }
  const table = tables.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (table === undefined) return `there is no table ${name}; \\d lists them\n`
  const allowed = table.columns.filter(({ access }) => access === "allowed")
  const width = Math.max(...allowed.map((column) => column.name.length))
  return allowed.map((column) => `${column.name.padEnd(width)}  ${showType(column.domain.type)}\n`).join("")
}
