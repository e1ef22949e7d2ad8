// `dosimeter risk FILE`: whether people can be found in a table. The owner's own command: its figures are
// exact, and nothing is charged for them.

import { measureRisk, type RiskOptions } from "@dosimeter/engine/risk"
import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import { Option, type Command } from "commander"
import { existsSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { riskPage } from "../../../risk/risk-page.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"
import { showRisk } from "../show/show-risk.ts"
import { sourceFor } from "./init-source.ts"

interface RiskFlags {
  readonly policy?: string
  readonly table?: string
  readonly quasi?: string
  readonly sensitive?: string
  readonly person?: string
  readonly link?: string
  readonly on?: string
  readonly fact?: string
  readonly k: string
  readonly epsilon: string
  readonly targets: string
  readonly rows: string
  readonly memory?: string
  readonly attacks: boolean
  readonly html?: string
  readonly language: "en" | "zh"
  readonly force?: true
  readonly json?: true
}

/** Adds the command. */
export function addRisk(program: Command, session: Session): void {
  program
    .command("risk")
    .description("see whether people can be found in a table; exact, for the owner alone")
    .argument(
      "[file]",
      "a .csv, .parquet, .ndjson or .duckdb file; or take a table of a policy's data: --policy",
    )
    .option("--policy <file>", "look at the data of a policy")
    .option("--table <name>", "the table, where there are several")
    .option("--quasi <columns>", "what outsiders could know, with commas between; suggested if left out")
    .option("--sensitive <columns>", "what nobody should learn, with commas between; suggested if left out")
    .option("--person <column>", "whose a row is, where people have several rows")
    .option("--link <file>", "a second file, such as a register, and what it adds")
    .option("--on <pairs>", "columns of the second file that have other names: age=years,zip=postcode")
    .option("--fact <column=value>", "what the attacks are to find out")
    .option("--k <people>", "the crowd that coarser columns should give everybody", "11")
    .option("--epsilon <e>", "the loss of Dosimeter's answers that are attacked", "1")
    .option("--targets <people>", "how many people are attacked", "100")
    .option("--no-attacks", "leave the attacks out")
    .option("--rows <n>", "show so many single people about whom something is certain", "0")
    .option("--memory <mb>", "the most memory for the database, in megabytes")
    .option("--html <file>", "write the report as a page with pictures")
    .addOption(
      new Option("--language <language>", "the language of that page").choices(["en", "zh"]).default("en"),
    )
    .option("--force", "replace the page if it is there")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
The report is exact and not private: keep it as carefully as the data. Nothing is charged, and the dataset's
ledger is not touched: what is attacked is a copy, on a ledger in memory.

Examples:
  dosimeter risk patients.csv --quasi age,sex,zip --sensitive diagnosis
  dosimeter risk patients.csv --quasi age,sex,zip --sensitive diagnosis --html risk.html
  dosimeter risk patients.csv --quasi age,zip --link voters.csv --on age=years
  dosimeter risk stays.parquet --person patient_id --fact diagnosis=HIV
  dosimeter risk --policy dosimeter.yaml --table person`,
    )
    .action(async (file: string | undefined, flags: RiskFlags) => runRisk(file, flags, session))
}

async function runRisk(file: string | undefined, flags: RiskFlags, session: Session): Promise<void> {
  const { html, force } = flags
  const page = html === undefined ? undefined : resolve(session.folder, html)
  if (page !== undefined && force !== true && existsSync(page)) {
    fail("cli/file-exists", { file: html ?? "", elsewhere: "write elsewhere with --html FILE" })
  }
  let what = "opening the data"
  const options: RiskOptions = {
    ...placeOf(file, flags, session),
    ...wishes(flags, session),
    onProgress: (next) => {
      what = next
    },
  }
  const report = await withProgress(session, () => what, measureRisk(options))
  if (page !== undefined) writeFileSync(page, riskPage(report, flags.language), { mode: 0o600 })
  if (flags.json === true) return session.out(`${JSON.stringify(report, null, 2)}\n`)
  session.out(showRisk(report, session.plain))
  if (html !== undefined) session.out(`\nwrote ${html}\n`)
}

function placeOf(
  file: string | undefined,
  { policy, table }: RiskFlags,
  session: Session,
): Pick<RiskOptions, "source" | "folder" | "table"> {
  if ((file === undefined) === (policy === undefined)) {
    fail("cli/usage", { what: "give either a file, or the policy whose data is looked at: --policy FILE" })
  }
  if (file !== undefined) mustBeThere(file, session)
  const own = table === undefined ? {} : { table }
  if (policy !== undefined) {
    const text = session.read(policy)
    const { source } = readOpening(text) ?? readPolicy(text)
    return { source, folder: dirname(resolve(session.folder, policy)), ...own }
  }
  const { folder } = session
  return {
    source: sourceFor({ given: [file ?? ""], folder, policyFolder: folder, schemas: [] }),
    folder,
    ...own,
  }
}

/** A path without stars is that of a file. */
function mustBeThere(file: string, { folder }: Session): void {
  const isPattern = /[*?[{]|:\/\//.test(file)
  if (!isPattern && !existsSync(resolve(folder, file))) fail("cli/no-file", { file })
}

function wishes(flags: RiskFlags, session: Session): Partial<RiskOptions> {
  const { quasi, sensitive, person, link, on, fact, attacks, memory } = flags
  const { folder } = session
  if (link !== undefined) mustBeThere(link, session)
  else if (on !== undefined) {
    fail("cli/usage", { what: "--on pairs columns of a second file, which is named with --link FILE" })
  }
  return {
    ...(quasi === undefined ? {} : { quasi: listOf(quasi) }),
    ...(sensitive === undefined ? {} : { sensitive: listOf(sensitive) }),
    ...(person === undefined ? {} : { person }),
    ...(link === undefined
      ? {}
      : {
          link: {
            source: sourceFor({ given: [link], folder, policyFolder: folder, schemas: [] }),
            folder,
            on: Object.fromEntries(listOf(on ?? "").map((pair) => pairOf(pair, "--on", "OURS=THEIRS"))),
          },
        }),
    ...(fact === undefined ? {} : { fact: factOf(fact) }),
    attacks,
    k: numberIn(flags.k, "--k", { least: 2, most: 1_000_000, whole: true }),
    epsilon: numberIn(flags.epsilon, "--epsilon", { least: 0.01, most: 100, whole: false }),
    targets: numberIn(flags.targets, "--targets", { least: 2, most: 2000, whole: true }),
    rows: numberIn(flags.rows, "--rows", { least: 0, most: 1000, whole: true }),
    ...(memory === undefined
      ? {}
      : {
          limits: { memoryMb: numberIn(memory, "--memory", { least: 100, most: 10_000_000, whole: true }) },
        }),
  }
}

function listOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

function pairOf(text: string, option: string, wanted: string): readonly [string, string] {
  const at = text.indexOf("=")
  if (at < 1) fail("cli/bad-option", { option, got: text, wanted })
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function factOf(text: string): { readonly column: string; readonly value: string } {
  const [column, value] = pairOf(text, "--fact", "COLUMN=VALUE")
  return { column, value }
}

interface Limits {
  readonly least: number
  readonly most: number
  readonly whole: boolean
}

function numberIn(text: string, option: string, { least, most, whole }: Limits): number {
  const value = Number(text)
  const fits = text.trim() !== "" && value >= least && value <= most && (!whole || Number.isInteger(value))
  return fits
    ? value
    : fail("cli/bad-option", {
        option,
        got: text,
        wanted: `${whole ? "a whole number" : "a number"} of ${least} to ${most}`,
      })
}
