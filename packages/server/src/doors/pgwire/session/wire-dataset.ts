// What a session of the wire may do: know who somebody is, and ask for them.

import type { AnswerColumn } from "@dosimeter/engine"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { AnsweredInStages } from "../../../answers/answer-value.ts"
import type { ScramVerifier } from "../../../people/scram-verifier.ts"
import type { OpenTry } from "../../../limits/try-limits.ts"
import type { SessionFacts, SetByQuestion } from "../catalog/catalog-context.ts"
import type { AskedBySettings } from "./session-settings.ts"
import type { WireResult } from "../wire/wire-result.ts"

/** Who may come in. */
export interface WireAccess {
  /** The verifier of a user, if there is such a user. */
  verifierOf(user: string): Promise<ScramVerifier | undefined>
  /** A try that may be checked; undefined after too many wrong ones. */
  begin(user: string, address: string): Promise<OpenTry | undefined>
  /** What a user may ask, once the password was right. */
  open(user: string, database: string): Promise<WireDataset>
}

/** A question of the wire. */
export interface WireQuestion extends AskedBySettings {
  readonly sql: string
  readonly parameters: readonly Constant[]
}

/** A statement that may be about catalogs or the session. */
export interface CatalogStatement {
  readonly sql: string
  readonly parameters: readonly Constant[]
  readonly facts: Omit<SessionFacts, "isSet">
  /** Does what set_config says; undefined if only the columns are asked for, and nothing is to be done. */
  readonly set: ((settings: readonly SetByQuestion[]) => void) | undefined
  /** Ends the wait for the answer. */
  readonly signal?: AbortSignal
}

/** A dataset in the name of somebody. Each method checks their rights first, every time. */
export interface WireDataset {
  /** Refuses accounts that lost their rights, and too many requests; checked before a text is read. */
  admit(): Promise<void>
  /** The columns of an answer; reads no data and costs nothing. */
  columnsOf(question: WireQuestion): Promise<readonly AnswerColumn[]>
  ask(question: WireQuestion, signal: AbortSignal): Promise<AnsweredInStages>
  /** One line for people. */
  budget(): Promise<string>
  /** The answer of the system catalogs, if a statement is about them or about the session. */
  catalog(statement: CatalogStatement): Promise<WireResult | undefined>
}
