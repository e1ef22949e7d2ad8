// One session of the wire after the client is known: simple questions, and parse, bind, describe, execute.
// After an error in the second form everything is skipped up to the next sync, as the protocol wants it.

import { sourceText, splitStatements, type Constant } from "@dosimeter/sql"
import type { AnswerTable } from "@dosimeter/engine"
import { ByName, parameterCount, type Portal, type Prepared } from "./portals.ts"
import { readCommand, type Command } from "./read-command.ts"
import type { BindMessage, ClientMessage } from "./read-messages.ts"
import { readParameter } from "./read-parameter.ts"
import type { SessionSettings } from "./session-settings.ts"
import type { WireDataset, WireQuestion } from "./wire-dataset.ts"
import { errorFields, WireError } from "./wire-error.ts"
import {
  encodeRow,
  inFormats,
  resultColumns,
  learntNotices,
  resultOf,
  textResult,
  type ResultColumn,
  type WireResult,
} from "./wire-result.ts"
import * as write from "./write-messages.ts"

/** Where messages go; resolves when more may be sent. */
export type Send = (bytes: Buffer) => Promise<void>

/** A session. Messages are handled one after the other. */
export class PgSession {
  readonly settings: SessionSettings
  readonly #dataset: WireDataset
  readonly #send: Send
  readonly #statements = new ByName<Prepared>("prepared statement")
  readonly #portals = new ByName<Portal>("portal")
  #block: write.BlockState = "I"
  #skipping = false
  #running: AbortController | undefined
  /** The statement that an error would point into. */
  #about = ""

  constructor(dataset: WireDataset, settings: SessionSettings, send: Send) {
    this.#dataset = dataset
    this.settings = settings
    this.#send = send
  }

  /** Stops the question that is being answered. */
  cancel(): void {
    this.#running?.abort()
  }

  /** The session can take a question. */
  async ready(): Promise<void> {
    await this.#send(write.readyForQuery(this.#block))
  }

  async handle(message: ClientMessage): Promise<void> {
    if (message.kind === "query") return this.#simple(message.sql)
    if (message.kind === "sync") {
      this.#skipping = false
      return this.ready()
    }
    if (this.#skipping || message.kind === "flush") return
    try {
      await this.#extended(message)
    } catch (error) {
      this.#skipping = true
      await this.#failed(error, this.#about)
    }
  }

  async #simple(text: string): Promise<void> {
    const { statements } = splitStatements(`${text};`)
    if (statements.length === 0) await this.#send(write.emptyQuery())
    let from = 0
    for (const sql of statements) {
      from = text.indexOf(sql, from)
      try {
        await this.#answer(sql)
      } catch (error) {
        await this.#failed(error, sql, sourceText(text).toCodePoint(from))
        break
      }
      from += sql.length
    }
    await this.ready()
  }

