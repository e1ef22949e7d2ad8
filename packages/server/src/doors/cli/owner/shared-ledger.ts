// `dosimeter ledger join` and `move`: a machine begins to use a shared ledger; a ledger in a file becomes a
// shared one.

import {
  anchorsOf,
  ledgerFile,
  moveLedger,
  openLedger,
  postgresAddress,
  readWithSource,
  schemaOf,
} from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { Command } from "commander"
import { existsSync, renameSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { moveState } from "../../../state/move-state.ts"
import { openPostgresState } from "../../../state/postgres-state.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import { ledgerPlace, stateFolder } from "../session/state-folder.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"

interface MoveFlags {
  readonly policy: string
  readonly json?: true
}

interface JoinFlags extends MoveFlags {
  readonly head: string
}

/** Adds the commands to `dosimeter ledger`. */
export function addSharedLedger(ledger: Command, session: Session): void {
  ledger
    .command("join")
    .description("let this machine use a shared ledger that it has not seen before")
    .requiredOption("--head <hash>", "what ledger verify shows as head where it is served already")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Each machine remembers how far the ledger had come when it last looked, in its anchor: a database
that was put back to an earlier state is then refused. A machine without an anchor has to be told
by somebody who knows.

Example:
  dosimeter ledger join --store postgres://dosimeter@db.example.org/dosimeter --head 2f8b0485...`,
    )
    .action(async (flags: JoinFlags) => joinLedger(flags, session))
  ledger
    .command("move")
    .description("move ledger and accounts from files beside the policy into a shared store")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Stop the server first. Every entry, every release and every account is copied and checked; the
files are then renamed to end in .moved. What was spent stays spent.

Example:
  dosimeter ledger move --store postgres://dosimeter@db.example.org/dosimeter`,
    )
    .action(async (flags: MoveFlags) => moveAll(flags, session))
}

async function joinLedger({ policy: file, head, json }: JoinFlags, session: Session): Promise<void> {
  const wanted = "64 hexadecimal digits"
  if (!/^[0-9a-f]{64}$/.test(head)) fail("cli/bad-option", { option: "--head", got: head, wanted })
  if (session.store === undefined) fail("cli/no-store", {})
  const policy = await policyIn(session, file)
  const shown = shownPlace(session, file, policy)
  const ledger = await openLedger(policy, { ...ledgerPlace(session, file), join: head })
  try {
    const found = await withProgress(session, () => "reading the ledger", ledger.verify())
    if (!found.sound) return fail("cli/ledger-unsound", { position: `${found.position}`, what: found.what })
    const value = { joined: true, store: shown, entries: Number(found.entries), hash: found.hash }
    const text = `this machine has joined ${shown}: ${found.entries} entries\nhead  ${found.hash}\n`
    return session.out(json === true ? `${JSON.stringify(value, null, 2)}\n` : text)
  } finally {
    await ledger.close()
  }
}

async function moveAll({ policy: file, json }: MoveFlags, session: Session): Promise<void> {
  const { store } = session
  if (store === undefined) return fail("cli/no-store", {})
  const policy = await policyIn(session, file)
  const { dataset } = policy
  const place = ledgerPlace(session, file)
  const from = ledgerFile(place.state, dataset)
  if (!existsSync(from)) fail("cli/no-ledger", { file: filePlace(file, from) })
  const accounts = await moveAccounts(join(place.state, "server.state"), store, dataset)
  const move = moveLedger({ dataset, file: from, anchor: anchorsOf(policy, place), store })
  const found = await withProgress(session, () => "copying the ledger", move)
  if (!found.sound) return fail("cli/ledger-unsound", { position: `${found.position}`, what: found.what })
  const shown = shownPlace(session, file, policy)
  const value = {
    moved: true,
    store: shown,
    entries: Number(found.entries),
    hash: found.hash,
    rows: accounts,
  }
  const rows = `rows of accounts and studies: ${accounts}`
  const text = `${shown} holds the ledger now: ${found.entries} entries; ${rows}\nhead  ${found.hash}\n`
  return session.out(json === true ? `${JSON.stringify(value, null, 2)}\n` : text)
}

/** The state is copied first, since that can be repeated: the ledger decides which of the two is used. */
async function moveAccounts(file: string, url: string, dataset: string): Promise<number> {
  if (!existsSync(file)) return 0
  const source = openSqliteState(file)
  const target = await openPostgresState(url, dataset)
  let count: number
  try {
    count = await moveState(source, target)
  } finally {
    await source.close()
    await target.close()
  }
  for (const end of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${file}.moved${end}`)
  }
  return count
}

/** Reads the policy of a command against its source. */
export async function policyIn(session: Session, file: string): Promise<Policy> {
  return readWithSource(session.read(file), dirname(resolve(session.folder, file)))
}

/** Where the ledger of a policy is, for messages: never with a password. */
export function shownPlace(session: Session, file: string, { dataset }: Policy): string {
  const { store } = session
  if (store === undefined) return filePlace(file, ledgerFile(stateFolder(session, file), dataset))
  return `${postgresAddress(store).place} ${schemaOf(dataset).replaceAll('"', "")}`
}

function filePlace(policy: string, path: string): string {
  return join(dirname(policy), ".dosimeter", basename(path))
}
