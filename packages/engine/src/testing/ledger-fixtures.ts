// Budgets, requests and refusals for tests of ledgers.

import { budgetFor, DosimeterError, rational, type Budget, type Rational } from "@dosimeter/core"
import type { ReserveRequest } from "../ledger/ledger.ts"

/** A pure budget. */
export function pureBudget(epsilon: string, delta = "0"): Budget {
  return budgetFor({ epsilon, delta, accounting: "pure" })
}

/** A request for some epsilon; every call is another request. */
export function request(amount: Rational, changes: Partial<ReserveRequest> = {}): ReserveRequest {
  counter += 1
  return {
    accounts: [],
    charge: { accounting: "pure", amount, delta: rational(0n) },
    planHash: `plan ${counter}`,
    dataVersion: "v1",
    requestId: `request ${counter}`,
    principal: "ana",
    ...changes,
  }
}
let counter = 0

/** What a promise is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<DosimeterError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof DosimeterError) return error
    throw error
  }
  throw new Error("nothing was refused")
}
