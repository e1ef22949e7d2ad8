// Who comes in by the door for clients of PostgreSQL, and what they see: accounts of the server, one dataset,
// questions in their own name.

import { onOneLine } from "@dosimeter/sql"
import type { Accounts } from "../governance/accounts.ts"
import type { Questions } from "../governance/questions.ts"
import { may, type Right } from "../governance/roles.ts"
import type { TryLimits } from "../governance/try-limits.ts"
import { fail } from "../errors.ts"
import { CatalogDatabase } from "./catalog/catalog-database.ts"
import { isCatalogQuery } from "./catalog/rewrite-catalog-query.ts"
import type { WireAccess, WireDataset } from "./wire-dataset.ts"
import { WireError } from "./wire-error.ts"

/** The access to one dataset by the accounts of a server. */
export class EngineAccess implements WireAccess {
  readonly #questions: Questions
  readonly #accounts: Accounts
  readonly #limits: TryLimits
  readonly #budget: () => Promise<string>
  /** One small database of names for each user; users are few. */
  readonly #catalogs = new Map<string, Promise<CatalogDatabase>>()

  constructor(options: {
    readonly questions: Questions
    readonly accounts: Accounts
    /** Shared by all doors: guesses at one count at the other. */
    readonly limits: TryLimits
    /** One line for people. */
    readonly budget: () => Promise<string>
  }) {
    this.#questions = options.questions
    this.#accounts = options.accounts
    this.#limits = options.limits
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
    const { dataset } = this.#questions.engine.policy
    if (database !== dataset) {
      throw new WireError("3D000", `database "${database}" does not exist`, `connect to ${dataset}`)
    }
    const catalog = await this.#catalogOf(user)
    return {
      columnsOf: async (question) => {
        if (isExplain(question.sql)) return [{ name: "explanation", type: "text", kind: "derived" }]
        return (await this.#questions.explain(user, question)).columns
      },
      ask: (question, signal) => this.#questions.ask(user, { ...question, signal }),
      budget: async () => {
        await this.#demand(user, "see-budget", "see the budget")
        return this.#budget()
      },
      catalog: async (sql, parameters) => {
        if (!isCatalogQuery(sql)) return undefined
        await this.#demand(user, "see-catalog", "see the tables")
        return catalog.answer(sql, parameters)
      },
    }
  }

  /** Asked each time: who was disabled is cut off from what is open. */
  async #demand(user: string, right: Right, inWords: string): Promise<void> {
    const person = await this.#accounts.find(user)
    if (person === undefined || person.disabledAt !== undefined || !may(person.role, right))
      fail("account/no-right", { name: user, right: inWords })
  }

  #catalogOf(user: string): Promise<CatalogDatabase> {
    const known = this.#catalogs.get(user)
    if (known !== undefined) return known
    const { dataset, catalog } = this.#questions.engine.policy
    const made = CatalogDatabase.open({ database: dataset, user, catalog })
    this.#catalogs.set(user, made)
    return made
  }

  async close(): Promise<void> {
    for (const catalog of this.#catalogs.values()) (await catalog).close()
  }
}

/** An explanation has one column, whatever is explained. */
function isExplain(sql: string): boolean {
  return /^explain\b/i.test(onOneLine(sql))
}
