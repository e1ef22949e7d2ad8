// Who comes in by the door for clients of PostgreSQL, and what they see: accounts of the server, one dataset,
// questions in their own name.

import { onOneLine } from "@dosimeter/sql"
import { fail } from "../errors.ts"
import type { Accounts } from "../governance/accounts.ts"
import { QuestionQueue } from "../governance/question-queue.ts"
import type { Questions } from "../governance/questions.ts"
import { may, type Right } from "../governance/roles.ts"
import type { Tokens } from "../governance/tokens.ts"
import type { TryLimits } from "../governance/try-limits.ts"
import { CatalogDatabase } from "./catalog/catalog-database.ts"
import { isCatalogQuery } from "./catalog/rewrite-catalog-query.ts"
import type { WireAccess, WireDataset } from "./wire-dataset.ts"
import { WireError } from "./wire-error.ts"

/** The access to one dataset by the accounts of a server. */
export class EngineAccess implements WireAccess {
  readonly #questions: Questions
  readonly #accounts: Accounts
  readonly #limits: TryLimits
  readonly #tokens: Tokens | undefined
  readonly #budget: () => Promise<string>
  readonly #queue: QuestionQueue
  /** One small database of names for each user; users are few. */
  readonly #catalogs = new Map<string, Promise<CatalogDatabase>>()

  constructor(options: {
    readonly questions: Questions
    readonly accounts: Accounts
    /** Shared by all doors: guesses at one count at the other. */
    readonly limits: TryLimits
    /** With them a token is the password of ACCOUNT+NAME. */
    readonly tokens?: Tokens
    /** Shared by all doors; one of its own if left out. */
    readonly queue?: QuestionQueue
    /** One line for people. */
    readonly budget: () => Promise<string>
  }) {
    this.#questions = options.questions
    this.#accounts = options.accounts
    this.#limits = options.limits
    this.#tokens = options.tokens
    this.#budget = options.budget
    this.#queue = options.queue ?? new QuestionQueue()
  }

  async verifierOf(user: string): ReturnType<WireAccess["verifierOf"]> {
    const found = await this.#tokens?.verifierOf(user)
    if (found === undefined) return this.#accounts.verifierOf(user)
    const person = await this.#accounts.find(found.token.account)
    const isIn = person?.disabledAt === undefined && found.token.rights.includes("ask")
    return person === undefined || !isIn ? undefined : found.verifier
  }

  mayTry(user: string, address: string): boolean {
    return this.#limits.mayTry(`user ${user}`, `from ${address}`)
  }

  tried(user: string, address: string, succeeded: boolean): void {
    this.#limits.tried(succeeded, `user ${user}`, `from ${address}`)
  }

  async open(login: string, database: string): Promise<WireDataset> {
    const { dataset } = this.#questions.engine.policy
    if (database !== dataset) {
      throw new WireError("3D000", `database "${database}" does not exist`, `connect to ${dataset}`)
    }
    const [user = login] = login.split("+", 1)
    const catalog = await this.#catalogOf(user)
    return {
      columnsOf: async (question) => {
        if (isExplain(question.sql)) return [{ name: "explanation", type: "text", kind: "derived" }]
        return this.#questions.columns(user, question)
      },
      ask: async (question, signal) => {
        await this.#checkToken(login)
        return this.#queue.run(() => this.#questions.ask(user, { ...question, signal }), signal)
      },
      budget: async () => {
        await this.#demand(login, "see-budget", "see the budget")
        return this.#budget()
      },
      catalog: async (sql, parameters) => {
        if (!isCatalogQuery(sql)) return undefined
        await this.#demand(login, "see-catalog", "see the tables")
        return catalog.answer(sql, parameters)
      },
    }
  }

  /** Asked each time: who was disabled, or whose token is over, is cut off in a session that is open. */
  async #demand(login: string, right: Right, inWords: string): Promise<void> {
    await this.#checkToken(login)
    const [name = login] = login.split("+", 1)
    const person = await this.#accounts.find(name)
    if (person === undefined || person.disabledAt !== undefined || !may(person.role, right))
      fail("account/no-right", { name, right: inWords })
  }

  /** A token that was revoked, is over or was not made for asking asks nothing more. */
  async #checkToken(login: string): Promise<void> {
    if (!login.includes("+")) return
    const found = await this.#tokens?.verifierOf(login)
    if (found?.token.rights.includes("ask") !== true) {
      fail("account/no-right", { name: login, right: "ask questions" })
    }
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
