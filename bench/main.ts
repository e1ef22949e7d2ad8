// `npm run bench -- SUITE [--quick] [--save]`: runs a suite of benchmarks. Without a suite it lists them.

import { appendFileSync } from "node:fs"
import { cpus } from "node:os"
import type { Accounting } from "@dosimeter/core"
import { benchAccounting } from "./accounting.bench.ts"
import { benchAccuracy } from "./accuracy/accuracy.bench.ts"
import { benchDatabases } from "./databases/databases.bench.ts"
import { benchCompile } from "./compile/compile.bench.ts"
import { benchFederated } from "./federated/federated.bench.ts"
import { benchLearn } from "./learn/learn.bench.ts"
import { benchLedger } from "./ledger/ledger.bench.ts"
import { benchLocal } from "./local/local.bench.ts"
import { benchNoise } from "./noise.bench.ts"
import { benchCollector } from "./server/collector.bench.ts"
import { benchFleet } from "./server/fleet.bench.ts"
import { benchServer } from "./server/server.bench.ts"
import { benchSynthetic } from "./synthetic/synthetic.bench.ts"
import { benchSql } from "./sql/sql.bench.ts"

interface Suite {
  readonly what: string
  readonly run: (options: SuiteOptions) => Medians | Promise<Medians>
}

interface SuiteOptions {
  readonly quick: boolean
  readonly full: boolean
  readonly json: boolean
  readonly rows?: number
  readonly runs?: number
  readonly only?: string
  readonly data?: string
  readonly accounting?: Accounting
  readonly epsilon?: string
}

type Medians = Readonly<Record<string, number>>

const suites: ReadonlyMap<string, Suite> = new Map([
  [
    "noise",
    { what: "samplers: speed, cost of one draw, timing leak (about 25 s; --quick 12 s)", run: benchNoise },
  ],
  [
    "accounting",
    { what: "accountants: 10,000-fold composition, calibration (about 20 s)", run: benchAccounting },
  ],
  ["compile", { what: "SQL to a proven plan: the fourteen questions (about 10 s)", run: benchCompile }],
  [
    "sql",
    {
      what: "private over plain queries, classes A to R (2 million rows; --full or --rows N)",
      run: benchSql,
    },
  ],
  [
    "databases",
    {
      what: "the same questions in DuckDB, PostgreSQL and Trino (1 million rows; --rows N, --only postgres)",
      run: benchDatabases,
    },
  ],
  [
    "accuracy",
    {
      what: "errors beside the best published method, at the same loss (about 5 minutes; --only TASK)",
      run: benchAccuracy,
    },
  ],
  [
    "server",
    {
      what: "both doors under load, memory over 100,000 requests (about 5 minutes; --quick 1 minute)",
      run: benchServer,
    },
  ],
  [
    "fleet",
    {
      what: "four servers on one shared ledger behind a balancer, and one of them killed (about 3 minutes; --quick 1 minute)",
      run: benchFleet,
    },
  ],
  [
    "collector",
    {
      what: "reports from devices that the collector counts, in a file and in PostgreSQL (about 20 s)",
      run: benchCollector,
    },
  ],
  [
    "ledger",
    {
      what: "durable charges with 1, 8 and 64 callers, in a file and in PostgreSQL (about 20 s)",
      run: benchLedger,
    },
  ],
  [
    "learn",
    {
      what: "learners by epsilon, beside fits without privacy; a network's epoch (about 10 minutes; --data DIR)",
      run: benchLearn,
    },
  ],
  [
    "local",
    {
      what: "the local model: encoding, counting, decoding, errors (about 40 s; --quick 10 s)",
      run: benchLocal,
    },
  ],
  [
    "synthetic",
    {
      what: "synthetic rows beside columns alone and a tree of pairs (about 5 minutes; --quick, --data DIR, --epsilon E)",
      run: benchSynthetic,
    },
  ],
  [
    "federated",
    {
      what: "a site's part of a secure sum and of a regression, 3 to 100 sites; errors beside one trusted party (about 6 minutes; --quick)",
      run: benchFederated,
    },
  ],
])
const flags = ["--quick", "--save", "--full", "--json"]
const valueFlags = ["--rows", "--runs", "--only", "--data", "--accounting", "--epsilon"]
const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const history = new URL("history.jsonl", import.meta.url)

async function main(given: readonly string[]): Promise<void> {
  const values = new Map<string, string>()
  const args = given.filter((arg, place) => {
    const before = given[place - 1] ?? ""
    if (!valueFlags.includes(before)) return !valueFlags.includes(arg)
    values.set(before, arg)
    return false
  })
  const names = args.filter((arg) => !arg.startsWith("--"))
  const numbers = ["--rows", "--runs"].filter((flag) => given.includes(flag))
  const accounting = values.get("--accounting")
  const unknown = [
    ...(accounting === undefined || accountings.some((each) => each === accounting)
      ? []
      : [`--accounting is one of ${accountings.join(", ")}.`]),
    ...names.filter((name) => !suites.has(name)).map((name) => `There is no suite "${name}".`),
    ...numbers.filter((flag) => !(Number(values.get(flag)) > 0)).map((flag) => `${flag} needs a number.`),
    ...args
      .filter((arg) => arg.startsWith("--") && !flags.includes(arg))
      .map((flag) => `There is no ${flag}.`),
  ]
  if (unknown.length > 0 || names.length === 0) {
    console.log([...unknown, usage()].join("\n"))
    process.exitCode = unknown.length > 0 ? 2 : 0
    return
  }
  for (const name of names) {
    const medians = await suites.get(name)?.run(optionsOf(args, values))
    if (medians !== undefined && args.includes("--save")) save(name, medians)
  }
}

function optionsOf(args: readonly string[], values: ReadonlyMap<string, string>): SuiteOptions {
  const [rows, runs, only, data, named, epsilon] = valueFlags.map((flag) => values.get(flag))
  const accounting = accountings.find((each) => each === named)
  return {
    quick: args.includes("--quick"),
    full: args.includes("--full"),
    json: args.includes("--json"),
    ...(rows === undefined ? {} : { rows: Number(rows) }),
    ...(runs === undefined ? {} : { runs: Number(runs) }),
    ...(only === undefined ? {} : { only }),
    ...(data === undefined ? {} : { data }),
    ...(accounting === undefined ? {} : { accounting }),
    ...(epsilon === undefined ? {} : { epsilon }),
  }
}

function usage(): string {
  const list = [...suites].map(([name, { what }]) => `  ${name.padEnd(11)} ${what}`)
  return [
    "Usage: npm run bench -- SUITE [--quick] [--save] [OPTION]...",
    ...list,
    "--quick runs 3 rounds in place of 11; --save adds the medians to bench/history.jsonl.",
    "--full and --rows are for sql: 20 million rows and how cost grows, or another number of rows.",
    "--only TASK, --runs N, --data DIR (real data too), --accounting NAME, --epsilon E and --json are for",
    "accuracy.",
  ].join("\n")
}

function save(suite: string, medians: Medians): void {
  const machine = `${cpus()[0]?.model ?? "unknown"} x ${cpus().length}`
  const line = { suite, date: new Date().toISOString(), node: process.version, machine, medians }
  appendFileSync(history, `${JSON.stringify(line)}\n`)
  console.log("\nSaved to bench/history.jsonl.")
}

await main(process.argv.slice(2))
