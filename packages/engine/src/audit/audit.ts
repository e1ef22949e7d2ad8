// Opens a dataset for an audit. Its state (key, copies) lies in a folder of its own that is removed on
// closing: the ledger, the anchor and the copies of the dataset itself are not looked at and not touched.

import { systemBits, type RandomBits } from "@dosimeter/core"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ConsentSource } from "../ask/consent-walk.ts"
import { CompileOnce } from "../ask/compile-once.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { openDataset } from "../prepare/open-dataset.ts"
import type { Outcome } from "./outcome.ts"
import { beginSession, type AuditSession } from "./session.ts"
import type { Stated } from "./stated.ts"

/** What is audited. */
export interface AuditOptions {
  /** The text of the policy. */
  readonly policy: string
  /** The policy's folder: the paths of its source begin here. */
  readonly folder: string
  /** Where the noise comes from: fresh bits of the system if left out, or bits that were chosen. */
  readonly bits?: RandomBits
  /** People's decisions, where the policy asks for consent. */
  readonly consent?: ConsentSource
  /** Whether prepared copies are made and read, as a served dataset does; they are not if left out. */
  readonly prepare?: "always" | "never"
}

/** A dataset that can be asked as often as wanted. */
export interface Audit {
  /** What is stated about a question: price, mechanisms, sensitivities, SQL. */
  state(sql: string, options?: QuestionOptions): Promise<Stated>
  /** Asks a question so many times, each on a ledger of its own: every answer has fresh noise. */
  repeat(sql: string, times: number, options?: QuestionOptions): AsyncIterable<Outcome>
  /** A ledger to ask several questions on, such as a sequence of an attacker. */
  begin(): Promise<AuditSession>
  close(): Promise<void>
}

/** Opens a dataset for an audit. */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  const { policy, folder, bits = systemBits(), consent, prepare = "never" } = options
  const state = mkdtempSync(join(tmpdir(), "dosimeter-audit-"))
  const dataset = await openDataset({ policy, folder, state, prepare }).catch((error: unknown) => {
    rmSync(state, { recursive: true })
    throw error
  })
  const once = new CompileOnce()
  const asked = { rng: bits, ...(consent === undefined ? {} : { consent }) }
  const begin = async (): Promise<AuditSession> => beginSession({ dataset, once }, asked)
  return {
    begin,
    state: async (sql, question) => (await begin()).state(sql, question),
    repeat: async function* (sql, times, question) {
      for (let round = 0; round < times; round += 1) yield (await begin()).ask(sql, question)
    },
    close: async () => {
      await dataset.backend.close()
      rmSync(state, { recursive: true })
    },
  }
}
