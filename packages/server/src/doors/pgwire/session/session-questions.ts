// The questions of a session: about data, asked of the engine with the session's settings, or about catalogs
// and the session itself. The length of a text and the rights of its sender are checked before the text is
// read.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { SetByQuestion } from "../catalog/catalog-context.ts"
import { checkText } from "./check-text.ts"
import type { SessionSettings, SettingTold } from "./session-settings.ts"
import type { CatalogStatement, WireDataset, WireQuestion } from "./wire-dataset.ts"
import {
  resultColumns,
  resultOf,
  stageNotices,
  textResult,
  type ResultColumn,
  type WireResult,
} from "../wire/wire-result.ts"

/** Asks for a session. */
export class SessionQuestions {
  readonly #dataset: WireDataset
  readonly #settings: SessionSettings
  #running: AbortController | undefined

  constructor(dataset: WireDataset, settings: SessionSettings) {
    this.#dataset = dataset
    this.#settings = settings
  }

  /** Stops the question that is being answered. */
  cancel(): void {
    this.#running?.abort()
  }

  /** Refuses a text beyond the limits or without an end, or of an account that lost its rights. */
  async admit(text: string): Promise<void> {
    checkText(text)
    await this.#dataset.admit()
  }

  async ask(sql: string, parameters: readonly Constant[]): Promise<WireResult> {
    const told: SettingTold[] = []
    const set = (settings: readonly SetByQuestion[]): void => {
      for (const one of settings) told.push(...this.#set(one))
    }
    const running = new AbortController()
    this.#running = running
    const limit = this.#settings.timeoutMs
    const patience = limit === undefined ? undefined : setTimeout(() => running.abort(), limit)
    try {
      const statement = this.#statement(sql, parameters, set)
      const catalog = await this.#dataset.catalog({ ...statement, signal: running.signal })
      if (catalog !== undefined) return withTold(catalog, told)
      const recorded = await this.#dataset.ask(this.#question(sql, parameters), running.signal)
      const result = resultOf(recorded.answer, this.#settings.intervals)
      return { ...result, notices: [...stageNotices(recorded), ...result.notices] }
    } finally {
      clearTimeout(patience)
      this.#running = undefined
    }
  }

  /** The columns of an answer; nothing is asked or set. */
  async columns(sql: string, parameters: readonly Constant[]): Promise<readonly ResultColumn[]> {
    const catalog = await this.#dataset.catalog(this.#statement(sql, parameters, undefined))
    if (catalog !== undefined) return catalog.columns
    const columns = await this.#dataset.columnsOf(this.#question(sql, parameters))
    return resultColumns(columns, this.#settings.intervals)
  }

  async show(name: string): Promise<WireResult> {
    if (name.toLowerCase() === "all") return textResult(["name", "setting"], this.#settings.all, "SHOW")
    const isBudget = name.toLowerCase() === "dosimeter.budget"
    const value = isBudget ? await this.#dataset.budget() : this.#settings.show(name)
    return textResult([name], [[value]], "SHOW")
  }

  #set({ name, value, isLocal }: SetByQuestion): readonly SettingTold[] {
    if (value !== undefined) return [this.#settings.set(name, value, isLocal)]
    this.#settings.reset(name)
    return []
  }

  #statement(sql: string, parameters: readonly Constant[], set: CatalogStatement["set"]): CatalogStatement {
    const settings = this.#settings
    const facts = { setting: (name: string) => settings.find(name), settings: settings.all }
    return { sql, parameters, facts, set }
  }

  #question(sql: string, parameters: readonly Constant[]): WireQuestion {
    return { sql, parameters, ...this.#settings.asked }
  }
}

/** A result with what the client is told about settings. */
export function withTold(result: WireResult, told: readonly SettingTold[]): WireResult {
  const notices = told.flatMap(({ notice }) => (notice === undefined ? [] : [notice]))
  const statuses = told.flatMap(({ status }) => (status === undefined ? [] : [status]))
  return { ...result, notices: [...result.notices, ...notices], statuses }
}
