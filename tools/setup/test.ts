// `npm test` (minutes) and `npm run test:deep` (the long forms), step by step, all steps even when one fails. The
// last line says `N passed, N failed`. Arguments choose steps of either: `npm test -- types unit`.

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { judgeAlpha, showAlpha } from "./alpha-reporter.ts"
import { installChromium } from "./install-chromium.ts"
import { installPostgres, installPsql } from "./install-debian.ts"
import { runLimited, type Ended, type Limited } from "./limited.ts"
import { endOf, hanging, showProgress } from "./show-progress.ts"
import { scratchFolder } from "./scratch-setup.ts"
import { formLimitsMs, longTestLimitMs, pauseLimitMs, stepLimitMs, testLimitMs } from "./time-limits.ts"
import { root, typescriptFiles } from "../rules/repo.ts"
import { typeChecks } from "../rules/types.ts"
import { fetchPostgres, postgresVersions } from "../postgres/fetch-postgres.ts"
import { fetchTrino } from "../trino/fetch-trino.ts"
import { startTrino } from "../trino/trino-server.ts"

interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Step {
  readonly name: string
  readonly run: () => Promise<Count>
}

/** The part of Vitest's JSON report that is used here. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly meta?: { readonly alpha?: number } }[]
  }[]
}

const vitestSteps = ["unit", "tools", "stat", "deep"]
const quickSteps = ["types", "lint", "format", "unit", "tools"]
const deepSteps = ["stat", "deep", "mutants", "browser", "e2e"]
/** Only where they are named: one fetches half a gigabyte, once, and its two processes take four of memory;
    the other runs the same tests against one server after the other. */
const namedSteps = ["trino", "postgres"]
const stepNames = [...quickSteps, ...deepSteps, ...namedSteps]
const none: Count = { passed: 0, failed: 0, skipped: 0 }
const one = (ok: boolean): Count => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })
const fromSources = ["--conditions=source", "--import", "tsx"]
const bin = (name: string): string => join(root, "node_modules/.bin", name)
/** When all that was asked for must have ended. */
let endsAt = Infinity
/** The rates of all statistical checks so far, in Node and in the browser. */
const alphas: number[] = []

async function main(args: readonly string[]): Promise<void> {
  const named = args.filter((name) => name !== "--deep")
  const unknown = named.filter((name) => !stepNames.includes(name))
  if (unknown.length > 0) throw new Error(`no step ${unknown.join(", ")}; there are ${stepNames.join(", ")}`)
  const whole = args.includes("--deep") ? deepSteps : quickSteps
  const chosen = named.length === 0 ? whole : stepNames.filter((name) => named.includes(name))
  const isQuick = chosen.every((name) => quickSteps.includes(name))
  endsAt = performance.now() + formLimitsMs[isQuick ? "quick" : "deep"]
  const counts: Count[] = []
  for (const step of stepsOf(chosen)) {
    console.log(`\n== ${step.name}`)
    const started = performance.now()
    const count = await step.run().catch((error: unknown) => {
      console.error(error) // A step that cannot even start is a failed step; the others still run.
      return one(false)
    })
    counts.push(count)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`-- ${step.name}: ${show(count)} (${seconds} s)`)
  }
  const total = counts.reduce(add, none)
  console.log(`\n${show(total)}`)
  // Not only the code: what is still open in this process must not keep it from ending.
  process.exit(total.failed > 0 || total.passed + total.skipped === 0 ? 1 : 0)
}

function stepsOf(chosen: readonly string[]): readonly Step[] {
  const projects = chosen.filter((name) => vitestSteps.includes(name))
  const steps: readonly (Step & { readonly wanted: boolean })[] = [
    {
      name: "types",
      wanted: chosen.includes("types"),
      run: async () => {
        const counts: Count[] = []
        for (const args of typeChecks()) counts.push(one((await command(bin("tsc"), args)).ok))
        return counts.reduce(add, none)
      },
    },
    {
      name: "lint",
      wanted: chosen.includes("lint"),
      run: async () => one((await command(bin("oxlint"), ["--type-aware", "--deny-warnings"])).ok),
    },
    {
      name: "format",
      wanted: chosen.includes("format"),
      run: async () => one((await command(bin("oxfmt"), ["--check", "."])).ok),
    },
    { name: projects.join(", "), wanted: projects.length > 0, run: () => testsStep(projects) },
    { name: "mutants", wanted: chosen.includes("mutants"), run: mutantsStep },
    { name: "browser", wanted: chosen.includes("browser"), run: () => browserStep("browser") },
    { name: "e2e", wanted: chosen.includes("e2e"), run: () => browserStep("e2e") },
    { name: "trino", wanted: chosen.includes("trino"), run: trinoStep },
    { name: "postgres", wanted: chosen.includes("postgres"), run: postgresStep },
    {
      name: "false alarms",
      wanted: chosen.includes("stat") || chosen.includes("browser"),
      run: () => alphaStep(chosen.includes("stat")),
    },
  ]
  return steps.filter(({ wanted }) => wanted)
}

async function testsStep(projects: readonly string[]): Promise<Count> {
  const usesServers = projects.includes("unit") || projects.includes("deep")
  const problem = usesServers ? installPsql() : undefined
  if (problem !== undefined) console.log(`tests with psql are skipped: ${problem}`)
  const missing = projects.includes("deep") ? installPostgres() : undefined
  if (missing !== undefined) console.log(`tests with a server of PostgreSQL are skipped: ${missing}`)
  return vitest(projects, "test-report")
}

