// The two ends of a job as whoever carries messages sees them. Envelopes go in, envelopes come out; times,
// storage and the network are the carrier's.

import type { Envelope } from "./envelope.ts"
import type { FederatedAnswer, JobOffer, JobState } from "./federated-answer.ts"
import type { SignedJob } from "./job.ts"

/** A site: one for each dataset of a node (`FederatedSite`). */
export interface SiteEnd {
  /** The name under which it is enrolled. */
  readonly name: string
  /**
   * Looks at a job: signature, freshness, layout, price. Charges nothing, reads nothing. Throws a
   * DosimeterError where the job cannot be taken.
   */
  offer(job: unknown): Promise<JobOffer>
  /** The owner or committee agrees. The job must have been offered. */
  approve(job: string, by: string): Promise<readonly Envelope[]>
  refuse(job: string, by: string, why: string): Promise<readonly Envelope[]>
  /**
   * Takes a message of the coordinator; gives those that answer it. A message that was taken before gives
   * nothing; an altered, late or reordered one throws.
   */
  receive(envelope: Envelope): Promise<readonly Envelope[]>
  /** Ends jobs whose time is over: their charges are settled. */
  advance(now: Date): Promise<void>
  /** The answer of a job, once the coordinator has sent it. */
  result(job: string): FederatedAnswer | undefined
}

/** A job at its coordinator (`FederatedJob`): made anew from the envelopes that were kept. */
export interface JobEnd {
  readonly id: string
  /** What is offered to sites. */
  readonly document: SignedJob
  /** The job itself, addressed to each site. */
  invitations(): readonly Envelope[]
  /** Takes a message of a site; gives those to be sent, each with its addressee. */
  receive(envelope: Envelope): readonly Envelope[]
  /** Deadlines have passed: says who has dropped out, and goes on with the others. */
  advance(now: Date): readonly Envelope[]
  state(): JobState
  result(): FederatedAnswer | undefined
}
