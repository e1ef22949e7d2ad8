// `dosimeter coordinator ask`, `jobs` and `job`: a question to several sites, where it stands, and its answer.

import { exactly, numberUp, rational } from "@dosimeter/core/exact"
import type { FederatedReceipt, JobRequest } from "@dosimeter/engine"
import type { Command } from "commander"
import { jobRequest } from "../../../federation/coordinator/job-request.ts"
import type { LedJob } from "../../../federation/coordinator/jobs.ts"
import { showTime, tableText } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"
import { costNumber } from "../show/numbers.ts"
import { showAnswer } from "../show/show-answer.ts"
import { countOf, timeOf } from "./count-of.ts"
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

async function requestOf(sql: string, flags: AskFlags, study: OpenStudy): Promise<JobRequest> {
  const { purpose, sites, epsilon, separate, colluding, hours, stepMinutes } = flags
  const asked = {
    sql,
    purpose,
    mode: separate === true ? "separate" : "summed",
    hours: timeOf("--hours", hours),
    stepMinutes: timeOf("--step-minutes", stepMinutes),
    ...(sites === undefined ? {} : { sites: sites.split(",").map((name) => name.trim()) }),
    ...(epsilon === undefined ? {} : { epsilon }),
    ...(colluding === undefined ? {} : { colluding: countOf("--colluding", colluding) }),
  } as const
  return jobRequest(asked, study)
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
  const head = `job ${short(id)}: ${state.phase}${until}${why}\n\n${sqlText(document.document.sql)}\n\n${sites}`
  if (result === undefined) return head
  const { toPublic, toSite, toCoordinator, survivors, loss } = result.receipt
  const table = showAnswer(result.answer, { intervals: false })
  const measure = loss.accounting === "zcdp" ? "rho" : "epsilon"
  return `${head}
${table.join("\n")}

sites in the answer  ${survivors.join(", ")}
charged at each      ${measure} ${amountText(loss.amount)}, delta ${amountText(loss.delta)}
to the public        ${againstText(toPublic)}
to each of the sites ${againstText(toSite)}, with ${toSite.others} others in league
to the coordinator   ${againstText(toCoordinator)}, with ${toCoordinator.colluding} of the sites in league
a patient of several ${atSitesText(result.receipt.atSites)}
`
}

function againstText({ epsilon, delta }: { readonly epsilon: string; readonly delta: string }): string {
  return `epsilon ${amountText(epsilon)}, delta ${amountText(delta)}`
}

/** What the answer tells of somebody whose records are at more than one site. */
function atSitesText(losses: FederatedReceipt["atSites"]): string {
  const several = losses.filter(({ sites }) => sites > 1)
  if (several.length === 0) return "one site answered: nobody counts twice"
  return several.map(({ sites, epsilon }) => `at ${sites}: epsilon ${amountText(epsilon)}`).join("; ")
}

/** To four digits, rounded up. */
function amountText(text: string): string {
  const [numerator = "0", denominator] = text.split("/")
  const amount =
    denominator === undefined
      ? exactly(numerator, "an amount")
      : rational(BigInt(numerator), BigInt(denominator))
  return costNumber(numberUp(amount))
}

/** The lines of a question, a little to the right. */
export function sqlText(sql: string): string {
  return sql
    .split("\n")
    .map((line) => `  ${safeText(line)}`)
    .join("\n")
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
