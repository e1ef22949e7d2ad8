// `dosimeter ledger`: `verify` reads the whole ledger again, every hash and every rule.

import { anchorSight, ledgerFile, openLedger } from "@dosimeter/engine"
import type { Command } from "commander"
import { existsSync } from "node:fs"
import { fail } from "../../../errors.ts"
import { ledgerPlace, stateFolder } from "../session/state-folder.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"
import { anchorWords } from "../show/anchor-words.ts"
import { addLedgerDecisions } from "./ledger-decisions.ts"
import { addSharedLedger, policyIn, shownPlace } from "./shared-ledger.ts"

interface VerifyFlags {
  readonly policy: string
  readonly json?: true
}

/** Adds the command. */
export function addLedger(program: Command, session: Session): void {
  const ledger = program.command("ledger").description("look after the ledger")
  ledger
    .command("verify")
    .description("check every entry, every hash and the anchor; exit code 0 if all is sound, 4 if not")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter ledger verify
  dosimeter ledger verify --policy hospital.yaml && echo sound`,
    )
    .action(async (flags: VerifyFlags) => verifyLedger(flags, session))
  addLedgerDecisions(ledger, session)
  addSharedLedger(ledger, session)
}

async function verifyLedger({ policy: file, json }: VerifyFlags, session: Session): Promise<void> {
  const policy = await policyIn(session, file)
  const shown = shownPlace(session, file, policy)
  if (session.store === undefined && !existsSync(ledgerFile(stateFolder(session, file), policy.dataset))) {
    fail("cli/no-ledger", { file: shown })
  }
  const ledger = await openLedger(policy, ledgerPlace(session, file))
  try {
    const found = await withProgress(session, () => "reading the ledger", ledger.verify())
    if (!found.sound) fail("cli/ledger-unsound", { position: `${found.position}`, what: found.what })
    const { entries, hash, epoch } = found
    const anchor = anchorSight(policy, ledgerPlace(session, file))
    const value = { sound: true, file: shown, entries: Number(entries), hash, epoch: Number(epoch), anchor }
    session.out(
      json === true
        ? `${JSON.stringify(value, null, 2)}\n`
        : `${shown} is sound: ${entries} entries, each with the hash of all before it\nhead  ${hash}\n${anchorWords(anchor)}\n`,
    )
  } finally {
    await ledger.close()
  }
}
