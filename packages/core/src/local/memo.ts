// The same question again and again: a permanent randomized answer is drawn once a period and kept on the
// device, and every report of the period is a fresh randomization of it. However many reports, they tell no
// more than the permanent answer does.

import { fail } from "../errors/errors.ts"
import { showParameter, type Numeric, exactly } from "../exact/decimal.ts"
import { add, compare, divide, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { whole } from "./draws.ts"
import { karyProtocol, type KaryProtocol, type Support } from "./kary.ts"
import { oddsOf, probabilityOf, thresholdDown } from "./threshold.ts"
import { ratioOfBits, unaryProtocol, unarySupport, type UnaryProtocol } from "./unary.ts"

/** Two rounds of the same kind: the first is kept, the second drawn for each report. */
export interface MemoProtocol {
  readonly kind: "memo"
  readonly permanent: KaryProtocol | UnaryProtocol
  readonly fresh: KaryProtocol | UnaryProtocol
}

/** What the two rounds may lose: `permanent` over all reports of one period, `each` by one report. */
export interface MemoOptions {
  readonly values: Numeric
  readonly permanent: Numeric
  readonly each: Numeric
}

/**
 * Two rounds of k-ary randomized response. The chance that both keep the answer is the product of the two, so
 * the second keeps it with (chance that one report may keep it) / (chance of the first).
 */
export function memoKary(options: MemoOptions): MemoProtocol {
  checkOrder(options)
  const permanent = karyProtocol({ values: options.values, epsilon: options.permanent })
  const goal = karyProtocol({ values: options.values, epsilon: options.each })
  const keep = thresholdDown(divide(probabilityOf(goal.keep), probabilityOf(permanent.keep)))
  return { kind: "memo", permanent, fresh: { ...goal, keep } }
}

/**
 * Two rounds of unary encoding, optimised and then symmetric. A 1 is reported as 1 with probability 1/2 all
 * through, a 0 with 1 / (e^each + 1): as accurate as one round.
 */
export function memoUnary(options: MemoOptions): MemoProtocol {
  checkOrder(options)
  const permanent = unaryProtocol({ values: options.values, epsilon: options.permanent })
  const zero = probabilityOf(permanent.zero)
  const goal = divide(one, add(oddsOf(options.each, "each"), one))
  const kept = thresholdDown(
    divide(subtract(subtract(one, zero), goal), subtract(one, multiply(rational(2n), zero))),
  )
  return { kind: "memo", permanent, fresh: { ...permanent, one: kept, zero: whole - kept } }
}

function checkOrder({ permanent, each }: MemoOptions): void {
  const [all, single] = [exactly(permanent, "permanent"), exactly(each, "each")]
  if (compare(single, all) < 0) return
  fail("parameter/out-of-range", {
    name: "each",
    got: showParameter(single),
    range: `what is below permanent, ${showParameter(all)}`,
  })
}

/** What one report stands for, over both rounds. */
export function memoSupport({ permanent, fresh }: MemoProtocol): Support {
  if (permanent.kind === "kary" && fresh.kind === "kary") {
    // Kept by both rounds, or redrawn by one of them.
    const kept = multiply(probabilityOf(permanent.keep), probabilityOf(fresh.keep))
    const q = divide(subtract(one, kept), rational(BigInt(permanent.values)))
    return { p: add(kept, q), q }
  }
  if (permanent.kind === "unary" && fresh.kind === "unary") {
    const [first, second] = [unarySupport(permanent), unarySupport(fresh)]
    const through = (p: Rational): Rational =>
      add(multiply(p, second.p), multiply(subtract(one, p), second.q))
    return { p: through(first.p), q: through(first.q) }
  }
  return fail("local/not-a-protocol", { what: "the two rounds differ in kind" })
}

/** The largest ratio of two probabilities of one report, over both rounds. */
export function memoRatio(protocol: MemoProtocol): Rational {
  const { p, q } = memoSupport(protocol)
  return protocol.fresh.kind === "kary" ? divide(p, q) : ratioOfBits({ p, q })
}
