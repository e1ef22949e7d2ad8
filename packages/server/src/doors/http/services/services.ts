// What the routes work with: one dataset, its people, their studies, and what limits them.

import type { Engine } from "@dosimeter/engine"
import type { ChargeList } from "../../../answers/charge-list.ts"
import type { Accounts, Person } from "../../../people/accounts.ts"
import type { KnownDevices } from "../../../people/known-devices.ts"
import type { Questions } from "../../../questions/questions.ts"
import type { Right } from "../../../people/roles.ts"
import type { Sessions } from "../../../people/sessions.ts"
import type { StateStore } from "../../../state/state-store.ts"
import type { Studies } from "../../../studies/studies.ts"
import type { Tokens } from "../../../people/tokens.ts"
import type { TryLimits } from "../../../limits/try-limits.ts"
import type { Metrics } from "./metrics.ts"
import type { OpenId } from "./open-id.ts"
import type { QuestionQueue } from "../../../questions/question-queue.ts"

/** Everything behind the routes. */
export interface Services {
  readonly engine: Engine
  readonly questions: Questions
  readonly charges: ChargeList
  readonly store: StateStore
  /** Where paths of the policy begin. */
  readonly folder: string
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly tokens: Tokens
  /** Kept in a house without studies, too; `needsStudies` says whether questions belong to one. */
  readonly studies: Studies
  readonly needsStudies: boolean
  readonly limits: TryLimits
  readonly devices: KnownDevices
  readonly queue: QuestionQueue
  readonly metrics: Metrics
  /** The code that makes the first account; undefined where that is not offered. */
  readonly setUpCode: string | undefined
  /** Sign-in by a provider of OpenID Connect, where one is configured. */
  readonly openId: OpenId | undefined
  /** What answers here. */
  readonly place: () => Promise<Place>
}

/** A house, one that is a site of a study over several, or the coordinator of one. */
export type Place = "house" | "site" | "coordinator"

/** What signing in and being signed in need. */
export type SessionServices = Pick<
  Services,
  "accounts" | "sessions" | "limits" | "devices" | "openId" | "setUpCode" | "place"
>

/** Somebody whose request is being answered. */
export interface Caller {
  readonly person: Person
  readonly by: "session" | "token"
  /** Of the role, and of the token where there is one. */
  readonly rights: readonly Right[]
  /** The id in the cookie. */
  readonly session: string | undefined
  /** The id of the token. */
  readonly token?: string
}
