// A device that answers studies: a limit on what it loses over its life, one report for one answer, and
// withdrawal. The state is saved before a report is handed out, so a restart can only make it tell less.

import { fail } from "../errors/errors.ts"
import { positive, showParameter, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { lnUp } from "../exact/log.ts"
import { add, compare, multiply, rational, zero, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { parametersOf } from "./certificate.ts"
import { ratioOf } from "./channel.ts"
import { readState, writeState, type DeviceState, type Told } from "./device-state.ts"
import { uniformDraws } from "./draws.ts"
import { encodeWith, freshReport, payloadBytes, type Answer, type Protocol } from "./protocol.ts"
import { freshId, fromBase64, makeReport, toBase64, type Report } from "./report.ts"

/** Where a device keeps its state: local storage in a browser, a file elsewhere. */
export interface DeviceStore {
  /** The text that was saved last, if any. */
  readonly load: () => string | undefined
  /** Saves a text for good, before it returns; it throws where that fails. */
  readonly save: (text: string) => void
}

/** A question that a study asks. */
export interface Question {
  readonly study: string
  readonly question: string
  readonly protocol: Protocol
  readonly answer: Answer
  /**
   * For a memo protocol: the period that it is now, by a schedule that everybody knows ("2026-W46"). Reports
   * within a period are about the answer that the period began with. One period for ever, if left out.
   */
  readonly period?: string
  /**
   * For a memo protocol: for how many periods the device pays, at once and beforehand. After them reports go
   * on about the answer of the last.
   */
  readonly periodsMax?: number
}

/** A device with a memory. */
export interface Device {
  /** The report to send. The same question again gives the same report, or a fresh one of the same memory. */
  readonly report: (question: Question, rng: RandomBits) => Report
  /** Forgets what was told to a study and refuses it from now on. What was lost stays lost. */
  readonly withdraw: (study: string) => void
  /** What the device has lost so far, and may lose. */
  readonly lost: () => { readonly spent: string; readonly limit: string }
}

/** Opens the memory of a device. `limit` is the most epsilon that all studies together may take, for life. */
export function openDevice(options: { readonly store: DeviceStore; readonly limit: Numeric }): Device {
  const limit = positive(options.limit, "limit")
  const saved = options.store.load()
  let state: DeviceState = saved === undefined ? { spent: zero, told: [], withdrawn: [] } : readState(saved)
  const keep = (next: DeviceState): void => {
    options.store.save(writeState(next))
    state = next
  }
  return {
    report: (question, rng) => {
      if (state.withdrawn.includes(question.study)) fail("local/withdrawn", { study: question.study })
      const next = remember(state, question, { limit, rng })
      if (next !== state) keep(next)
      return tell(next, question, rng)
    },
    withdraw: (study) => {
      const told = state.told.filter((one) => one.study !== study)
      const withdrawn = [...new Set([...state.withdrawn, study])]
      keep({ ...state, told, withdrawn })
    },
    lost: () => ({ spent: showParameter(state.spent), limit: showParameter(limit) }),
  }
}

/**
 * The state in which this answer has a report. A question is paid for as a whole when it is first answered,
 * so that neither the price nor a refusal depends on what the answers are.
 */
function remember(
  state: DeviceState,
  question: Question,
  { limit, rng }: { readonly limit: Rational; readonly rng: RandomBits },
): DeviceState {
  const { protocol, answer } = question
  const known = toldOf(state, question)
  const paid = known?.paid ?? periodsPaid(question)
  const period = periodOf(question)
  if (known !== undefined && known.parameters !== parametersOf(protocol)) {
    fail("local/question-changed", { study: question.study, question: question.question })
  }
  if (known?.memory.some((one) => one.period === period) === true) return state
  if (known !== undefined && known.memory.length >= paid) return state
  const spent =
    known === undefined
      ? add(state.spent, multiply(rational(BigInt(paid)), lossOfPeriod(protocol)))
      : state.spent
  if (compare(spent, limit) > 0) {
    fail("local/limit-reached", { study: question.study, limit: showParameter(limit) })
  }
  const first = protocol.kind === "memo" ? protocol.permanent : protocol
  const report = toBase64(encodeWith(first, answer, uniformDraws(rng)))
  const told: Told = {
    study: question.study,
    question: question.question,
    parameters: parametersOf(protocol),
    paid,
    memory: [...(known?.memory ?? []), { period, report, id: freshId(rng) }],
  }
  return { ...state, spent, told: [...state.told.filter((one) => one !== known), told] }
}

/** The memory of the period, or the newest: sent again as it is, id and all, or freshly randomized. */
function tell(state: DeviceState, question: Question, rng: RandomBits): Report {
  const { protocol } = question
  const memory = toldOf(state, question)?.memory ?? []
  const period = periodOf(question)
  const kept = memory.find((one) => one.period === period) ?? memory.at(-1)
  const bytes = fromBase64(kept?.report ?? "", payloadBytes(protocol))
  if (protocol.kind === "memo") {
    return makeReport(protocol, freshReport(protocol, bytes, uniformDraws(rng)), rng)
  }
  return { ...makeReport(protocol, bytes, rng), id: kept?.id ?? freshId(rng) }
}

function toldOf(state: DeviceState, { study, question }: Question): Told | undefined {
  return state.told.find((one) => one.study === study && one.question === question)
}

/** One, unless reports repeat: a report that was given once is given again, whatever the answer is now. */
function periodsPaid({ protocol, periodsMax = 1 }: Question): number {
  return protocol.kind === "memo" ? Number(wholeNumber(periodsMax, "periodsMax")) : 1
}

function periodOf({ protocol, period = "" }: Question): string {
  return protocol.kind === "memo" ? period : ""
}

/**
 * What one period loses over all its reports.
 *
 * Guarantee: pure epsilon, for life, between any two courses of answers: periodsMax times what is returned
 *   (of a memo protocol, the loss of the permanent answer).
 * Needs: which period it is depends on nobody's answer (the caller); the permanent answer of a period is
 *   drawn once, from bits of its own, and kept (remember).
 * Proof: within a period all reports are post-processing of one permanent answer, whatever the answers
 *   become; after the last period that was paid for, of the last permanent answer. Periods are independent
 *   given the answers, so the losses of at most periodsMax permanent answers add up. Keeping one permanent
 *   answer for each value instead would tell when the value changes: no number of values bounds that.
 * Numerics: the logarithm is rounded up.
 * Source: Erlingsson, Pihur, Korolova 2014, theorem 1, for one period; basic composition.
 */
function lossOfPeriod(protocol: Protocol): Rational {
  return lnUp(ratioOf(protocol.kind === "memo" ? protocol.permanent : protocol))
}
