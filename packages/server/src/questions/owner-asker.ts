// The owner at the command line. Whoever has the files of a dataset in hand could read the data itself, so
// they ask in any name and for any purpose: nobody is looked up, nothing is written into an audit trail, and
// nothing waits for an approval.

import type { AccountName, Engine } from "@dosimeter/engine"
import { noRules } from "../studies/airlock.ts"
import type { Standing } from "./askers.ts"
import { Questions } from "./questions.ts"

/** As whom the owner asks, and what for. */
export interface OwnerAsking {
  /** Who is charged; the owner if left out. */
  readonly as?: string | undefined
  /** As codes: needed where people decide that. */
  readonly purposes?: readonly string[] | undefined
}

/** The name of the owner at the command line. */
export const ownerName = "owner"

/** Questions of the owner. */
export function ownerQuestions(engine: Engine, asking: OwnerAsking): Questions {
  const askers = {
    standingOf: async (_user: string, study: string | undefined) => ownerStanding(engine, asking, study),
  }
  return new Questions({ engine, askers })
}

/** The accounts that are charged: a study that was named, and an analyst where the policy names analysts. */
export function ownerStanding(
  { policy }: Engine,
  { as, purposes }: OwnerAsking,
  study: string | undefined,
): Standing {
  const accounts: readonly AccountName[] = [
    ...(study === undefined ? [] : [`study:${study}` as const]),
    ...(as !== undefined && policy.limits.analysts.length > 0 ? [`analyst:${as}` as const] : []),
  ]
  return {
    rules: noRules,
    options: {
      accounts,
      principal: as ?? ownerName,
      ...(study === undefined ? {} : { study }),
      ...(purposes === undefined ? {} : { purposes }),
    },
  }
}
