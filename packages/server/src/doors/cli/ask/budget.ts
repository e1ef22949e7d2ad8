// `dosimeter budget`: what is spent and left of the dataset, its studies and its analysts.

import { showParameter } from "@dosimeter/core"
import type { Account, Engine } from "@dosimeter/engine"
import type { Command } from "commander"
import { defaultLosses, roomFor } from "../../../answers/account-value.ts"
import { withDataset } from "../session/dataset.ts"
import type { Session } from "../session/session.ts"
import { budgetJson, budgetLine } from "../show/show-budget.ts"

/** Adds the command. */
export function addBudget(program: Command, session: Session): void {
  program
    .command("budget")
    .description("show what is spent and what is left")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter budget
  dosimeter budget --policy hospital.yaml --json`,
    )
    .action(async (flags: { readonly policy: string; readonly json?: true }) =>
      withDataset(session, flags.policy, async (engine) => {
        const accounts = await engine.ledger.accounts()
        session.out(flags.json === true ? accountsJson(accounts, engine) : await budgetText(engine, session))
      }),
    )
}

/** The budget in words, with a bar for each account. */
export async function budgetText({ policy, ledger }: Engine, session: Session): Promise<string> {
  const accounts = await ledger.accounts()
  const { budget, question } = policy.terms
  const { epsilon, delta, accounting } = budget
  const width = Math.max(...accounts.map(({ name }) => name.length))
  const losses = defaultLosses(policy.terms)
  const lines = accounts.map((account) => {
    const name = account.name.replace(":", " ").padEnd(width)
    const room = roomFor(account, losses)
    const more = room === 0n ? "no room for one" : `room for ${room} of them`
    return `${name}  ${budgetLine(account, more, session.plain)}`
  })
  const promise = `epsilon ${showParameter(epsilon)}, delta ${showParameter(delta)}`
  return `${policy.dataset}: ${promise} for everything ever asked (${accounting})
a default question spends epsilon ${showParameter(question.epsilonDefault)}

${lines.join("\n")}
`
}

function accountsJson(accounts: readonly Account[], { policy }: Engine): string {
  const losses = defaultLosses(policy.terms)
  const value = {
    dataset: policy.dataset,
    accounts: accounts.map((account) => ({
      name: account.name,
      ...budgetJson(account),
      defaultQuestionsLeft: Number(roomFor(account, losses)),
    })),
  }
  return `${JSON.stringify(value, null, 2)}\n`
}
