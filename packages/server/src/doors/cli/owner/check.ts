// `dosimeter check POLICY`: everything that is wrong with a policy, or what it says in plain words.

import { anchorSight, checkWithSource } from "@dosimeter/engine"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Command } from "commander"
import { dirname, resolve } from "node:path"
import { anchorWords } from "../show/anchor-words.ts"
import { noticeOf } from "../show/incident-notice.ts"
import type { Session } from "../session/session.ts"
import { stateFolder } from "../session/state-folder.ts"
import { summarize } from "../show/summarize.ts"

/** Adds the command. */
export function addCheck(program: Command, session: Session): void {
  program
    .command("check")
    .description("say everything that is wrong with a policy, or what it allows")
    .argument("[policy]", "the policy file", "dosimeter.yaml")
    .option("--without-source", "do not open the data; types must then be written in the policy")
    .addHelpText(
      "after",
      `
The data is opened to compare names and types, and what the policy claims of it is looked at, as whenever
it is served: keys, and columns that are never NULL. Nothing is charged, and nothing about anybody is shown.

Examples:
  dosimeter check
  dosimeter check hospital.yaml
  dosimeter check hospital.yaml --without-source`,
    )
    .action(async (file: string, options: { readonly withoutSource?: true }) => {
      const text = session.read(file)
      const folder = dirname(resolve(session.folder, file))
      const policy = options.withoutSource === true ? readPolicy(text) : await checkWithSource(text, folder)
      const place = { folder, state: stateFolder(session, file) }
      session.out(`${summarize(policy)}${anchorWords(anchorSight(policy, place))}\n`)
      if (options.withoutSource !== true) session.out(await noticeOf(session, file, policy))
    })
}
