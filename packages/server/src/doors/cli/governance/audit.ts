// `dosimeter audit`: who did what, searched, written out, and checked.

import { csvText } from "@dosimeter/answers/shown/csv-text"
import { Option, type Command } from "commander"
import { fail } from "../../../errors.ts"
import { searchAudit, verifyAudit, type AuditEntry, type AuditSearch } from "../../../audit/audit.ts"
import { auditHead, compareHead } from "../../../audit/audit-anchor.ts"
import { showTime, tableText } from "./acting.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

interface AuditFlags {
  readonly policy: string
  readonly who?: string
  readonly what?: string
  readonly about?: string
  readonly from?: string
  readonly to?: string
  readonly json?: true
  readonly csv?: true
}

const pageSize = 1000

/** Adds the command. */
export function addAudit(program: Command, session: Session): void {
  const audit = program
    .command("audit")
    .description("show who did what: questions, decisions, accounts, studies")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--who <name>", "by this account")
    .option("--what <deed>", "such as question-asked or study-reviewed")
    .option("--about <thing>", 'such as "study heart" or "account ada"')
    .option("--from <time>", "from this day or time (UTC) on")
    .option("--to <time>", "before this day or time (UTC)")
    .option("--json", "one JSON object a line")
    .addOption(new Option("--csv", "comma-separated values").conflicts("json"))
    .addHelpText("after", help)
    .action(async (flags: AuditFlags) =>
      withState(session, flags.policy, async (store) => {
        if (flags.csv === true)
          session.out(csvLine(["position", "at", "who", "what", "about", "facts", "hash"]))
        const shown: AuditEntry[] = []
        for (let after = 0; ;) {
          const page = await searchAudit(store, { ...searchOf(flags), after, limit: pageSize })
          for (const entry of page) write(entry, flags, { session, shown })
          after = page.at(-1)?.position ?? after
          if (page.length < pageSize) break
        }
        if (flags.json !== true && flags.csv !== true) session.out(entriesText(shown))
      }),
    )
  audit
    .command("verify")
    .description("check that no entry was changed, removed or put in")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--head <head>", "a head that was written down earlier: POSITION:HASH")
    .action(async ({ policy, head }: { readonly policy: string; readonly head?: string }) =>
      withState(session, policy, async (store) => {
        const wrong =
          (await verifyAudit(store)) ?? (head === undefined ? undefined : await compareHead(store, head))
        if (wrong !== undefined) fail("audit/unsound", { position: `${wrong}` })
        const { position, hash } = await auditHead(store)
        session.out(`all ${position} entries are sound\nhead  ${position}:${hash}\n`)
      }),
    )
}

function searchOf({ who, what, about, from, to }: AuditFlags): AuditSearch {
  return {
    ...(who === undefined ? {} : { who }),
    ...(what === undefined ? {} : { what }),
    ...(about === undefined ? {} : { about }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

function write(
  entry: AuditEntry,
  flags: AuditFlags,
  { session, shown }: { readonly session: Session; readonly shown: AuditEntry[] },
): void {
  const { position, at, who, what, about, facts, hash } = entry
  if (flags.json === true) session.out(`${JSON.stringify(entry)}\n`)
  else if (flags.csv === true) {
    session.out(csvLine([`${position}`, at, who, what, about, JSON.stringify(facts), hash]))
  } else shown.push(entry)
}

function entriesText(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return "nothing of the kind was done\n"
  return tableText([
    ["entry", "at (UTC)", "who", "what", "about", "facts"],
    ...entries.map(({ position, at, who, what, about, facts }) => [
      `${position}`,
      showTime(at),
      who,
      what,
      about,
      Object.entries(facts)
        .map(([name, value]) => `${name} ${value.length > 40 ? `${value.slice(0, 16)}…` : value}`)
        .join(", "),
    ]),
  ])
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvText).join(",")}\r\n`
}

const help = `
Examples:
  dosimeter audit --who ada --from 2026-03-01
  dosimeter audit --what question-asked --about "study heart" --csv > questions.csv
  dosimeter audit verify
  dosimeter audit verify --head 812:5f0c...   a head that was written down elsewhere`
