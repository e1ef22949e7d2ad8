// Who comes in by the door for clients of PostgreSQL, and what they see: accounts of the server, one dataset,
// questions in their own name.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { fail } from "../../errors.ts"
import type { Accounts } from "../../people/accounts.ts"
import { QuestionQueue } from "../../questions/question-queue.ts"
import type { Questions } from "../../questions/questions.ts"
import { RateLimits } from "../../limits/rate-limits.ts"
import { rightsOfCaller, rightTo, type Right } from "../../people/roles.ts"
import type { Tokens } from "../../people/tokens.ts"
import type { TryLimits } from "../../limits/try-limits.ts"
import { CatalogDatabase } from "./catalog/catalog-database.ts"
import { readCatalogQuery } from "./catalog/read-catalog-query.ts"
import type { CatalogStatement, WireAccess, WireDataset } from "./session/wire-dataset.ts"
import { WireError } from "./wire/wire-error.ts"
import type { WireResult } from "./wire/wire-result.ts"

/** The access to one dataset by the accounts of a server. */
export class EngineAccess implements WireAccess {
  readonly #questions: Questions
  readonly #accounts: Accounts
  readonly #limits: TryLimits
  readonly #tokens: Tokens | undefined
  readonly #budget: () => Promise<string>
  readonly #queue: QuestionQueue
  readonly #rates: RateLimits
  readonly #catalogs: CatalogDatabase
  readonly #tableNames: ReadonlySet<string>

  constructor(options: {
    readonly questions: Questions
    readonly accounts: Accounts
    /** Shared by all doors: a guess at one of them counts at the others. */
    readonly limits: TryLimits
    /** With them a token is the password of ACCOUNT+NAME. */
    readonly tokens?: Tokens
    /** Shared by all doors; one of its own if left out. */
    readonly queue?: QuestionQueue
    /** Of one account; as over HTTP if left out. */
    readonly requestsPerMinute?: number
    /** One line for people. */
    readonly budget: () => Promise<string>
  }) {
    this.#questions = options.questions
    this.#accounts = options.accounts
    this.#limits = options.limits
    this.#tokens = options.tokens
    this.#budget = options.budget
    this.#queue = options.queue ?? new QuestionQueue()
    this.#rates = new RateLimits({ perMinute: options.requestsPerMinute ?? 600 })
    const { dataset, catalog } = options.questions.engine.policy
    this.#catalogs = new CatalogDatabase({ database: dataset, catalog })
    this.#tableNames = new Set(catalog.tables.map(({ name }) => name))
  }

  async verifierOf(user: string): ReturnType<WireAccess["verifierOf"]> {
    const found = await this.#tokens?.verifierOf(user)
    if (found === undefined) return this.#accounts.verifierOf(user)
    const person = await this.#accounts.find(found.token.account)
    if (person === undefined || person.disabledAt !== undefined) return undefined
    const held = rightsOfCaller(person.role, found.token)
    return rightsHere.some((right) => held.includes(right)) ? found.verifier : undefined
  }

  async begin(user: string, address: string): ReturnType<WireAccess["begin"]> {
    return this.#limits.begin({ name: user, address })
  }

  async open(login: string, database: string): Promise<WireDataset> {
    const { dataset } = this.#questions.engine.policy
    if (database !== dataset) {
      throw new WireError("3D000", `database "${database}" does not exist`, `connect to ${dataset}`)
    }
    const [user = login] = login.split("+", 1)
    return {
      admit: async () => {
        const seconds = this.#rates.take(user)
        if (seconds > 0) fail("request/too-many", { seconds: `${seconds}` })
        const held = await this.#rightsOf(login)
        if (!rightsHere.some((right) => held.includes(right)))
          fail("account/no-right", { name: login, right: "do anything here" })
      },
      columnsOf: async (question) => {
        await this.#demand(login, rightTo.explain, "ask questions")
        return this.#queue.run(user, () => this.#questions.columns(user, question))
      },
      ask: async (question, signal) => {
        await this.#demand(login, rightTo.ask, "ask questions")
        return this.#queue.run(user, () => this.#questions.ask(user, { ...question, signal }), signal)
      },
      budget: async () => {
        await this.#demand(login, rightTo.seeBudget, "see the budget")
        return this.#budget()
      },
      catalog: (statement) => this.#catalog(login, user, statement),
    }
  }

  /** About tables only for who may see them; about the session for everybody who is in it. */
  async #catalog(
    login: string,
    user: string,
    { sql, parameters, facts, set, signal }: CatalogStatement,
  ): Promise<WireResult | undefined> {
    const grammar = await loadGrammar()
    const read = (isSet: boolean): ReturnType<typeof readCatalogQuery> =>
      readCatalogQuery(sql, { grammar, parameters, own: this.#tableNames, facts: { ...facts, isSet } })
    const query = read(false)
    if (query === undefined) return undefined
    if (query.hasTables) await this.#demand(login, rightTo.seeTables, "see the tables")
    if (query.settings.length === 0 || set === undefined) {
      return this.#catalogs.answer({ sql: query.sql, asker: user, isDescribed: set === undefined }, signal)
    }
    set(query.settings)
    const shown = read(true)?.sql ?? query.sql
    return this.#catalogs.answer({ sql: shown, asker: user, isDescribed: false }, signal)
  }

  async #demand(login: string, right: Right, inWords: string): Promise<void> {
    const held = await this.#rightsOf(login)
    if (!held.includes(right)) fail("account/no-right", { name: login, right: inWords })
  }

  /** Checked each time: a session ends for an account that was disabled, or a token that is over. */
  async #rightsOf(login: string): Promise<readonly Right[]> {
    const [name = login] = login.split("+", 1)
    const person = await this.#accounts.find(name)
    if (person === undefined || person.disabledAt !== undefined) return []
    if (!login.includes("+")) return rightsOfCaller(person.role)
    const found = await this.#tokens?.verifierOf(login)
    return found === undefined ? [] : rightsOfCaller(person.role, found.token)
  }

  async close(): Promise<void> {
    this.#catalogs.close()
  }
}

/** One of these is needed to come in. */
const rightsHere: readonly Right[] = Object.values(rightTo)
