// `npm run demo -- federated`: three hospitals and a coordinator, each a process with files of its own, walk
// through a study: who joins, what is asked, what a committee sees, what comes back, what it has cost.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { heading, wrap } from "../plot.ts"
import { demoHospitals, makeDemoHospital, studyCatalog, truthOf, westView } from "./hospitals.ts"
import { command, freePort, Processes, until } from "./processes.ts"
import { serveStudy, type DemoPeople } from "./serve.ts"

const introduction = `Three hospitals have patients of one trial, and none of them may hand out records. A
  lead asks; each hospital decides, pays from its own budget, and answers at home. Every hospital and the
  coordinator is a process of its own with files of its own, on this machine. The patients are made up, so the
  truth may be shown beside the answer.`

const countSql = `SELECT arm, COUNT(*) AS n, SUM(bled) AS bleeds, AVG(age) AS age
FROM patients GROUP BY arm ORDER BY arm`

/** Where the demo is: the folder of all, and the port of the coordinator. */
interface Study {
  readonly folder: string
  readonly lead: string
  readonly url: string
  readonly processes: Processes
  readonly at: (name: string) => string
}

/** Runs the demo; serves afterwards unless told not to. */
export async function showFederated(options: { readonly serve: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-federated-"))
  const processes = new Processes()
  const port = await freePort(8090)
  const at = (name: string): string => join(folder, name)
  const study: Study = { folder, lead: at("lead"), url: `http://127.0.0.1:${port}`, processes, at }
  try {
    say(heading("A study over three hospitals"), ...wrap(introduction), "", `Everything is in ${folder}`)
    const people = await build(study, port)
    await gather(study)
    const job = await ask(study)
    await decide(study, job)
    await pooled(study, job)
    await fit(study)
    await dropOut(study)
    if (options.serve) await serveStudy({ ...study, people })
    else say("", "npm run demo -- federated   # without --no-serve: the same, and then its screens")
  } finally {
    await processes.stop()
  }
}

async function build({ lead, processes, at }: Study, port: number): Promise<DemoPeople> {
  mkdirSync(lead)
  writeFileSync(join(lead, "study.yaml"), studyCatalog)
  const [, tables = ""] = studyCatalog.split(/^(?=tables:)/m)
  say(
    "",
    heading("1. The lead writes down the study's catalog: tables, and no data"),
    indent(tables.trimEnd()),
  )
  const lena = await command(lead, "user", "add", "lena", "--role", "owner", "--policy", "study.yaml")
  const passwords = new Map<string, string>()
  processes.start("coordinator", lead, "coordinator", "serve", "--http-port", `${port}`)
  for (const hospital of demoHospitals) {
    await makeDemoHospital(at(hospital.name), hospital)
    const carl = await command(at(hospital.name), "user", "add", "carl", "--role", "committee")
    passwords.set(hospital.name, passwordIn(carl))
  }
  return { lead: passwordIn(lena), committee: passwords.get("north") ?? "" }
}

async function gather({ lead, url, processes, at }: Study): Promise<void> {
  say("", heading("2. Each hospital is invited, and joins once the fingerprint was compared"))
  for (const { name } of demoHospitals) {
    const invited = await command(lead, "coordinator", "invite", name, "--url", url)
    const [line = ""] = /dosimeter-invitation-\S+/.exec(invited) ?? []
    const [fingerprint = ""] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(invited) ?? []
    const join = ["node", "join", line, "--fingerprint", fingerprint] as const
    await until("the coordinator answers", async () =>
      command(at(name), ...join).then(
        () => true,
        (error: unknown) => {
          if (!String(error).includes("federation/unreachable")) throw error
          return false
        },
      ),
    )
    if (name === "north") {
      typed("lead", "coordinator invite north --url https://study.example.org")
      typed("north", `node join ${line.slice(0, 40)}... --fingerprint ${fingerprint}`)
    }
  }
  say("  ... and so do south and west. Nobody opens a port: each node calls the coordinator.")
  say("", heading("3. Hospitals tell each other their keys, past the coordinator"))
  for (const { name } of demoHospitals) {
    const [, key = ""] = /key +(\S{43})\n/.exec(await command(at(name), "node", "status")) ?? []
    for (const other of demoHospitals.filter((one) => one.name !== name)) {
      await command(at(other.name), "node", "peer", name, key, "--as", "carl")
    }
    if (name === "north") typed("south", `node peer north ${key} --as carl`)
  }
  say("", heading("4. West keeps other tables, and says once how they become the study's"))
  await command(at("west"), "node", "view", "add", "patients", westView, "--as", "carl")
  typed("west", `node view add patients "${westView.replaceAll("\n", "\n    ")}" --as carl`)
  for (const { name } of demoHospitals) processes.start(name, at(name), "node", "run")
}

async function ask({ lead, at }: Study): Promise<string> {
  say("", heading("5. The lead asks"))
  const purpose = "to see whether the new drug bleeds less"
  const said = await command(lead, "coordinator", "ask", countSql, "--purpose", purpose)
  typed("lead", `coordinator ask "${countSql.replaceAll("\n", "\n    ")}" \\\n    --purpose "${purpose}"`)
  say(indent(said.trimEnd()))
  const job = jobIn(said)
  await offered(at, job)
  return job
}

/** Waits until every hospital has a job in its inbox. */
async function offered(at: Study["at"], job: string): Promise<void> {
  await until("all hospitals have the job", async () => {
    const lists = await Promise.all(
      demoHospitals.map(({ name }) => command(at(name), "node", "inbox", "--as", "carl")),
    )
    return lists.every((list) => list.includes(job))
  })
}

/** Every committee agrees. */
async function approved(at: Study["at"], job: string): Promise<void> {
  for (const { name } of demoHospitals)
    await command(at(name), "node", "approve", job, "--as", "carl", "--yes")
}

async function decide({ at }: Study, job: string): Promise<void> {
  say("", heading("6. What a committee reads before it decides, here at west"))
  typed("west", `node inbox ${job} --as carl`)
  const shown = await command(at("west"), "node", "inbox", job, "--as", "carl")
  say(
    ...shown
      .trimEnd()
      .split("\n")
      .flatMap((line) =>
        line.startsWith("- ") ? wrap(line, 92).map((part) => indent(part)) : [indent(line)],
      ),
  )
  await approved(at, job)
  say("", "  Three times: dosimeter node approve JOB --as carl")
}

async function pooled({ lead, folder, at }: Study, job: string): Promise<void> {
  await until("the job is answered", async () =>
    /answered|failed/.test(await command(lead, "coordinator", "job", job)),
  )
  say("", heading("7. The pooled answer: the coordinator has seen the sum, and no hospital's numbers"))
  typed("lead", `coordinator job ${job}`)
  say(indent((await command(lead, "coordinator", "job", job)).trimEnd()))
  const truth = await truthOf(folder, countSql)
  const rows = truth.map((row) => row.map((value) => (typeof value === "number" ? +value.toFixed(2) : value)))
  say(
    "",
    `  The truth, from made-up records that nobody has pooled: ${rows.map((row) => row.join(" ")).join("; ")}`,
  )
  say("", heading("8. What it has cost: each hospital's own ledger"))
  for (const { name } of demoHospitals) {
    await until(`${name} has settled`, async () => (await command(at(name), "receipts")).includes("released"))
    const [line = ""] = /^dataset.*$/m.exec(await command(at(name), "budget")) ?? []
    say(`  ${name.padEnd(6)} ${line}`)
  }
}

const fitSql = "SELECT age, sex, arm, bled = 1 AS bled FROM patients"

async function fit({ lead, at }: Study): Promise<void> {
  say(
    "",
    heading("9. A regression: many sums, one after the other"),
    ...wrap(`Each hospital is charged for all of them before the first. What each one asks for follows from
      the sums before it, and every hospital works that out by itself.`),
    "",
  )
  const purpose = "to see whether the new drug bleeds less at any age"
  const flags = ["--model", "logistic", "--target", "bled", "--rounds", "50", "--epsilon", "2"] as const
  typed("lead", `coordinator ask "${fitSql}" \\\n    ${flags.join(" ")} \\\n    --purpose "${purpose}"`)
  const job = jobIn(await command(lead, "coordinator", "ask", fitSql, "--purpose", purpose, ...flags))
  await offered(at, job)
  await approved(at, job)
  // Looking less often leaves the machine to the sites.
  await until(
    "the regression is fitted",
    async () => /: (answered|failed)/.test(await command(lead, "coordinator", "job", job)),
    1000,
  )
  typed("lead", `coordinator job ${job}`)
  say(indent((await command(lead, "coordinator", "job", job)).trimEnd()))
}

const armSql = "SELECT arm, COUNT(*) AS n, SUM(bled) AS bleeds FROM patients GROUP BY arm"

async function dropOut({ lead, at, processes }: Study): Promise<void> {
  say(
    "",
    heading("10. A meta-analysis, and a hospital that drops out"),
    ...wrap(`A sum over three needs all three; from four on, one may drop out. Asked with --separate, each
      hospital adds all of the noise and answers by itself. West agrees, and then its power fails.`),
    "",
  )
  const purpose = "to compare hospitals"
  const flags = ["--separate", "--epsilon", "2", "--hours", "0.006"] as const
  typed("lead", `coordinator ask "${armSql}" \\\n    --purpose "${purpose}" ${flags.join(" ")}`)
  const said = await command(lead, "coordinator", "ask", armSql, "--purpose", purpose, ...flags)
  const job = jobIn(said)
  await offered(at, job)
  await processes.kill("west")
  await approved(at, job)
  await until("the others are answered", async () =>
    /answered|failed/.test(await command(lead, "coordinator", "job", job)),
  )
  const shown = await command(lead, "coordinator", "job", job)
  const [, sites = ""] = /\n\n(site +state[\s\S]*?)\n\n/.exec(shown) ?? []
  say(indent(sites), "")
  const groups = [
    "--events",
    "bleeds",
    "--count",
    "n",
    "--by",
    "arm",
    "--first",
    "new",
    "--second",
    "old",
  ] as const
  typed("lead", `coordinator pool ${job} --measure odds-ratio ${groups.join(" ")}`)
  const forest = await command(lead, "coordinator", "pool", job, "--measure", "odds-ratio", ...groups)
  say(...forest.trimEnd().split("\n").map(indent))
}

function jobIn(said: string): string {
  return /job ([0-9a-f]{12}) is offered/.exec(said)?.[1] ?? ""
}

function passwordIn(said: string): string {
  return /password +(\S+)/.exec(said)?.[1] ?? ""
}

function typed(who: string, line: string): void {
  say(`  ${who}$ dosimeter ${line}`)
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ")
}

function say(...lines: readonly string[]): void {
  console.log(lines.join("\n"))
}
