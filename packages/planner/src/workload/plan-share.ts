// A question that has a share of what others have with it: a round of several that one charge pays for.

import { rational, sqrtUp, zero } from "@dosimeter/core/exact"
import { gdpToEpsilon, zcdpToEpsilon } from "@dosimeter/core/meaning"
import { meaningsOf } from "@dosimeter/answers/reuse/meaning"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import { verify } from "@dosimeter/proof/verify/verify"
import { boundStatement, type CompileOptions, type Planned } from "../compile.ts"
import { resolveAsk } from "../loss/resolve-ask.ts"
import { allowanceOf } from "../loss/share-out.ts"
import { applyConsent } from "../question/apply-consent.ts"
import { plan } from "../question/plan.ts"
import { boundariesOf } from "../question/replace-boundaries.ts"

/** Shares are counted in so many parts of the whole. */
export const sharesInAll = 2n ** 40n

/** The proven plan of a question that has some parts of the allowance. No keys are selected. */
export function planShare(sql: string, parts: bigint, options: Omit<CompileOptions, "parameters">): Planned {
  const { catalog, prepared = [], ask = {} } = options
  const statement = boundStatement(sql, options)
  const share = { amount: rational(parts, sharesInAll), delta: rational(1n), selectsKeys: false }
  const proposed = plan(statement, { ...options, ask, share })
  const meanings = meaningsOf(boundariesOf(statement.rel), proposed.releases)
  return { plan: verify(applyConsent(proposed, catalog), catalog, prepared), meanings }
}

/** What the whole allowance of a question is, as a charge. No keys are selected. */
export function wholeCharge({ terms, ask = {} }: Pick<CompileOptions, "terms" | "ask">): Charge {
  const { epsilon } = resolveAsk(terms, ask)
  const { delta } = terms.question
  const allowance = allowanceOf(terms.budget, { epsilon, delta, selectsKeys: false })
  const { accounting, amount, deltaForSum } = allowance
  if (accounting === "pure")
    return { accounting, amount, delta: zero, shown: { measure: "pure", epsilon: amount } }
  const shown =
    accounting === "zcdp" ? zcdpToEpsilon(amount, deltaForSum) : gdpToEpsilon(sqrtUp(amount), deltaForSum)
  return { accounting, amount, delta: zero, shown: { measure: "approx", epsilon: shown, delta: deltaForSum } }
}
