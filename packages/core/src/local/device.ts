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
   * For a memo protocol: for how many different answers the device pays, at once and beforehand. When the
   * answer changes more often, reports go on about the last one that was paid for.
   */
  readonly answersMax?: number
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
  const paid = known?.paid ?? answersPaid(question)
  const key = answerKey(protocol, answer)
  if (known !== undefined && known.parameters !== parametersOf(protocol)) {
    fail("local/question-changed", { study: question.study, question: question.question })
  }
  if (known?.memory.some((one) => one.answer === key) === true) return moveLast(state, known, key)
  if (known !== undefined && known.memory.length >= paid) return state
  const spent =
    known === undefined
      ? add(state.spent, multiply(rational(BigInt(paid)), lossOfAnswer(protocol)))
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
    memory: [...(known?.memory ?? []), { answer: key, report, id: freshId(rng) }],
  }
  return { ...state, spent, told: [...state.told.filter((one) => one !== known), told] }
}

/** The newest memory: sent again as it is, id and all, or freshly randomized. */
function tell(state: DeviceState, question: Question, rng: RandomBits): Report {
  const { protocol } = question
  const newest = toldOf(state, question)?.memory.at(-1)
  const bytes = fromBase64(newest?.report ?? "", payloadBytes(protocol))
  if (protocol.kind === "memo") {
    return makeReport(protocol, freshReport(protocol, bytes, uniformDraws(rng)), rng)
  }
  return { ...makeReport(protocol, bytes, rng), id: newest?.id ?? freshId(rng) }
}

function toldOf(state: DeviceState, { study, question }: Question): Told | undefined {
  return state.told.find((one) => one.study === study && one.question === question)
}

function moveLast(state: DeviceState, known: Told, key: string): DeviceState {
  if (known.memory.at(-1)?.answer === key) return state
  const others = known.memory.filter((one) => one.answer !== key)
  const told = { ...known, memory: [...others, ...known.memory.filter((one) => one.answer === key)] }
  return { ...state, told: state.told.map((one) => (one === known ? told : one)) }
}

/** One, unless reports repeat: a report that was given once is given again, whatever the answer is now. */
function answersPaid({ protocol, answersMax = 1 }: Question): number {
  return protocol.kind === "memo" ? Number(wholeNumber(answersMax, "answersMax")) : 1
}

/**
 * What one answer loses over all its reports.
 *
 * Guarantee: pure epsilon, for life: of a memo protocol the loss of the permanent answer.
 * Needs: the permanent answer is drawn once and kept (remember).
 * Proof: fresh reports are post-processing of the permanent answer; a single report is given again unchanged.
 * Numerics: the logarithm is rounded up.
 * Source: Erlingsson, Pihur, Korolova 2014, theorem 1.
 */
function lossOfAnswer(protocol: Protocol): Rational {
  return lnUp(ratioOf(protocol.kind === "memo" ? protocol.permanent : protocol))
}

/** The answer as text, to know it again. */
function answerKey(protocol: Protocol, answer: Answer): string {
  if (protocol.kind !== "memo") return ""
  return JSON.stringify(answer)
}
