// `dosimeter prepare`: copies of the data in an order in which questions are answered faster.

import { prepareDataset } from "@dosimeter/engine"
import type { Command } from "commander"
import { opening } from "../session/dataset.ts"
import { shortNumber } from "../show/numbers.ts"
import type { Session } from "../session/session.ts"

/** Adds the command. */
export function addPrepare(program: Command, session: Session): void {
  program
    .command("prepare")
    .description(
      "copy the data once in an order that makes questions faster; the first question does it by itself",
    )
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
The copies are kept beside the ledger and belong to one version of the data: run it again when the
data has changed. What was stopped is continued. Nothing is charged.

Examples:
  dosimeter prepare
  dosimeter prepare --policy hospital.yaml`,
    )
    .action(async (flags: { readonly policy: string; readonly json?: true }) => {
      const started = performance.now()
      const { copies, file, bytes } = await opening(session, flags.policy, prepareDataset)
      const seconds = (performance.now() - started) / 1000
      const size = `${shortNumber(bytes / 1e6)} MB`
      if (flags.json === true)
        return session.out(`${JSON.stringify({ copies, file, bytes, seconds }, null, 2)}\n`)
      if (copies.length === 0)
        return session.out("there is nothing to prepare: questions read the data as it is\n")
      const list = copies.map((copy) => `  ${copy}\n`).join("")
      session.out(`${list}${copies.length} copies, ${size}, in ${seconds.toFixed(1)} s: ${file}\n`)
    })
}
