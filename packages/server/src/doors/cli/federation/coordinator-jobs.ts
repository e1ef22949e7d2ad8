// `dosimeter coordinator ask`, `jobs` and `job`: a question to several sites, where it stands, and its answer.

import { exactly, numberNear, numberUp, rational } from "@dosimeter/core/exact"
import {
  amountOf,
  jobModels,
  writeModel,
  type FederatedReceipt,
  type JobDocument,
  type JobModel,
  type JobRequest,
} from "@dosimeter/engine"
import { usualRounds } from "@dosimeter/ml/regression/training-plan"
import type { Command } from "commander"
import { existsSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { jobRequest } from "../../../federation/coordinator/job-request.ts"
import type { LedJob } from "../../../federation/coordinator/jobs.ts"
import { showTime, tableText } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"
import { costNumber } from "../show/numbers.ts"
import { showAnswer } from "../show/show-answer.ts"
import { showFitted } from "../show/show-model.ts"
import { countOf, timeOf } from "./count-of.ts"
import { studyOption, withJobs, type OpenStudy, type StudyFlags } from "./open-study.ts"

interface AskFlags extends StudyFlags {
  readonly purpose: string
  readonly sites?: string
  readonly epsilon?: string
  readonly separate?: true
  readonly model?: string
  readonly target?: string
  readonly rounds: string
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
    .option("--model <kind>", `fit a regression to the rows of a SELECT: ${jobModels.join(", ")}`)
    .option("--target <column>", "of a regression: the column that the others explain")
    .option("--rounds <n>", "of a regression: how often the gradient is added up", `${usualRounds}`)
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
    .option("--out <file>", "of a regression: where its model is written, for dosimeter predict")
    .action(async (id: string, flags: StudyFlags & { readonly json?: true; readonly out?: string }) =>
      withJobs(session, flags, async ({ jobs }) => {
        const job = await jobs.find(id)
        if (flags.out !== undefined) writeModelOf(job, resolve(session.folder, flags.out))
        session.out(flags.json === true ? `${JSON.stringify(job, null, 2)}\n` : jobText(job))
      }),
    )
}

async function requestOf(sql: string, flags: AskFlags, study: OpenStudy): Promise<JobRequest> {
  const { purpose, sites, epsilon, separate, colluding, hours, stepMinutes } = flags
  const model = modelOf(flags)
  const asked = {
    sql,
    purpose,
    mode: separate === true ? "separate" : "summed",
    hours: timeOf("--hours", hours),
    stepMinutes: timeOf("--step-minutes", stepMinutes),
    ...(model === undefined ? {} : { model }),
    ...(sites === undefined ? {} : { sites: sites.split(",").map((name) => name.trim()) }),
    ...(epsilon === undefined ? {} : { epsilon }),
    ...(colluding === undefined ? {} : { colluding: countOf("--colluding", colluding) }),
  } as const
  return jobRequest(asked, study)
}

/** Writes the model of a job into a file that is not there yet. */
function writeModelOf({ id, result }: LedJob, file: string): void {
  if (result?.model === undefined) return fail("federation/no-model", { job: short(id) })
  if (existsSync(file)) fail("cli/file-exists", { file, elsewhere: "write elsewhere with --out FILE" })
  writeFileSync(file, `${writeModel(result.model)}\n`, { mode: 0o600 })
}

function modelOf({ model, target, rounds }: AskFlags): JobModel | undefined {
  if (model === undefined) {
    return target === undefined
      ? undefined
      : fail("cli/bad-option", { option: "--target", got: target, wanted: "a --model beside it" })
  }
  const kind = jobModels.find((one) => one === model)
  const wanted = `one of ${jobModels.join(", ")}`
  if (kind === undefined) return fail("cli/bad-option", { option: "--model", got: model, wanted })
  if (target === undefined) {
    return fail("cli/bad-option", { option: "--target", got: "nothing", wanted: "a column of the SELECT" })
  }
  const count = countOf("--rounds", rounds)
  if (count < settledFrom) {
    const enough = `at least ${settledFrom}: with fewer a fit has not settled`
    fail("cli/bad-option", { option: "--rounds", got: rounds, wanted: enough })
  }
  return { kind, target, rounds: count }
}

/** With fewer rounds coefficients are off by more than their intervals say. */
const settledFrom = 50

/** What a job's question is called in a line: of a model, what it explains. */
export function aboutText({ sql, model }: Pick<JobDocument, "sql" | "model">): string {
  const line = sql.replaceAll(/\s+/g, " ").trim()
  return model === undefined ? line : `${model.kind} regression of ${safeText(model.target)}: ${line}`
}

function listText(jobs: readonly LedJob[]): string {
  if (jobs.length === 0) return "nothing was asked yet: dosimeter coordinator ask SQL --purpose WORDS\n"
  return tableText([
    ["job", "asked (UTC)", "state", "sites", "question"],
    ...jobs.map(({ id, askedAt, state, document }) => [
      short(id),
      showTime(askedAt),
      progressText(state),
      state.sites.map(({ name, progress }) => `${name}: ${progress}`).join(", "),
      aboutText(document.document).slice(0, 60),
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
  const { sql, model } = document.document
  const fit = model === undefined ? "" : `\n\na ${model.kind} regression of ${safeText(model.target)}, on`
  const head = `job ${short(id)}: ${progressText(state)}${until}${why}${fit}\n\n${sqlText(sql)}\n\n${sites}`
  if (result === undefined) return head
  const { toPublic, toSite, toCoordinator, survivors, loss } = result.receipt
  const table =
    result.model === undefined
      ? showAnswer(result.answer, { intervals: false })
      : showFitted(result.model, numberNear(amountOf(document.document.ask.confidence)))
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

/** How far it is: of a model, how many of its sums were made. */
function progressText({ phase, rounds }: LedJob["state"]): string {
  return rounds.all > 1 && phase === "summing" ? `sum ${rounds.done + 1} of ${rounds.all}` : phase
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
that the sites add together: nobody sees the numbers of one site. A regression is many such sums, one after
the other; each site charges all of them before the first.

Examples:
  dosimeter coordinator ask "SELECT sex, COUNT(*) FROM person GROUP BY sex" --purpose "to plan the trial"
  dosimeter coordinator ask "SELECT age, sex, died FROM person" --model logistic --target died --purpose "..."
  dosimeter coordinator jobs
  dosimeter coordinator job 3f9a02c1`
