// `dosimeter init SOURCE`: reads the names and types of a source and proposes a policy for it.

import { anchorSight, discoverSource } from "@dosimeter/engine"
import { packNames } from "@dosimeter/policy/packs/packs"
import { proposePolicy } from "@dosimeter/policy/propose/propose-policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { Option, type Command } from "commander"
import { existsSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { adviceFor, adviceText, plannedHelp } from "../show/accounting-advice.ts"
import { anchorWords } from "../show/anchor-words.ts"
import type { Session } from "../session/session.ts"
import { stateFolder } from "../session/state-folder.ts"
import { datasetName, sourceFor } from "./init-source.ts"

interface InitOptions {
  readonly out: string
  readonly dataset?: string
  readonly pack?: string
  readonly unit?: string
  readonly schema?: readonly string[]
  readonly planned?: string
  readonly print?: true
  readonly force?: true
}

/** Adds the command. */
export function addInit(program: Command, session: Session): void {
  program
    .command("init")
    .description("propose a policy for a source; only names and types are read, never a value")
    .argument(
      "<source...>",
      "a .duckdb file, a folder, files or patterns of .parquet, .csv or .ndjson, or the URL of a PostgreSQL",
    )
    .option("--out <file>", "where to write the policy", "dosimeter.yaml")
    .option("--dataset <name>", "the name of the dataset")
    .addOption(new Option("--pack <name>", "the schema that the tables follow").choices(packNames))
    .option("--unit <column>", "the column that holds the id of a person, or row")
    .option("--schema <name...>", "the schemas of a server whose tables are read; public if left out")
    .option("--planned <questions>", plannedHelp)
    .option("--print", "print the policy and write nothing")
    .option("--force", "replace the file if it is there")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter init hospital.duckdb
  dosimeter init "omop/*.parquet" --pack omop-5.4 --out omop.yaml
  dosimeter init exports/ --unit patient_id --print
  dosimeter init postgres://dosimeter_reader@db.example.org/hospital --schema ehr`,
    )
    .action(async (sources: readonly string[], options: InitOptions) => runInit(sources, options, session))
}

async function runInit(sources: readonly string[], options: InitOptions, session: Session): Promise<void> {
  const out = resolve(session.folder, options.out)
  if (options.print !== true && options.force !== true && existsSync(out))
    fail("cli/file-exists", {
      file: options.out,
      elsewhere: "write elsewhere with --out FILE, look first with --print",
    })
  const source = sourceFor({
    given: sources,
    folder: session.folder,
    policyFolder: dirname(out),
    schemas: options.schema ?? [],
  })
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
