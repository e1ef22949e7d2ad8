// Who comes in by the door for clients of PostgreSQL, and what they may ask: accounts of the server, one
// dataset, questions in their own name.

import { askWithin, type AccountName, type Engine, type QuestionOptions } from "@dosimeter/engine"
import { onOneLine } from "@dosimeter/sql"
import { fail } from "../errors.ts"
import type { Accounts } from "../governance/accounts.ts"
import { may } from "../governance/roles.ts"
import type { Studies } from "../governance/studies.ts"
import type { Actor } from "../governance/study-state.ts"
import { TryLimits } from "../governance/try-limits.ts"
import { CatalogDatabase } from "./catalog/catalog-database.ts"
import type { WireAccess, WireDataset, WireQuestion } from "./wire-dataset.ts"
import { WireError } from "./wire-error.ts"

/** The access to one dataset by the accounts of a server. */
export class EngineAccess implements WireAccess {
  readonly #engine: Engine
  readonly #accounts: Accounts
  readonly #limits = new TryLimits()
  readonly #studies: Studies | undefined
  readonly #budget: (engine: Engine) => Promise<string>
  /** One small database of names for each user; users are few. */
  readonly #catalogs = new Map<string, Promise<CatalogDatabase>>()

  constructor(options: {
    readonly engine: Engine
    readonly accounts: Accounts
    /** With studies nothing can be asked outside of one; undefined for a house without them. */
    readonly studies: Studies | undefined
    readonly budget: (engine: Engine) => Promise<string>
  }) {
    this.#engine = options.engine
    this.#accounts = options.accounts
    this.#studies = options.studies
    this.#budget = options.budget
  }

  verifierOf(user: string): ReturnType<WireAccess["verifierOf"]> {
    return this.#accounts.verifierOf(user)
  }

  mayTry(user: string, address: string): boolean {
    return this.#limits.mayTry(`user ${user}`, `from ${address}`)
  }

  tried(user: string, address: string, succeeded: boolean): void {
    this.#limits.tried(succeeded, `user ${user}`, `from ${address}`)
  }

  async open(user: string, database: string): Promise<WireDataset> {
    const { dataset } = this.#engine.policy
    if (database !== dataset) {
      throw new WireError("3D000", `database "${database}" does not exist`, `connect to ${dataset}`)
    }
    const catalog = await this.#catalogOf(user)
    return {
      columnsOf: async (question) => {
        if (isExplain(question.sql)) return [{ name: "explanation", type: "text", kind: "derived" }]
        const options = await this.#options(user, question)
        return (await this.#engine.explain(question.sql, options)).columns
      },
      ask: async (question, signal) => {
        const options = { ...(await this.#options(user, question)), signal }
        const { sql, within } = question
        if (within === undefined) return this.#engine.ask(sql, options)
        return (await askWithin({ engine: this.#engine, sql, options, target: within })).answer
      },
      budget: () => this.#budget(this.#engine),
      catalog: (sql, parameters) => catalog.answer(sql, parameters),
    }
  }

  /** Everything that a question needs; refused if the account was disabled or changed meanwhile. */
  async #options(user: string, { ask, parameters, study: named }: WireQuestion): Promise<QuestionOptions> {
    const person = await this.#accounts.find(user)
    if (person === undefined || person.disabledAt !== undefined || !may(person.role, "ask")) {
      return fail("account/no-right", { name: user, right: "ask questions" })
    }
    const study = this.#studies === undefined ? named : await studyFor(this.#studies, person, named)
    const isLimited = this.#engine.policy.limits.analysts.length > 0
    const accounts: AccountName[] = [
      ...(study === undefined ? [] : [`study:${study}` as const]),
      ...(isLimited ? [`analyst:${user}` as const] : []),
    ]
    return { ask, parameters, accounts, principal: user, ...(study === undefined ? {} : { study }) }
  }

  #catalogOf(user: string): Promise<CatalogDatabase> {
    const known = this.#catalogs.get(user)
    if (known !== undefined) return known
    const { dataset, catalog } = this.#engine.policy
    const made = CatalogDatabase.open({ database: dataset, user, catalog })
    this.#catalogs.set(user, made)
    return made
  }

  async close(): Promise<void> {
    for (const catalog of this.#catalogs.values()) (await catalog).close()
  }
}

/** The study that is named, or the only one that somebody can ask in. */
async function studyFor(studies: Studies, person: Actor, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await studies.requireActive(named, person)).id
  const own = await studies.openTo(person)
  const [only] = own
  if (only === undefined) return fail("study/none", { name: person.name })
  if (own.length > 1) return fail("study/several", { names: own.map(({ id }) => id).join(", ") })
  return only.id
}

/** An explanation has one column, whatever is explained. */
function isExplain(sql: string): boolean {
  return /^explain\b/i.test(onOneLine(sql))
}
