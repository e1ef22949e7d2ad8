// What a session of the wire may do: know who somebody is, and ask for them.

import type { AnswerColumn } from "@dosimeter/engine"
import type { Constant } from "@dosimeter/sql"
import type { AnsweredInStages } from "../answers/answer-value.ts"
import type { ScramVerifier } from "../governance/scram-verifier.ts"
import type { AskedBySettings } from "./session-settings.ts"
import type { WireResult } from "./wire-result.ts"

/** Who may come in. */
export interface WireAccess {
  /** The verifier of a user, if there is such a user. */
  verifierOf(user: string): Promise<ScramVerifier | undefined>
  /** Someone tried; too many wrong tries are refused for a while. */
  mayTry(user: string, address: string): boolean
  tried(user: string, address: string, succeeded: boolean): void
  /** What a user may ask, once the password was right. */
  open(user: string, database: string): Promise<WireDataset>
}

/** A question of the wire. */
export interface WireQuestion extends AskedBySettings {
  readonly sql: string
  readonly parameters: readonly Constant[]
}

/** A dataset in the name of somebody. */
export interface WireDataset {
  /** The columns of an answer; reads no data and costs nothing. */
  columnsOf(question: WireQuestion): Promise<readonly AnswerColumn[]>
  ask(question: WireQuestion, signal: AbortSignal): Promise<AnsweredInStages>
  /** One line for people. */
  budget(): Promise<string>
  /** The answer of the system catalogs, if a statement is about them; parameters as text. */
  catalog(sql: string, parameters: readonly Constant[]): Promise<WireResult | undefined>
}
