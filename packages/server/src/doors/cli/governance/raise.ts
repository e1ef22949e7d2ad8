// `dosimeter budget raise` and what follows: more budget, when two people agree.

import { readWithSource } from "@dosimeter/engine"
import type { Command } from "commander"
import { dirname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import {
  accountOf,
  budgetRaises,
  type BudgetRaises,
  type BudgetRequest,
} from "../../../studies/budget-raises.ts"
import type { Actor } from "../../../studies/study-state.ts"
import { actingOptions, showTime, tableText, withActor, type ActingFlags } from "./acting.ts"
import { withLedger } from "./airlock.ts"
import type { Session } from "../session/session.ts"

interface RaiseFlags extends ActingFlags {
  readonly epsilon: string
  readonly delta: string
  readonly why: string
  readonly json?: true
}

/** Adds the commands to `budget`. */
export function addRaise(program: Command, session: Session): void {
  const budget = program.commands.find((command) => command.name() === "budget") ?? program.command("budget")
  actingOptions(budget.command("raise <account>").description("ask for more budget; two people must agree"))
    .requiredOption("--epsilon <e>", "what it shall have in all")
    .requiredOption("--delta <d>", "the same of delta")
    .requiredOption("--why <reasons>", "the reasons; they are written into the ledger")
    .addHelpText("after", help)
    .action(async (account: string, flags: RaiseFlags) =>
      withRaises(session, flags, async (raises, actor) => {
        const { epsilon, delta, why: reasons } = flags
        const proposal = { account: accountOf(account.replace(" ", ":")), epsilon, delta, reasons }
        const { id, agreements } = await raises.request(proposal, actor)
        const more = agreements.length === 0 ? "two people" : "one more person"
        session.out(`request ${id} waits for ${more}: dosimeter budget agree ${id} --as NAME --why REASONS\n`)
      }),
    )
  for (const decision of ["agree", "refuse"] as const) {
    const words = {
      agree: "agree to more budget; the second who does grants it",
      refuse: "refuse more budget",
    }
    actingOptions(budget.command(`${decision} <request>`).description(words[decision]))
      .requiredOption("--why <reasons>", "the reasons")
      .action(async (request: string, flags: RaiseFlags) =>
        withRaises(session, flags, async (raises, actor) => {
          if (!/^\d{1,9}$/.test(request)) fail("raise/unknown", { id: request.slice(0, 40) })
          const state = await raises.decide(Number(request), { decision, reasons: flags.why }, actor)
          session.out(
            `request ${request} ${state === "open" ? "waits for one more person" : `is ${state}`}\n`,
          )
        }),
      )
  }
  actingOptions(budget.command("requests").description("list requests for more budget"))
    .option("--json", "one JSON object")
    .action(async (flags: RaiseFlags) =>
      withRaises(session, flags, async (raises) => {
        const found = await raises.list()
        session.out(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : requestsText(found))
      }),
    )
}

async function withRaises(
  session: Session,
  flags: ActingFlags,
  use: (raises: BudgetRaises, actor: Actor) => Promise<void>,
): Promise<void> {
  const folder = dirname(resolve(session.folder, flags.policy))
  const policy = await readWithSource(session.read(flags.policy), folder)
  await withActor(session, flags, (store, actor) =>
    withLedger(session, flags.policy, (ledger) => use(budgetRaises({ store, ledger, policy }), actor)),
  )
}

function requestsText(requests: readonly BudgetRequest[]): string {
  if (requests.length === 0) return "nobody has asked for more budget\n"
  return tableText([
    ["request", "account", "epsilon", "delta", "state", "by", "at (UTC)", "agreed"],
    ...requests.map(({ id, account, epsilon, delta, state, requestedBy, requestedAt, agreements }) => [
      `${id}`,
      account.replace(":", " "),
      epsilon,
      delta,
      state,
      requestedBy,
      showTime(requestedAt),
      agreements.flatMap(({ name, decision }) => (decision === "agree" ? [name] : [])).join(", "),
    ]),
  ])
}

const help = `
An account is dataset, study:NAME or analyst:NAME. Owner and committee agree: two of them, one at
least of the committee, none of the study. Where the policy names the account, it must say the same
amount: let the owner change it first, then ask.

Examples:
  dosimeter budget raise study:heart --epsilon 3 --delta 1e-9 --as ada --why "a second year of data"
  dosimeter budget agree 1 --as carl --why "the results were worth it"
  dosimeter budget requests --as carl`
