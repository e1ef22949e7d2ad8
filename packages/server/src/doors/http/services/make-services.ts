// What the routes work with, made from what the server has opened.

import { ChargeList } from "../../../answers/charge-list.ts"
import { membershipOf } from "../../../federation/node/membership.ts"
import type { Accounts } from "../../../people/accounts.ts"
import { KnownDevices } from "../../../people/known-devices.ts"
import { QuestionQueue } from "../../../questions/question-queue.ts"
import type { Questions } from "../../../questions/questions.ts"
import { Sessions } from "../../../people/sessions.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { Studies } from "../../../studies/studies.ts"
import { Tokens } from "../../../people/tokens.ts"
import type { TryLimits } from "../../../limits/try-limits.ts"
import { Metrics } from "./metrics.ts"
import { OpenId, type OpenIdSettings } from "./open-id.ts"
import type { Services } from "./services.ts"

/** What the server has opened. */
export interface ServiceOptions {
  readonly questions: Questions
  readonly accounts: Accounts
  readonly store: StateStore
  /** Where paths of the policy begin. */
  readonly folder: string
  /** Shared by all doors: a guess at one of them counts at the others. */
  readonly limits: TryLimits
  readonly needsStudies: boolean
  readonly setUpCode: string | undefined
  /** Shared by all doors; one of its own if left out. */
  readonly queue?: QuestionQueue
  readonly openId?: OpenIdSettings
  /** For tests only. */
  readonly now?: () => Date
}

/** The services of the routes. */
export function servicesOf(options: ServiceOptions): Services {
  const { questions, accounts, store, folder, limits, needsStudies, setUpCode, now } = options
  const { engine } = questions
  const queue = options.queue ?? new QuestionQueue()
  return {
    engine,
    questions,
    charges: new ChargeList(engine.ledger),
    store,
    folder,
    accounts,
    sessions: new Sessions(store, now),
    tokens: new Tokens(store, now),
    studies: new Studies(store, now),
    needsStudies,
    limits,
    devices: new KnownDevices(store),
    queue,
    metrics: new Metrics({ ledger: engine.ledger, queue }),
    setUpCode,
    openId: options.openId === undefined ? undefined : new OpenId(options.openId),
    place: async () => ((await membershipOf(store)) === undefined ? "house" : "site"),
  }
}
