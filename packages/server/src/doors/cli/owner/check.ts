// `dosimeter check POLICY`: everything that is wrong with a policy, or what it says in plain words.

import { anchorSight, checkWithSource } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Command } from "commander"
import { dirname, resolve } from "node:path"
import { adviceFor, adviceText, plannedHelp, type PolicyAdvice } from "../show/accounting-advice.ts"
import { anchorWords } from "../show/anchor-words.ts"
import { noticeOf } from "../show/incident-notice.ts"
import type { Session } from "../session/session.ts"
import { stateFolder } from "../session/state-folder.ts"
import { summarize } from "../show/summarize.ts"

interface CheckOptions {
  readonly withoutSource?: true
  readonly planned?: string
  readonly json?: true
}

/** Adds the command. */
export function addCheck(program: Command, session: Session): void {
  program
    .command("check")
    .description("say everything that is wrong with a policy, or what it allows")
    .argument("[policy]", "the policy file", "dosimeter.yaml")
    .option("--planned <questions>", plannedHelp)
    .option("--json", "one JSON object")
    .option("--without-source", "do not open the data; types must then be written in the policy")
    .addHelpText(
      "after",
      `
The data is opened to compare names and types, and what the policy claims of it is looked at, as whenever
it is served: keys, and columns that are never NULL. Nothing is charged, and nothing about anybody is shown.
The last lines tell which accounting suits what is planned: 1, 10 and 100 counts, unless --planned says it.

Examples:
  dosimeter check
  dosimeter check hospital.yaml
  dosimeter check hospital.yaml --planned "20 count, 5 by-group"
  dosimeter check hospital.yaml --without-source`,
    )
    .action(async (file: string, options: CheckOptions) => {
      const text = session.read(file)
      const folder = dirname(resolve(session.folder, file))
      const policy = options.withoutSource === true ? readPolicy(text) : await checkWithSource(text, folder)
      const place = { folder, state: stateFolder(session, file) }
      const advice = adviceFor(policy, options.planned)
      if (options.json === true) return session.out(`${JSON.stringify(checkJson(policy, advice), null, 2)}\n`)
      session.out(`${summarize(policy)}${anchorWords(anchorSight(policy, place))}\n\n`)
      session.out(adviceText(advice, policy.catalog.unitName))
      if (options.withoutSource !== true) session.out(await noticeOf(session, file, policy))
    })
}

function checkJson({ dataset, catalog, grounded }: Policy, advice: PolicyAdvice): object {
  const tables = catalog.tables.map(({ name, unit }) => ({ name, unit: unit.kind }))
  return { dataset, unit: catalog.unitName, agreesWithSource: grounded, tables, advice }
}
