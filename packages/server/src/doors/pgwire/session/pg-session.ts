// One session of the wire after the client is known: simple questions, and parse, bind, describe, execute.
// Cursors and prepared statements of SQL are portals and statements of the protocol.

import { locateStatements, parameterCount } from "@dosimeter/language/text/statements"
import { sourceText } from "@dosimeter/language/text/source"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import {
  ByName,
  KeptSize,
  sizeOfPortal,
  sizeOfPrepared,
  sizeOfResult,
  type Portal,
  type Prepared,
} from "./portals.ts"
import { readCommand, type Command } from "../commands/read-command.ts"
import type { BindMessage, ClientMessage } from "../wire/read-messages.ts"
import { moveCursor } from "../commands/read-cursor.ts"
import { readParameter } from "../wire/read-parameter.ts"
import { SessionQuestions, withTold } from "./session-questions.ts"
import type { SessionSettings } from "./session-settings.ts"
import { columnsByTypes } from "./stand-ins.ts"
import type { WireDataset } from "./wire-dataset.ts"
import { sendComplete, sendCopy, sendRows, type Send } from "./send-result.ts"
import { errorFields, WireError } from "../wire/wire-error.ts"
import { inFormats, textResult, type ResultColumn, type WireResult } from "../wire/wire-result.ts"
import * as write from "../wire/write-messages.ts"