async function mutantsStep(): Promise<Count> {
  let count = none
  const { ok } = await command(process.execPath, [...fromSources, "tools/mutants/run-mutants.ts"], {
    onMessage: (isCaught) => {
      count = add(count, one(isCaught === true))
    },
    progress: () => `${show(count)} so far`,
  })
  // One that was not reported, and a bug that was not caught, end it with a failure.
  return ok || count.failed > 0 ? count : add(count, one(false))
}

async function browserStep(project: "browser" | "e2e"): Promise<Count> {
  const problem = installChromium()
  if (problem === undefined) return vitest([project], `${project}-report`)
  console.log(`skipped: ${problem}`)
  return { passed: 0, failed: 0, skipped: 1 }
}

/** Fetches a Trino if need be, starts it, tests against it, and stops it. */
async function trinoStep(): Promise<Count> {
  const given = process.env["DOSIMETER_TEST_TRINO"] ?? ""
  if (given !== "") return vitest(["trino"], "trino-report")
  const files = await fetchTrino()
  if ("missing" in files) {
    console.log(`skipped: ${files.missing}`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  // Two processes, as in a cluster: what is computed comes from another one than is asked.
  const server = await startTrino(files, { workers: 1 })
  try {
    return await vitest(["trino"], "trino-report", {
      DOSIMETER_TEST_TRINO: server.url,
      DOSIMETER_TEST_TRINO_SECURED: server.securedUrl,
      DOSIMETER_TEST_TRINO_KEYS: server.keys,
    })
  } finally {
    await server.stop()
  }
}

/** The tests that start a server, with one of each version that is served; the oldest of all is refused. */
async function postgresStep(): Promise<Count> {
  let count = none
  for (const one of postgresVersions) {
    const [major = ""] = one.version.split(".")
    const found = await fetchPostgres(one)
    if ("missing" in found) {
      console.log(`PostgreSQL ${major} is skipped: ${found.missing}`)
      count = add(count, { passed: 0, failed: 0, skipped: 1 })
      continue
    }
    console.log(`\n== PostgreSQL ${major}`)
    const env = {
      PATH: `${found.programs}${delimiter}${process.env["PATH"] ?? ""}`,
      DOSIMETER_TEST_POSTGRES_VERSION: major,
    }
    const files = Number(major) < 13 ? ["dataset/postgres/versions"] : testsWithPostgres()
    count = add(count, await vitest(["deep"], `postgres-${major}-report`, env, files))
  }
  return count
}

/** The files of tests that start a server of PostgreSQL. */
function testsWithPostgres(): readonly string[] {
  return typescriptFiles()
    .filter(({ path }) => path.endsWith(".deep.test.ts"))
    .filter(({ text }) => /\/postgres-(?:fixture|cluster|members)\.ts"/.test(text))
    .map(({ path }) => path)
}

/** The suite's own chance of a false alarm, over all of this run. */
async function alphaStep(expected: boolean): Promise<Count> {
  // The browser was skipped, and nothing else was asked for.
  if (alphas.length === 0 && !expected) return none
  const sum = alphas.reduce((total, alpha) => total + alpha, 0)
  const problem = judgeAlpha(sum)
  console.log(
    `false-alarm rate of the whole run: ${showAlpha(sum)}${problem === undefined ? "" : `: ${problem}`}`,
  )
  return one(problem === undefined)
}

async function vitest(
  projects: readonly string[],
  reportName: string,
  env: Readonly<Record<string, string>> = {},
  files: readonly string[] = [],
): Promise<Count> {
  const folder = join(root, "node_modules/.cache/reports")
  const path = join(folder, `${reportName}.json`)
  mkdirSync(folder, { recursive: true })
  rmSync(path, { force: true })
  // Parts of screens are unit tests too; their modules are found as the pages find them.
  const all = projects.includes("unit") ? [...projects, "web"] : projects
  const args = ["run", ...files, ...all.flatMap((project) => ["--project", project])]
  const progress = join(folder, `${reportName}.progress`)
  rmSync(progress, { force: true })
  const testMs = projects.some((name) => ["deep", "trino"].includes(name)) ? longTestLimitMs : testLimitMs
  const watch = new AbortController()
  const { ok, pid, isLate } = await command(bin("vitest"), args, {
    env: { TEST_REPORT: path, TEST_PROGRESS: progress, ...env },
    isOver: hanging(progress, { testMs, pauseMs: pauseLimitMs }, watch.signal),
    progress: () => showProgress(progress),
  })
  watch.abort()
  // A run that was stopped leaves its files, and they may lie in memory.
  if (pid !== undefined) rmSync(scratchFolder(pid), { recursive: true, force: true })
  if (!existsSync(path)) return one(false)
  const report: Report = JSON.parse(readFileSync(path, "utf8"))
  const statistical = report.testResults.filter(({ name }) => name.endsWith(".stat.test.ts"))
  const results = statistical.flatMap(({ assertionResults }) => assertionResults)
  alphas.push(...results.map(({ meta }) => meta?.alpha ?? 0))
  const failedToLoad = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + failedToLoad
  // Vitest can fail as a whole (an unhandled rejection, the false-alarm rate) with every test passed.
  // Where it has passed and only does not end, it has been ended, and the report holds.
  const hasPassed = ok || (isLate && endOf(progress)?.hasPassed === true)
  const asAWhole = !hasPassed && failed === 0 ? 1 : 0
  return { passed: report.numPassedTests, failed: failed + asAWhole, skipped: report.numPendingTests }
}

function command(
  program: string,
  args: readonly string[],
  more: Partial<Pick<Limited, "env" | "isOver" | "onMessage" | "progress">> = {},
): Promise<Ended> {
  const limitMs = Math.max(0, Math.min(stepLimitMs, endsAt - performance.now()))
  return runLimited({ limitMs, ...more, program, args, cwd: root, log: console.log })
}

function add(a: Count, b: Count): Count {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

function show({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

await main(process.argv.slice(2))