  async #answer(sql: string): Promise<void> {
    const result = await this.#run(sql, [])
    if (result === undefined) return
    if (result.columns.length > 0) await this.#send(write.rowDescription(inFormats(result.columns, [])))
    await this.#sendRows(result, { from: 0, to: result.rows.length, formats: [] })
    await this.#complete(result)
  }

  async #extended(message: ClientMessage): Promise<void> {
    switch (message.kind) {
      case "parse":
        this.#statements.add(message.name, { sql: message.sql, types: message.types })
        return this.#send(write.parseComplete())
      case "bind":
        this.#bind(message)
        return this.#send(write.bindComplete())
      case "describe":
        return message.what === "statement"
          ? this.#describeStatement(this.#statements.get(message.name))
          : this.#describePortal(this.#portals.get(message.name))
      case "execute":
        return this.#execute(this.#portals.get(message.portal), message.rowsMax)
      case "close":
        if (message.what === "statement") this.#statements.delete(message.name)
        else this.#portals.delete(message.name)
        return this.#send(write.closeComplete())
      case "unsupported":
        throw new WireError("0A000", `${message.what} is not possible here`)
      case "password":
      case "query":
      case "flush":
      case "sync":
      case "terminate":
        throw new WireError("08P01", "this message does not belong here")
      default:
        return message satisfies never
    }
  }

  #bind({ portal, statement, formats, values, resultFormats }: BindMessage): void {
    const prepared = this.#statements.get(statement)
    const count = parameterCount(prepared.sql)
    if (values.length !== count) {
      throw new WireError("08P01", `${values.length} parameters were bound, and the statement has ${count}`)
    }
    const parameters = values.map((value, index) => {
      const format = formats.length === 1 ? formats[0] : formats[index]
      return readParameter(value, prepared.types[index] ?? 0, format ?? 0)
    })
    this.#portals.add(portal, { statement: prepared, parameters, formats: resultFormats, next: 0 })
  }

  async #describeStatement({ sql, types }: Prepared): Promise<void> {
    const count = parameterCount(sql)
    const shown = Array.from({ length: count }, (_, index) => types[index] || textType)
    await this.#send(write.parameterDescription(shown))
    const nulls = Array.from({ length: count }, (): Constant => ({ kind: "null" }))
    const columns = await this.#columns(sql, nulls)
    await this.#send(columns === undefined ? write.noData() : write.rowDescription(inFormats(columns, [])))
  }

  async #describePortal({ statement, parameters, formats, result }: Portal): Promise<void> {
    const columns = result?.columns ?? (await this.#columns(statement.sql, parameters))
    await this.#send(
      columns === undefined ? write.noData() : write.rowDescription(inFormats(columns, formats)),
    )
  }

  /** The columns that a statement will give, or undefined if it gives no rows. */
  async #columns(sql: string, parameters: readonly Constant[]): Promise<readonly ResultColumn[] | undefined> {
    this.#about = sql
    const command = readCommand(sql)
    if (command.kind === "show") {
      const names = command.name.toLowerCase() === "all" ? ["name", "setting"] : [command.name]
      return textResult(names, [], "SHOW").columns
    }
    if (command.kind !== "question") return undefined
    const catalog = await this.#dataset.catalog(sql, parameters)
    if (catalog !== undefined) return catalog.columns
    return resultColumns(
      await this.#dataset.columnsOf(this.#question(sql, parameters)),
      this.settings.intervals,
    )
  }

  async #execute(portal: Portal, rowsMax: number): Promise<void> {
    if (portal.result === undefined) {
      const result = await this.#run(portal.statement.sql, portal.parameters)
      if (result === undefined) return
      portal.result = result
    }
    const { result, next, formats } = portal
    const to = rowsMax > 0 ? Math.min(result.rows.length, next + rowsMax) : result.rows.length
    await this.#sendRows(result, { from: next, to, formats })
    portal.next = to
    if (to < result.rows.length) await this.#send(write.portalSuspended())
    else await this.#complete(result)
  }

  /** Runs a statement; undefined where everything was said already. */
  async #run(sql: string, parameters: readonly Constant[]): Promise<WireResult | undefined> {
    this.#about = sql
    const command = readCommand(sql)
    const endsBlock = command.kind === "rollback" || command.kind === "commit"
    if (this.#block === "E" && !endsBlock && command.kind !== "nothing") {
      throw new WireError("25P02", "an error ended this block", "ROLLBACK, then go on")
    }
    if (command.kind !== "question") return this.#obey(command)
    const catalog = await this.#dataset.catalog(sql, parameters)
    if (catalog !== undefined) return catalog
    this.#running = new AbortController()
    try {
      const recorded = await this.#dataset.ask(this.#question(sql, parameters), this.#running.signal)
      // Our own text, from the ledger or made just now.
      const table = JSON.parse(recorded.answer) as AnswerTable
      const result = resultOf(table, this.settings.intervals)
      return { ...result, notices: [...learntNotices(recorded), ...result.notices] }
    } finally {
      this.#running = undefined
    }
  }

  async #obey(command: Exclude<Command, { readonly kind: "question" }>): Promise<WireResult | undefined> {
    const done = (tag: string): WireResult => textResult([], [], tag)
    switch (command.kind) {
      case "empty":
        await this.#send(write.emptyQuery())
        return undefined
      case "set": {
        const told = this.settings.set(command.name, command.value)
        if (told !== undefined) await this.#send(write.parameterStatus(...told))
        return done("SET")
      }
      case "reset":
        this.settings.reset(command.name)
        return done("RESET")
      case "show":
        return this.#show(command.name)
      case "begin":
        this.#block = "T"
        return done("BEGIN")
      case "commit": {
        const tag = this.#block === "E" ? "ROLLBACK" : "COMMIT"
        this.#block = "I"
        return done(tag)
      }
      case "rollback":
        this.#block = "I"
        return done("ROLLBACK")
      case "deallocate":
        if (command.name === undefined) this.#statements.clear()
        else this.#statements.delete(command.name)
        return done(command.name === undefined ? "DEALLOCATE ALL" : "DEALLOCATE")
      case "discard":
        this.settings.reset()
        this.#statements.clear()
        this.#portals.clear()
        return done("DISCARD ALL")
      case "nothing":
        return done(command.tag)
      default:
        return command satisfies never
    }
  }

  async #show(name: string): Promise<WireResult> {
    if (name.toLowerCase() === "all") return textResult(["name", "setting"], this.settings.all, "SHOW")
    const isBudget = name.toLowerCase() === "dosimeter.budget"
    const value = isBudget ? await this.#dataset.budget() : this.settings.show(name)
    return textResult([name], [[value]], "SHOW")
  }

  #question(sql: string, parameters: readonly Constant[]): WireQuestion {
    return { sql, parameters, ...this.settings.asked }
  }

  async #sendRows(
    result: WireResult,
    {
      from,
      to,
      formats,
    }: { readonly from: number; readonly to: number; readonly formats: readonly number[] },
  ): Promise<void> {
    for (let start = from; start < to; start += rowsAtOnce) {
      const rows = result.rows.slice(start, Math.min(to, start + rowsAtOnce))
      await this.#send(Buffer.concat(rows.map((row) => encodeRow(row, result.columns, formats))))
    }
  }

  async #complete({ tag, rows, notices }: WireResult): Promise<void> {
    for (const notice of notices) {
      await this.#send(
        write.noticeResponse([
          ["S", "NOTICE"],
          ["V", "NOTICE"],
          ["C", "00000"],
          ["M", notice],
        ]),
      )
    }
    await this.#send(write.commandComplete(tag === "SELECT" ? `SELECT ${rows.length}` : tag))
  }

  async #failed(error: unknown, sql: string, from = 0): Promise<void> {
    if (this.#block === "T") this.#block = "E"
    await this.#send(write.errorResponse(errorFields(error, sql, { from })))
  }
}

const textType = 25
const rowsAtOnce = 1000
