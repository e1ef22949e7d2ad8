// The askers of a house: its accounts, inside a study where it has studies.

import type { AccountName, Engine } from "@dosimeter/engine"
import { fail } from "../errors.ts"
import type { Accounts, Person } from "../people/accounts.ts"
import { may } from "../people/roles.ts"
import type { Airlock } from "../studies/airlock.ts"
import { purposeOf } from "../studies/purposes.ts"
import type { Studies, Study } from "../studies/studies.ts"
import type { Askers, Standing } from "./askers.ts"

/** Looks an account up each time: it may have been disabled or changed meanwhile. */
export class HouseAskers implements Askers {
  readonly #engine: Engine
  readonly #accounts: Accounts
  readonly #studies: Studies | undefined
  readonly #airlock: Airlock

  constructor(house: {
    readonly engine: Engine
    readonly accounts: Accounts
    /** With studies nothing can be asked outside of one; undefined for a house without them. */
    readonly studies: Studies | undefined
    /** Where releases of some studies wait. */
    readonly airlock: Airlock
  }) {
    this.#engine = house.engine
    this.#accounts = house.accounts
    this.#studies = house.studies
    this.#airlock = house.airlock
  }

  async standingOf(user: string, named: string | undefined): Promise<Standing> {
    const person = await this.#accounts.find(user)
    if (person === undefined || person.disabledAt !== undefined || !may(person.role, "ask")) {
      return fail("account/no-right", { name: user, right: "ask questions" })
    }
    const study = this.#studies === undefined ? undefined : await studyFor(this.#studies, person, named)
    const id = study?.id ?? named
    const { policy } = this.#engine
    const isLimited = policy.limits.analysts.length > 0
    const accounts: readonly AccountName[] = [
      ...(id === undefined ? [] : [`study:${id}` as const]),
      ...(isLimited ? [`analyst:${user}` as const] : []),
    ]
    const { dataset } = policy
    if (study !== undefined && study.datasets.length > 0 && !study.datasets.includes(dataset)) {
      fail("study/not-active", { study: study.id, why: `it is not about ${dataset}` })
    }
    const rules = await this.#airlock.rules()
    return {
      rules,
      options: {
        accounts,
        principal: user,
        ...(id === undefined ? {} : { study: id }),
        ...(study === undefined ? {} : { purposes: permissionsOf(study) }),
        ...(rules.holds ? { mayUse: (charge) => rules.isOpen(charge) } : {}),
        ...(rules.isAirlocked(id) ? { held: true } : {}),
      },
    }
  }
}

/** What a study is for, without the conditions on it: what people agree to. */
function permissionsOf({ purposes }: Pick<Study, "purposes">): readonly string[] {
  return purposes.filter((code) => purposeOf(code)?.kind === "permission")
}

/** The study that is named, or the only one that somebody can ask in. */
async function studyFor(studies: Studies, person: Person, named: string | undefined): Promise<Study> {
  if (named !== undefined) return studies.requireActive(named, person)
  const own = await studies.openTo(person)
  const [only] = own
  if (only === undefined) return fail("study/none", { name: person.name })
  if (own.length > 1) return fail("study/several", { names: own.map(({ id }) => id).join(", ") })
  return only
}