/** A session. Messages are handled one after the other. */
export class PgSession {
  readonly settings: SessionSettings
  readonly #questions: SessionQuestions
  readonly #send: Send
  readonly #kept = new KeptSize()
  readonly #statements = new ByName<Prepared>("prepared statement", {
    sizes: this.#kept,
    sizeOf: sizeOfPrepared,
  })
  readonly #portals = new ByName<Portal>("portal", { sizes: this.#kept, sizeOf: sizeOfPortal })
  #block: write.BlockState = "I"
  #skipping = false
  /** The question that an error would point into, and where in the text that came it begins, if it does. */
  #about: { readonly sql: string; readonly from: number | undefined } = { sql: "", from: 0 }

  constructor(dataset: WireDataset, settings: SessionSettings, send: Send) {
    this.#questions = new SessionQuestions(dataset, settings)
    this.settings = settings
    this.#send = send
  }

  /** Stops the question that is being answered. */
  cancel(): void {
    this.#questions.cancel()
  }

  /** The session can take a question. */
  async ready(): Promise<void> {
    await this.#send(write.readyForQuery(this.#block))
  }

  async handle(message: ClientMessage): Promise<void> {
    if (message.kind === "query") return this.#simple(message.sql)
    if (message.kind === "sync") {
      this.#skipping = false
      if (this.#block === "I") this.#endBlock()
      return this.ready()
    }
    if (message.kind === "malformed" && message.isQuery) {
      await this.#failed(new WireError("08P01", message.what))
      return this.ready()
    }
    if (this.#skipping || message.kind === "flush") return
    try {
      await this.#extended(message)
    } catch (error) {
      this.#skipping = true
      await this.#failed(error)
    }
  }

  async #simple(text: string): Promise<void> {
    this.#about = { sql: "", from: undefined }
    try {
      await this.#questions.admit(text)
      await this.#each(text)
    } catch (error) {
      await this.#failed(error)
    }
    await this.ready()
  }

  async #each(text: string): Promise<void> {
    // On a line of its own, where no comment hides it.
    const { statements, rest } = locateStatements(`${text}\n;`)
    if (rest !== "") throw new WireError("42601", "the text does not end")
    if (statements.length === 0) await this.#send(write.emptyQuery())
    for (const { sql, start } of statements) {
      try {
        await this.#answer(sql)
      } catch (error) {
        await this.#failed(error, sourceText(text).toCodePoint(start))
        return
      }
    }
  }

  async #answer(sql: string): Promise<void> {
    const result = await this.#run(sql, [])
    if (result === undefined) return
    if (result.columns.length > 0) await this.#send(write.rowDescription(inFormats(result.columns, [])))
    await sendRows(this.#send, result, { from: 0, to: result.rows.length, formats: [] })
    await sendComplete(this.#send, result)
  }

  async #extended(message: ClientMessage): Promise<void> {
    switch (message.kind) {
      case "parse":
        this.#about = { sql: message.sql, from: 0 }
        await this.#questions.admit(message.sql)
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
        return this.#execute(message.portal, message.rowsMax)
      case "close":
        if (message.what === "statement") this.#statements.delete(message.name)
        else this.#portals.delete(message.name)
        return this.#send(write.closeComplete())
      case "unsupported":
        throw new WireError("0A000", `${message.what} is not possible here`)
      case "malformed":
        throw new WireError("08P01", message.what)
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
    this.#portals.add(portal, { statement: prepared, parameters, formats: resultFormats, position: 0 })
  }

  async #describeStatement({ sql, types }: Prepared): Promise<void> {
    const count = parameterCount(sql)
    const shown = Array.from({ length: count }, (_, index) => types[index] || textType)
    await this.#send(write.parameterDescription(shown))
    const known = shown.map((_, index) => types[index] ?? 0)
    const columns = await columnsByTypes(known, (values) => this.#columns(sql, values))
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
    this.#about = { sql, from: 0 }
    const command = readCommand(sql)
    if (command.kind === "show") {
      const names = command.name.toLowerCase() === "all" ? ["name", "setting"] : [command.name]
      return textResult(names, [], "SHOW").columns
    }
    if (command.kind === "fetch" && command.withRows) {
      const { result, statement, parameters: bound } = this.#portals.get(command.name)
      return result?.columns ?? this.#questions.columns(statement.sql, bound)
    }
    if (command.kind === "execute") {
      const { statement, values } = this.#filled(command)
      return this.#questions.columns(statement.sql, values)
    }
    return command.kind === "question" ? this.#questions.columns(sql, parameters) : undefined
  }

  async #execute(name: string, rowsMax: number): Promise<void> {
    const portal = this.#portals.get(name)
    const { statement, parameters, position, formats, cursor } = portal
    const result = portal.result ?? (await this.#run(statement.sql, parameters))
    if (result === undefined) return
    const isAll = rowsMax <= 0 || position + rowsMax >= result.rows.length
    // Only cursors go back: of other portals nothing is kept that was sent.
    if (!isAll || cursor !== undefined) this.#keep(name, portal, result)
    else portal.result = { ...result, rows: [], notices: [] }
    const from = Math.min(position, result.rows.length)
    const to = rowsMax > 0 ? Math.min(result.rows.length, from + rowsMax) : result.rows.length
    await sendRows(this.#send, result, { from, to, formats })
    portal.position = to
    if (to < result.rows.length) await this.#send(write.portalSuspended())
    else await sendComplete(this.#send, result)
  }

  #keep(name: string, portal: Portal, result: WireResult): void {
    if (portal.result === undefined) this.#portals.grow(name, sizeOfResult(result))
    portal.result = result
  }

  /** Runs a statement; undefined where everything was said already. */
  async #run(sql: string, parameters: readonly Constant[]): Promise<WireResult | undefined> {
    this.#about = { sql, from: 0 }
    const command = readCommand(sql)
    const endsBlock = ["rollback", "rollback-to", "commit"].includes(command.kind)
    if (this.#block === "E" && !endsBlock && command.kind !== "nothing") {
      throw new WireError("25P02", "an error ended this block", "ROLLBACK, then go on")
    }
    return command.kind === "question"
      ? this.#questions.ask(sql, parameters)
      : this.#obey(command, parameters)
  }

  async #obey(
    command: Exclude<Command, { readonly kind: "question" }>,
    parameters: readonly Constant[],
  ): Promise<WireResult | undefined> {
    switch (command.kind) {
      case "empty":
        await this.#send(write.emptyQuery())
        return undefined
      case "set":
        return withTold(done("SET"), [this.settings.set(command.name, command.value, command.isLocal)])
      case "reset":
        return this.#changing("RESET", () => this.settings.reset(command.name))
      case "show":
        return this.#questions.show(command.name)
      case "begin":
        this.#block = "T"
        this.settings.begin()
        return done("BEGIN")
      case "commit": {
        const isUndone = this.#block === "E"
        return this.#changing(isUndone ? "ROLLBACK" : "COMMIT", () => this.#endBlock(isUndone))
      }
      case "rollback":
        return this.#changing("ROLLBACK", () => this.#endBlock(true))
      case "savepoint":
      case "release":
      case "rollback-to":
        return this.#savepoint(command)
      case "copy":
        this.#enter(command)
        await sendCopy(this.#send, await this.#questions.ask(command.sql, parameters), command.format)
        return undefined
      case "prepare":
        return this.#prepare(command)
      case "execute": {
        const { statement, values } = this.#filled(command)
        this.#about = { sql: statement.sql, from: undefined }
        return this.#questions.ask(statement.sql, values)
      }
      case "deallocate":
        if (command.name === undefined) this.#statements.clear()
        else this.#statements.remove(command.name)
        return done(command.name === undefined ? "DEALLOCATE ALL" : "DEALLOCATE")
      case "declare":
        return this.#declare(command, parameters)
      case "fetch":
        return this.#fetch(command)
      case "close":
        if (command.name === undefined) this.#portals.keep(({ cursor }) => cursor === undefined)
        else this.#portals.remove(command.name)
        return done(command.name === undefined ? "CLOSE CURSOR ALL" : "CLOSE CURSOR")
      case "discard":
        if (this.#block !== "I") throw new WireError("25001", "DISCARD ALL cannot be in a block")
        this.#statements.clear()
        this.#portals.clear()
        return this.#changing("DISCARD ALL", () => this.settings.reset())
      case "nothing":
        return done(command.tag)
      default:
        return command satisfies never
    }
  }

  /** Does something to settings; the client is told of those that it must know. */
  #changing(tag: string, change: () => void): WireResult {
    const before = new Map(this.settings.reported)
    change()
    const statuses = this.settings.reported.filter(([name, value]) => before.get(name) !== value)
    return { ...done(tag), statuses }
  }

  #savepoint({ kind, name }: Of<"savepoint" | "release" | "rollback-to">): WireResult {
    if (this.#block === "I") throw new WireError("25P01", "savepoints live in a block", "BEGIN first")
    if (kind === "savepoint") this.settings.savepoint(name)
    if (kind === "release") this.settings.release(name)
    if (kind !== "rollback-to") return done(kind.toUpperCase())
    return this.#changing("ROLLBACK", () => {
      this.settings.rollbackTo(name)
      this.#block = "T"
    })
  }

  /** A question inside of the statement at hand: errors point into it from now on. */
  #enter({ sql, start }: { readonly sql: string; readonly start: number }): void {
    if (readCommand(sql).kind !== "question")
      throw new WireError("42601", "only a question can stand in this place")
    this.#about = { sql, from: sourceText(this.#about.sql).toCodePoint(start) }
  }

  async #prepare(command: Of<"prepare">): Promise<WireResult> {
    const { name, sql, types } = command
    this.#enter(command)
    // What is wrong with it is said now, unless that depends on values.
    if (parameterCount(sql) === 0) await this.#questions.columns(sql, [])
    this.#statements.add(name, { sql, types })
    return done("PREPARE")
  }

  /** A prepared statement with the values of an EXECUTE. */
  #filled({ name, values }: Of<"execute">): {
    readonly statement: Prepared
    readonly values: readonly Constant[]
  } {
    const statement = this.#statements.get(name)
    const count = parameterCount(statement.sql)
    if (values.length !== count)
      throw new WireError(
        "42601",
        `${values.length} values were given, and "${name}" has ${count} parameters`,
      )
    return { statement, values: values.map((value, index) => value(statement.types[index] ?? 0)) }
  }

  async #declare(command: Of<"declare">, parameters: readonly Constant[]): Promise<WireResult> {
    const { name, sql, canGoBack, isHeld } = command
    if (this.#block === "I" && !isHeld)
      throw new WireError("25P01", "cursors live in a block", "BEGIN first, or declare it WITH HOLD")
    this.#enter(command)
    await this.#questions.columns(sql, parameters)
    const statement = { sql, types: [] }
    this.#portals.add(name, {
      statement,
      parameters,
      formats: [],
      position: 0,
      cursor: { canGoBack, isHeld },
    })
    return done("DECLARE CURSOR")
  }

  async #fetch({ name, step, withRows }: Of<"fetch">): Promise<WireResult> {
    const portal = this.#portals.get(name)
    const { cursor, statement, parameters, position } = portal
    if (cursor === undefined) throw new WireError("34000", `"${name}" is no cursor`, "DECLARE one")
    this.#about = { sql: statement.sql, from: undefined }
    const isFirst = portal.result === undefined
    const result = portal.result ?? (await this.#questions.ask(statement.sql, parameters))
    this.#keep(name, portal, result)
    const moved = moveCursor(position, result.rows.length, step)
    if (moved.position < position && !cursor.canGoBack)
      throw new WireError("55000", `cursor "${name}" only goes forward`, "declare it with SCROLL")
    portal.position = moved.position
    if (!withRows) return done(`MOVE ${moved.rows.length}`)
    const rows = moved.rows.map((at) => result.rows[at] ?? [])
    return { columns: result.columns, rows, tag: "FETCH", notices: isFirst ? result.notices : [] }
  }

  /** Portals end with their block; cursors that are held do not. */
  #endBlock(isUndone = false): void {
    this.#block = "I"
    this.settings.end(isUndone)
    this.#portals.keep(({ cursor }) => cursor?.isHeld === true)
  }

  async #failed(error: unknown, before = 0): Promise<void> {
    if (this.#block === "T") this.#block = "E"
    const { sql, from } = this.#about
    const place = from === undefined ? undefined : before + from
    const fields = errorFields(error, sql, { severity: "ERROR", from: place })
    await this.#send(write.errorResponse(fields))
  }
}

type Of<Kind extends Command["kind"]> = Extract<Command, { readonly kind: Kind }>

const done = (tag: string): WireResult => textResult([], [], tag)
const textType = 25
