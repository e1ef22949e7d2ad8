// A survey with no trusted server: each person's own device flips a coin before it answers. Nothing here
// needs Node; the same file runs in a browser.

import { systemBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import {
  estimateCounts,
  lossOf,
  randomizedResponseOfTruth,
  releaseRandomizedResponse,
  showLoss,
} from "@dosimeter/core/mechanisms"

// The classic survey: tell the truth three times out of four.
const spec = randomizedResponseOfTruth({ truth: "3/4", categories: 2 })
const { pure } = lossOf(spec)
assert(pure !== undefined && showLoss(pure).startsWith("epsilon 1.0986"), "the loss is ln 3")
console.log(`Each answer costs its owner ${showLoss(pure)}: a yes is three times likelier from a yes.`)

// On the device of each of 20,000 people, of whom 3,000 would say yes:
const people = 20_000
const wouldSayYes = 3_000
const rng = systemBits()
const reports = [0n, 0n]
for (let person = 0; person < people; person += 1) {
  const answer = person < wouldSayYes ? 1 : 0
  const report = releaseRandomizedResponse(spec, answer, rng)
  reports[report] = (reports[report] ?? 0n) + 1n // At the collector, which sees only this.
}

// Reports are biased, in a known way; estimateCounts takes the bias out.
const [, yes = 0] = estimateCounts(spec, reports)
const deviation = Math.sqrt(people * 0.75 * 0.25) / (2 * 0.75 - 1)
console.log(
  `Reports of yes: ${reports[1]}. Estimate: ${yes.toFixed(0)} ± ${(1.96 * deviation).toFixed(0)} (95 %).`,
)
console.log(`The truth, which nobody collected: ${wouldSayYes}.`)

// Without noise the estimate is exact: 15,000 reports of no from 20,000 who mean it.
assert(estimateCounts(spec, [15_000n, 5_000n]).join() === "20000,0", "the estimate has no bias")
// Six and a half standard deviations: this fails once in 10^10 runs.
assert(Math.abs(yes - wouldSayYes) < 6.5 * deviation, "the estimate is near the truth")
