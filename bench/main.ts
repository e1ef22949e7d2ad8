// `npm run bench -- SUITE [--quick] [--save]`: runs a suite of benchmarks. Without a suite it lists them.

import { appendFileSync } from "node:fs"
import { cpus } from "node:os"
import { benchAccounting } from "./accounting.bench.ts"
import { benchCompile } from "./compile/compile.bench.ts"
import { benchLedger } from "./ledger/ledger.bench.ts"
import { benchNoise } from "./noise.bench.ts"

interface Suite {
  readonly what: string
  readonly run: (options: { readonly quick: boolean }) => Medians | Promise<Medians>
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
  ["ledger", { what: "durable charges with 1, 8 and 64 callers (about 10 s)", run: benchLedger }],
])
const flags = ["--quick", "--save"]
const history = new URL("history.jsonl", import.meta.url)

async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith("--"))
  const unknown = [
    ...names.filter((name) => !suites.has(name)).map((name) => `There is no suite "${name}".`),
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
    const medians = await suites.get(name)?.run({ quick: args.includes("--quick") })
    if (medians !== undefined && args.includes("--save")) save(name, medians)
  }
}

function usage(): string {
  const list = [...suites].map(([name, { what }]) => `  ${name.padEnd(11)} ${what}`)
  return [
    "Usage: npm run bench -- SUITE [--quick] [--save]",
    ...list,
    "--quick runs 3 rounds in place of 11; --save adds the medians to bench/history.jsonl.",
  ].join("\n")
}

function save(suite: string, medians: Medians): void {
  const machine = `${cpus()[0]?.model ?? "unknown"} x ${cpus().length}`
  const line = { suite, date: new Date().toISOString(), node: process.version, machine, medians }
  appendFileSync(history, `${JSON.stringify(line)}\n`)
  console.log("\nSaved to bench/history.jsonl.")
}

await main(process.argv.slice(2))
