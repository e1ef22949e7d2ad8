// `dosimeter ledger acknowledge` and `rebind`: how people go on with a ledger that is refused. Where there is
// a committee, two accounts decide, as they do about more budget; otherwise the owner's statement is enough.

import type { DosimeterError } from "@dosimeter/core"
import { decisionFor, openPolicyLedger, shareOfBudget, type LedgerDecision } from "@dosimeter/engine"
import type { Command } from "commander"
import { fail } from "../../../errors.ts"
import { Accounts } from "../../../people/accounts.ts"
import {
  hasCommittee,
  ledgerDecisions,
  readShare,
  type DecidedLedger,
  type LedgerDecisions,
  type LedgerRequest,
} from "../../../studies/ledger-decisions.ts"
import type { Actor } from "../../../studies/study-state.ts"
import { actingOptions, showTime, tableText, withActor, type ActingFlags } from "../governance/acting.ts"
import { auditMemory } from "../session/audit-memory.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"
import { policyIn } from "./shared-ledger.ts"
import { ledgerPlace } from "../session/state-folder.ts"

interface DecideFlags {
  readonly policy: string
  readonly reason: string
  readonly as?: string
  readonly by: string
  readonly second?: string
  readonly spent?: string
}

const words: Readonly<Record<LedgerDecision, string>> = {
  acknowledge:
    "go on without a ledger or an anchor that is lost; what counts as spent is stated, or all of it",
  rebind: "let losses mean what the policy says now; what was spent stays spent, or all counts as spent",
}

/** Adds the commands to `dosimeter ledger`. */
export function addLedgerDecisions(ledger: Command, session: Session): void {
  for (const what of ["acknowledge", "rebind"] as const) {
    ledger
      .command(what)
      .description(words[what])
      .requiredOption("--reason <text>", "the reason; it is written into the ledger")
      .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
      .option("--as <name>", "the account that acts, where the house has a committee")
      .option("--by <name>", "who decides, where it has none", "the owner")
      .option("--second <name>", "a second person, who states the same; needed with --spent")
      .option("--spent <share>", "what counts as spent, as a share of the budget such as 40%; else all of it")
      .addHelpText("after", help)
      .action(async (flags: DecideFlags) => decide(what, flags, session))
  }
  for (const decision of ["agree", "refuse"] as const) {
    actingOptions(
      ledger
        .command(`${decision} <request>`)
        .description(`${decision === "agree" ? "agree to" : "refuse"} a decision about the ledger`),
    )
      .requiredOption("--reason <text>", "the reason")
      .action(async (request: string, flags: ActingFlags & { readonly reason: string }) =>
        withDecisions(session, flags, async (decisions, actor) => {
          if (!/^\d{1,9}$/.test(request)) fail("decision/unknown", { id: request.slice(0, 40) })
          const state = await decisions.decide(Number(request), { decision, reasons: flags.reason }, actor)
          session.out(`request ${request} is ${state}\n`)
        }),
      )
  }
  actingOptions(ledger.command("requests").description("list decisions about the ledger")).action(
    async (flags: ActingFlags) =>
      withDecisions(session, flags, async (decisions) => session.out(requestsText(await decisions.list()))),
  )
}

async function decide(what: LedgerDecision, flags: DecideFlags, session: Session): Promise<void> {
  const { policy: file, reason, as: name, spent } = flags
  if (spent !== undefined) readShare(spent)
  if (name === undefined) {
    const isGoverned = await withState(session, file, async (store) =>
      hasCommittee(await new Accounts(store).list()),
    )
    if (isGoverned) fail("decision/two-accounts", {})
    return decideAlone(what, flags, session)
  }
  return withDecisions(session, { policy: file, as: name }, async (decisions, actor, ledger) => {
    checkDecision(what, await ledger.trouble())
    const share = spent === undefined ? {} : { share: spent }
    const { id } = await decisions.request({ ...share, reasons: reason }, actor)
    session.out(
      `decision ${id} waits for one more person: dosimeter ledger agree ${id} --as NAME --reason TEXT\n`,
    )
  })
}

async function decideAlone(what: LedgerDecision, flags: DecideFlags, session: Session): Promise<void> {
  const { policy: file, reason: why, by, second, spent } = flags
  await withHeld(session, file, async (ledger) => {
    checkDecision(what, await ledger.trouble())
    const { budget } = ledger.policy.terms
    const stated = spent === undefined ? {} : { spent: shareOfBudget(budget, readShare(spent)) }
    const people = second === undefined ? [by] : [by, second]
    await ledger.decide({ what, by: people, why, ...stated })
    session.out(`entered into the ledger, with the names of ${people.join(" and ")}\n`)
    const next = await ledger.trouble()
    if (next !== undefined) throw next
  })
}

/** The reason for which a ledger is refused decides which command is the remedy. */
function checkDecision(what: LedgerDecision, trouble: DosimeterError | undefined): void {
  if (trouble === undefined) fail("decision/nothing", {})
  if (trouble !== undefined && decisionFor(trouble) !== what) throw trouble
}

async function withDecisions(
  session: Session,
  flags: ActingFlags,
  use: (decisions: LedgerDecisions, actor: Actor, ledger: DecidedLedger) => Promise<void>,
): Promise<void> {
  await withActor(session, flags, (store, actor) =>
    withHeld(session, flags.policy, (ledger) => use(ledgerDecisions(store, ledger), actor, ledger)),
  )
}

/** Runs something with a ledger that may be refused. */
async function withHeld(
  session: Session,
  file: string,
  use: (ledger: DecidedLedger) => Promise<void>,
): Promise<void> {
  const place = { ...ledgerPlace(session, file), held: true, remembers: auditMemory(session, file) }
  const { ledger, policy, decide: enter } = await openPolicyLedger(await policyIn(session, file), place)
  try {
    await use({ policy, trouble: () => ledger.trouble(), decide: enter })
  } finally {
    await ledger.close()
  }
}

function requestsText(requests: readonly LedgerRequest[]): string {
  if (requests.length === 0) return "nobody has asked for a decision about the ledger\n"
  return tableText([
    ["request", "what", "spent", "state", "by", "at (UTC)", "agreed"],
    ...requests.map(({ id, what, share, state, requestedBy, requestedAt, agreements }) => [
      `${id}`,
      what,
      share === "" ? "all" : share,
      state,
      requestedBy,
      showTime(requestedAt),
      agreements.flatMap(({ name, decision }) => (decision === "agree" ? [name] : [])).join(", "),
    ]),
  ])
}

const help = `
Why a ledger is refused, and what gets over it: dosimeter ledger verify. Where the house has a committee,
give --as NAME; another person then agrees with dosimeter ledger agree. Without --spent all of the
budget counts as spent, and more budget is another decision: dosimeter budget raise.

Examples:
  dosimeter ledger acknowledge --reason "the disk of the server was lost on 3 May"
  dosimeter ledger acknowledge --reason "a restored backup" --by Olga --second Carl --spent 40%
  dosimeter ledger rebind --as olga --reason "the database has moved to another folder"
  dosimeter ledger agree 1 --as carl --reason "I have seen the disk"`
