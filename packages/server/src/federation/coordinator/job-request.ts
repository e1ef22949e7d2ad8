// What a lead asks, as a job for the sites that are enrolled: the same from command line and screen.

import { usualAsk, type JobMode, type JobModel, type JobRequest } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../../errors.ts"
import type { Coordinator } from "./coordinator.ts"

/** What is asked. */
export interface AskedOfSites {
  readonly sql: string
  /** Every committee reads it. */
  readonly purpose: string
  readonly mode: JobMode
  /** A regression whose rows the SQL selects, in place of a question. */
  readonly model?: JobModel
  /** By name; all that are enrolled if left out. */
  readonly sites?: readonly string[]
  /** What is spent at each site; the study's default if left out. */
  readonly epsilon?: string
  readonly colluding?: number
  /** How long sites have to decide, */
  readonly hours: number
  /** and how long each step of a sum waits for a site. */
  readonly stepMinutes: number
}

/** The job that it is. */
export async function jobRequest(
  asked: AskedOfSites,
  { policy, coordinator }: { readonly policy: Policy; readonly coordinator: Coordinator },
): Promise<JobRequest> {
  const { sql, purpose, mode, model, epsilon, colluding, hours, stepMinutes } = asked
  const enrolled = (await coordinator.sites.list()).filter(({ state }) => state === "enrolled")
  const wanted = asked.sites ?? enrolled.map(({ name }) => name)
  const sites = wanted.map((name) => {
    const site = enrolled.find((one) => one.name === name)
    return { name, key: site?.publicKey ?? fail("federation/no-site", { site: name.slice(0, 60) }) }
  })
  const now = Date.now()
  const later = (ms: number): string => new Date(now + ms).toISOString()
  const stepSeconds = Math.ceil(stepMinutes * 60)
  const approvalMs = hours * 3_600_000
  // Five steps of a sum, and one to spare; of a model, as many minutes for every later sum as it has steps.
  const laterSeconds = (model?.rounds ?? 0) * 5 * Math.min(stepSeconds, 60)
  const sumMs = (6 * stepSeconds + laterSeconds) * 1000
  return {
    study: coordinator.study,
    purpose,
    sql,
    sites,
    ask: usualAsk(policy, epsilon),
    mode,
    ...(model === undefined ? {} : { model }),
    ...(colluding === undefined ? {} : { colluding }),
    deadlines: { approval: later(approvalMs), stepSeconds, end: later(approvalMs + sumMs) },
  }
}
