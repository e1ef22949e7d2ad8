// Vaccinations so far, published every day for a year, at one fixed price for the whole year. A counter that
// adds fresh noise each day would drift or cost 365 times as much; sums in which old days fade do neither.

import { systemBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import {
  errorOf,
  lossOf,
  releaseRunningTotal,
  runningTotalOfRho,
  showLoss,
  type RunningTotalSpec,
} from "@dosimeter/core/mechanisms"

// One person is vaccinated on at most two days, once each.
const spec: RunningTotalSpec = runningTotalOfRho({
  horizon: 365,
  stepsPerUnit: 2,
  amountPerStep: 1,
  neighbours: "add-or-remove",
  rho: "0.02",
})
const { zcdp } = lossOf(spec)
const error = errorOf(spec, "0.95")
assert(showLoss(zcdp) === "rho 0.02", "the year costs what was asked")
assert(error.kind === "total", "a total has an error at every step")
console.log(`The whole year costs ${showLoss(zcdp)}; each day's total is within ${error.halfWidth} (95 %).`)

const run = releaseRunningTotal(spec, systemBits())
let exact = 0n
let farthest = 0n
for (let day = 1; day <= 365; day += 1) {
  const today = BigInt(100 + ((day * 37) % 101)) // Made-up data.
  exact += today
  const total = run.next(today)
  const off = total > exact ? total - exact : exact - total
  if (off > farthest) farthest = off
  if (day % 73 === 0) console.log(`day ${day}: about ${total}`)
}
console.log(`Farthest from the truth on any day: ${farthest}, while the total grew to ${exact}.`)

// The year is over, and the run says so.
let refusal = ""
try {
  run.next(1n)
} catch (cause) {
  refusal = cause instanceof Error ? cause.message : ""
}
assert(refusal !== "", "there is no day 366")
// All 365 totals, each beyond this with probability 10^-12.
const extreme = errorOf(spec, "0.999999999999")
assert(extreme.kind === "total" && farthest <= extreme.halfWidth, "the error hardly grows with time")
