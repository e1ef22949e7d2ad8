// `dosimeter coordinator ask`, `jobs` and `job`: a question to several sites, where it stands, and its answer.

import { exactly, showRational } from "@dosimeter/core/exact"
import type { JobMode, JobRequest } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { Command } from "commander"
import type { LedJob } from "../../../federation/coordinator/jobs.ts"
import { fail } from "../../../errors.ts"
import { showTime, tableText } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"
import { showAnswer } from "../show/show-answer.ts"
import { countOf } from "./count-of.ts"
import { studyOption, withJobs, type OpenStudy, type StudyFlags } from "./open-study.ts"

interface AskFlags extends StudyFlags {
  readonly purpose: string
  readonly sites?: string
  readonly epsilon?: string
  readonly separate?: true
  readonly colluding?: string
  readonly hours: string
  readonly stepMinutes: string
}

/** Adds the commands to `coordinator`. */
export function addJobCommands(coordinator: Command, session: Session): void {
  studyOption(
    coordinator.command("ask <sql>").description("offer a question to sites, each of which decides"),
  )
    .requiredOption("--purpose <words>", "why it is asked; every committee reads it")
    .option("--sites <names>", "which sites, with commas between; all that are enrolled if left out")
    .option("--epsilon <e>", "what is spent at each site; the study's default if left out")
    .option("--separate", "every site adds all of the noise: for two sites, or where no sum is wanted")
    .option(
      "--colluding <n>",
      "how many sites' noise is not counted on; 1 if left out: each site knows its own",
    )
    .option("--hours <n>", "how long sites have to decide", "168")
    .option("--step-minutes <n>", "how long each step of the sum waits for a site", "60")
    .addHelpText("after", askHelp)
    .action(async (sql: string, flags: AskFlags) =>
      withJobs(session, flags, async (study) => {
        const job = await study.jobs.ask(await requestOf(session.about(sql), flags, study), "operator")
        const { sites } = job.document.document
        session.out(`job ${short(job.id)} is offered to ${sites.map(({ name }) => name).join(", ")}
It goes on while dosimeter coordinator serve runs: dosimeter coordinator job ${short(job.id)}
`)
      }),
    )
  studyOption(coordinator.command("jobs").description("list the jobs, and how far each has come"))
    .option("--json", "one JSON object")
    .action(async (flags: StudyFlags & { readonly json?: true }) =>
      withJobs(session, flags, async ({ jobs }) => {
        const found = await jobs.list()
        session.out(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : listText(found))
      }),
    )
  studyOption(
    coordinator.command("job <job>").description("show where a job stands, its answer and its receipt"),
  )
    .option("--json", "one JSON object")
    .action(async (id: string, flags: StudyFlags & { readonly json?: true }) =>
      withJobs(session, flags, async ({ jobs }) => {
        const job = await jobs.find(id)
        session.out(flags.json === true ? `${JSON.stringify(job, null, 2)}\n` : jobText(job))
      }),
    )
}

async function requestOf(
  sql: string,
  flags: AskFlags,
  { policy, coordinator }: OpenStudy,
): Promise<JobRequest> {
  const enrolled = (await coordinator.sites.list()).filter(({ state }) => state === "enrolled")
  const wanted = flags.sites?.split(",").map((name) => name.trim()) ?? enrolled.map(({ name }) => name)
  const sites = wanted.map((name) => {
    const site = enrolled.find((one) => one.name === name)
    return { name, key: site?.publicKey ?? fail("federation/no-site", { site: name }) }
  })
  const now = Date.now()
  const later = (hours: number): string => new Date(now + hours * 3_600_000).toISOString()
  const hours = countOf("--hours", flags.hours)
  const stepSeconds = countOf("--step-minutes", flags.stepMinutes) * 60
  const mode: JobMode = flags.separate === true ? "separate" : "summed"
  return {
    study: coordinator.study,
    purpose: flags.purpose,
    sql,
    sites,
    ask: askOf(policy, flags.epsilon),
    mode,
    ...(flags.colluding === undefined ? {} : { colluding: countOf("--colluding", flags.colluding) }),
    // Five steps of the sum, and one to spare.
    deadlines: { approval: later(hours), stepSeconds, end: later(hours + (6 * stepSeconds) / 3600) },
  }
}

function askOf({ terms }: Policy, epsilon: string | undefined): JobRequest["ask"] {
  const { question, bounding, shownFrom } = terms
  const amount = epsilon === undefined ? question.epsilonDefault : exactly(epsilon, "--epsilon")
  return {
    epsilon: showRational(amount),
    delta: showRational(question.delta),
    confidence: showRational(question.confidence),
    groupsPerUnit: `${bounding.groupsPerUnit}`,
    rowsPerGroup: `${bounding.rowsPerGroup}`,
    shownFrom: `${shownFrom ?? 0n}`,
  }
}

function listText(jobs: readonly LedJob[]): string {
  if (jobs.length === 0) return "nothing was asked yet: dosimeter coordinator ask SQL --purpose WORDS\n"
  return tableText([
    ["job", "asked (UTC)", "state", "sites", "question"],
    ...jobs.map(({ id, askedAt, state, document }) => [
      short(id),
      showTime(askedAt),
      state.phase,
      state.sites.map(({ name, progress }) => `${name}: ${progress}`).join(", "),
      document.document.sql.replaceAll(/\s+/g, " ").trim().slice(0, 60),
    ]),
  ])
}

/** A job, its sites, and its answer with who is protected how. */
export function jobText({ id, state, document, result }: LedJob): string {
  const sites = tableText([
    ["site", "state", "says"],
    ...state.sites.map(({ name, progress, why }) => [name, progress, why ?? ""]),
  ])
  const until = state.until === undefined ? "" : `, until ${showTime(state.until)} UTC`
  const why = state.why === undefined ? "" : `: ${safeText(state.why)}`
  const head = `job ${short(id)}: ${state.phase}${until}${why}\n\n${safeText(document.document.sql).replace(/^/gm, "  ")}\n\n${sites}`
  if (result === undefined) return head
  const { toPublic, toSite, toCoordinator, survivors, loss } = result.receipt
  const { epsilon, delta, colluding } = toCoordinator
  const table = showAnswer(result.answer, { intervals: false })
  return `${head}
${table.join("\n")}

sites in the answer  ${survivors.join(", ")}
charged at each      ${loss.accounting} ${loss.amount}, delta ${loss.delta}
to the public        epsilon ${toPublic.epsilon}, delta ${toPublic.delta}
to each of the sites epsilon ${toSite.epsilon}, delta ${toSite.delta}, with ${toSite.others} others in league
to the coordinator   epsilon ${epsilon}, delta ${delta}, with ${colluding} of the sites in league
`
}

function short(id: string): string {
  return id.slice(0, 12)
}

const askHelp = `
The question is checked against the study's catalog, signed, and offered. Every site shows it to its committee
with its price and charges its own ledger once it is approved there. What comes back is the sum, with noise
that the sites add together: nobody sees the numbers of one site.

Examples:
  dosimeter coordinator ask "SELECT sex, COUNT(*) FROM person GROUP BY sex" --purpose "to plan the trial"
  dosimeter coordinator jobs
  dosimeter coordinator job 3f9a02c1`
