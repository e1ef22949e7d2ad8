// `dosimeter init SOURCE`: reads the names and types of a source and proposes a policy for it.

import { anchorSight, discoverSource } from "@dosimeter/engine"
import { packNames } from "@dosimeter/policy/packs/packs"
import { proposePolicy } from "@dosimeter/policy/propose/propose-policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Source } from "@dosimeter/policy/file/policy"
import { Option, type Command } from "commander"
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path"
import { fail } from "../../../errors.ts"
import { adviceFor, adviceText, plannedHelp } from "../show/accounting-advice.ts"
import { anchorWords } from "../show/anchor-words.ts"
import type { Session } from "../session/session.ts"
import { stateFolder } from "../session/state-folder.ts"

interface InitOptions {
  readonly out: string
  readonly dataset?: string
  readonly pack?: string
  readonly unit?: string
  readonly planned?: string
  readonly print?: true
  readonly force?: true
}

/** Adds the command. */
export function addInit(program: Command, session: Session): void {
  program
    .command("init")
    .description("propose a policy for a source; only names and types are read, never a value")
    .argument("<source...>", "a .duckdb file, a folder, or files or patterns of .parquet, .csv or .ndjson")
    .option("--out <file>", "where to write the policy", "dosimeter.yaml")
    .option("--dataset <name>", "the name of the dataset")
    .addOption(new Option("--pack <name>", "the schema that the tables follow").choices(packNames))
    .option("--unit <column>", "the column that holds the id of a person, or row")
    .option("--planned <questions>", plannedHelp)
    .option("--print", "print the policy and write nothing")
    .option("--force", "replace the file if it is there")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter init hospital.duckdb
  dosimeter init "omop/*.parquet" --pack omop-5.4 --out omop.yaml
  dosimeter init exports/ --unit patient_id --print`,
    )
    .action(async (sources: readonly string[], options: InitOptions) => runInit(sources, options, session))
}

async function runInit(sources: readonly string[], options: InitOptions, session: Session): Promise<void> {
  const out = resolve(session.folder, options.out)
  if (options.print !== true && options.force !== true && existsSync(out))
    fail("cli/file-exists", { file: options.out })
  const source = sourceFor(sources, session.folder, dirname(out))
  const facts = await discoverSource(source, dirname(out))
  const dataset = options.dataset ?? datasetName(sources[0] ?? "", session.folder)
  const { pack, unit } = options
  const proposal = proposePolicy(facts, {
    dataset,
    source,
    ...(pack === undefined ? {} : { pack }),
    ...(unit === undefined ? {} : { unit }),
  })
  const policy = readPolicy(session.about(proposal.text, options.out), { facts })
  const { catalog } = policy
  if (options.print === true) return session.out(proposal.text)
  writeFileSync(out, proposal.text)
  const privateTables = catalog.tables.filter(({ unit: own }) => own.kind !== "public").length
  session.out(`wrote ${options.out}
tables: ${facts.tables.length} found, ${privateTables} private and open to questions
decide before anyone asks:
${proposal.decisions.map((decision) => `  - ${decision}`).join("\n")}
${anchorWords(anchorSight(policy, { folder: dirname(out), state: stateFolder(session, options.out) }))}

${adviceText(adviceFor(policy, options.planned), catalog.unitName)}
then run: dosimeter check ${options.out}
`)
}

const endings: readonly (readonly [RegExp, Source["kind"]])[] = [
  [/\.(duckdb|ddb|db)$/i, "duckdb"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(csv|tsv)(\.(gz|zst))?$/i, "csv"],
  [/\.(ndjson|jsonl)(\.(gz|zst))?$/i, "ndjson"],
]

/** The source as the policy will say it: paths are relative to the policy's folder. */
function sourceFor(given: readonly string[], folder: string, policyFolder: string): Source {
  const paths = given.map((path) => (isFolder(resolve(folder, path)) ? patternOf(path, folder) : path))
  const kinds = new Set(paths.map((path) => endings.find(([ending]) => ending.test(path))?.[1]))
  const [kind] = kinds
  const [first = ""] = paths
  if (kind === undefined || kinds.size > 1) return fail("cli/unknown-source", { source: given.join(" ") })
  const moved = paths.map((path) =>
    isAbsolute(path) ? path : relative(policyFolder, resolve(folder, path)).split(sep).join("/"),
  )
  if (kind !== "duckdb") return { kind, globs: moved }
  return paths.length === 1
    ? { kind, file: moved[0] ?? first }
    : fail("cli/unknown-source", { source: given.join(" ") })
}

/** All files of a folder that are of one kind. */
function patternOf(path: string, folder: string): string {
  const names = readdirSync(resolve(folder, path))
  const ending = ["parquet", "csv", "ndjson"].find((one) => names.some((name) => name.endsWith(`.${one}`)))
  return ending === undefined ? path : `${path.replace(/[/\\]+$/, "")}/*.${ending}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** A name from the file, or from the folder that the files are in. */
function datasetName(source: string, folder: string): string {
  const path = resolve(folder, source)
  const named = /[*?]/.test(source) ? dirname(path.replace(/[*?].*$/, "x")) : path
  const plain = basename(named)
    .replace(/\.[^.]*$/, "")
    .replace(/[^A-Za-z0-9_-]/g, "-")
  return /^[A-Za-z]/.test(plain) ? plain.slice(0, 63) : "dataset"
}
