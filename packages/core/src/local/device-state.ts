// The text that a device keeps between runs, and what is in it. A text that cannot be read is refused: to
// begin again would forget what was lost.

import { fail } from "../errors/errors.ts"
import { atLeastZero } from "../exact/decimal.ts"
import { showRational, type Rational } from "../exact/rational.ts"

/** What was told in answer to one question. */
export interface Told {
  readonly study: string
  readonly question: string
  readonly parameters: string
  /** How many periods were paid for. */
  readonly paid: number
  /** Periods that have a permanent report; the newest last. */
  readonly memory: readonly Remembered[]
}

/** A period with what was drawn in it: randomized bytes, and the id of a report. No answer is kept. */
export interface Remembered {
  readonly period: string
  readonly report: string
  readonly id: string
}

/** All that a device remembers. */
export interface DeviceState {
  readonly spent: Rational
  readonly told: readonly Told[]
  readonly withdrawn: readonly string[]
}

/** The state as text. */
export function writeState(state: DeviceState): string {
  return JSON.stringify({ version: 2, ...state, spent: showRational(state.spent) })
}

/**
 * Reads what writeState wrote. Version 1 kept a report for each answer: they count as periods that are over,
 * under names that no schedule has, and their answers are forgotten.
 */
export function readState(text: string): DeviceState {
  const json = parse(text)
  if (!isObject(json)) return refuse()
  const { version, spent, told, withdrawn } = json
  if (version !== 1 && version !== 2) return refuse()
  if (typeof spent !== "string" || !Array.isArray(told) || !isTexts(withdrawn)) return refuse()
  return {
    spent: atLeastZero(spent, "what the device has lost"),
    told: told.map((item) => readTold(item, version)),
    withdrawn,
  }
}

function readTold(json: unknown, version: 1 | 2): Told {
  if (!isObject(json)) return refuse()
  const { study, question, parameters, paid, memory } = json
  if (typeof study !== "string" || typeof question !== "string" || typeof parameters !== "string") {
    return refuse()
  }
  if (typeof paid !== "number" || !Array.isArray(memory)) return refuse()
  const read = memory.map((item: unknown, index) => {
    if (!isObject(item)) return refuse()
    const { answer, report, id } = item
    // A report that is given for good stood under no answer.
    const old = answer === "" ? "" : `\0${index}`
    const period = version === 1 ? old : item["period"]
    const isOne = [period, report, id].every((text) => typeof text === "string")
    return isOne ? { period: String(period), report: String(report), id: String(id) } : refuse()
  })
  return { study, question, parameters, paid, memory: read }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    return refuse()
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json)
}

function isTexts(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((item) => typeof item === "string")
}

function refuse(): never {
  return fail("local/state-unreadable", {})
}
