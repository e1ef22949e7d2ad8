// What was asked, beside the releases: the text of each question and a title that people give it. Kept in the
// server's state and not in the ledger: a text may hold names that an analyst typed, and must be removable.

import { textOf, type StateStore } from "../state/state-store.ts"

/** What is kept of a question. */
export interface ReleaseText {
  readonly question: string
  /** Empty until somebody gives one. */
  readonly title: string
}

/** The texts of one ledger's releases. */
export class ReleaseTexts {
  readonly #store: StateStore
  readonly #ledger: string

  constructor(store: StateStore, ledger: { readonly id: string }) {
    this.#store = store
    this.#ledger = ledger.id
  }

  /** Keeps the question of some charges; what is kept of them already stays. */
  async keep(charges: readonly bigint[], question: string): Promise<void> {
    if (charges.length === 0) return
    await this.#store.transaction(async (access) => {
      for (const charge of charges) {
        await access.run(
          `INSERT INTO release_texts (ledger, charge, question, title) VALUES (?, ?, ?, '')
           ON CONFLICT (ledger, charge) DO NOTHING`,
          [this.#ledger, `${charge}`, question],
        )
      }
    })
  }

  /** What is kept of some charges, by position. */
  async of(charges: readonly bigint[]): Promise<ReadonlyMap<bigint, ReleaseText>> {
    if (charges.length === 0) return new Map()
    const marks = charges.map(() => "?").join(", ")
    const rows = await this.#store.all(
      `SELECT charge, question, title FROM release_texts WHERE ledger = ? AND charge IN (${marks})`,
      [this.#ledger, ...charges.map(String)],
    )
    return new Map(
      rows.map((row) => [
        BigInt(textOf(row, "charge")),
        { question: textOf(row, "question"), title: textOf(row, "title") },
      ]),
    )
  }

  /** Gives a release a title, in place of the one before. */
  async entitle(charge: bigint, title: string): Promise<void> {
    await this.#store.run(
      `INSERT INTO release_texts (ledger, charge, question, title) VALUES (?, ?, '', ?)
       ON CONFLICT (ledger, charge) DO UPDATE SET title = excluded.title`,
      [this.#ledger, `${charge}`, title],
    )
  }
}
