// A budget that is never passed: questions come one after the other, each may depend on the answers before,
// and a filter says beforehand whether one more fits.

import {
  budgetFor,
  chargesLeft,
  countSensitivity,
  laplace,
  lossOf,
  numberUp,
  odometerOf,
  openFilter,
  releaseLaplace,
  systemBits,
  takeCharge,
} from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"

const rng = systemBits()
const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })
const budget = budgetFor({ epsilon: 3, delta: "1e-6", accounting: "zcdp" })

let account = openFilter(budget)
let asked = 0
// The analyst asks more finely as long as the answers look interesting: nobody knows beforehand how it goes
// on.
for (let epsilon = 0.02; ; epsilon = Math.min(0.1, epsilon * 1.05)) {
  const question = laplace({ sensitivity, epsilon })
  // The charge is taken before the data is read, and stays taken whatever happens then.
  const charged = takeCharge(account, lossOf(question))
  if (charged === undefined) break
  account = charged
  const [answer = 0n] = releaseLaplace(question, [420n], rng)
  asked += 1
  if (asked % 20 === 1)
    console.log(`question ${asked}: about ${answer}, epsilon so far ${spent().toFixed(3)}`)
}
console.log(
  `${asked} questions were answered; the next one was refused. Lost: epsilon ${spent().toFixed(3)} of 3.`,
)
assert(spent() <= 3, "the budget holds")
const small = laplace({ sensitivity, epsilon: "0.001" })
console.log(`There is still room for ${chargesLeft(account, lossOf(small))} questions at epsilon 0.001.`)

function spent(): number {
  return numberUp(odometerOf(account).epsilon)
}
