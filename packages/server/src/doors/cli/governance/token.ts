// `dosimeter token`: secrets for programs, with no more rights than their account.

import { Option, type Command } from "commander"
import { fail } from "../../../errors.ts"
import { Accounts } from "../../../people/accounts.ts"
import { rights, type Right } from "../../../people/roles.ts"
import { Tokens, type Token } from "../../../people/tokens.ts"
import { pad, safeText, widthOf } from "../show/layout.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

interface TokenFlags {
  readonly policy: string
  readonly name: string
  readonly rights?: string
  readonly days: string
  readonly json?: true
}

/** Adds the command. */
export function addToken(program: Command, session: Session): void {
  const token = program.command("token").description("look after the tokens of programs")
  const policyOption = ["--policy <file>", "the policy of the dataset", "dosimeter.yaml"] as const
  token
    .command("add <account>")
    .description("make a token; it is shown once")
    .option(...policyOption)
    .requiredOption("--name <name>", "what it is for, such as notebook")
    .option("--rights <rights>", "separated by commas; all of the account's if left out")
    .option("--days <n>", "until it expires, 366 at most", "90")
    .addHelpText(
      "after",
      `
Rights: ${rights.join(", ")}

Examples:
  dosimeter token add ada --name notebook
  dosimeter token add olga --name prometheus --rights operate --days 366
  curl -H "Authorization: Bearer TOKEN" http://localhost:8080/api/v1/budget
  psql "host=localhost port=5433 user=ada+notebook dbname=hospital"    the token is the password`,
    )
    .action(async (account: string, flags: TokenFlags) => {
      const secret = await withState(session, flags.policy, async (store) => {
        const person = await new Accounts(store).find(account)
        if (person === undefined || person.disabledAt !== undefined) {
          return fail("account/unknown", { name: account })
        }
        const wanted = flags.rights === undefined ? {} : { rights: rightsIn(flags.rights) }
        const days = /^\d{1,6}$/.test(flags.days) ? Number(flags.days) : Number.NaN
        const made = await new Tokens(store).add({ name: flags.name, account: person, days, ...wanted })
        return made.secret
      })
      session.out(`${account} has a token ${flags.name}\ntoken  ${secret}\nit is not shown again\n`)
    })
  token
    .command("list")
    .description("list the tokens")
    .option(...policyOption)
    .addOption(new Option("--json", "one JSON object"))
    .action(async (flags: TokenFlags) => {
      const tokens = await withState(session, flags.policy, (store) => new Tokens(store).list())
      session.out(flags.json === true ? `${JSON.stringify(tokens, null, 2)}\n` : tokensText(tokens))
    })
  token
    .command("revoke <id>")
    .description("make a token worthless, at once")
    .option(...policyOption)
    .action(async (id: string, flags: TokenFlags) => {
      await withState(session, flags.policy, (store) => new Tokens(store).revoke(id))
      session.out(`${id} is revoked\n`)
    })
}

function rightsIn(text: string): readonly Right[] {
  return text.split(",").map((word) => {
    const right = rights.find((one) => one === word.trim())
    const wanted = `some of ${rights.join(", ")}`
    return right ?? fail("cli/bad-option", { option: "--rights", got: word.trim(), wanted })
  })
}

function tokensText(tokens: readonly Token[]): string {
  if (tokens.length === 0) return "there are no tokens so far; make one: dosimeter token add --help\n"
  const rows = [
    ["id", "account", "name", "expires", "last used", "rights"],
    ...tokens.map(({ id, account, name, expiresAt, lastUsed, revokedAt, rights: own }) => [
      id,
      safeText(account),
      safeText(name),
      revokedAt === undefined ? expiresAt.slice(0, 10) : "revoked",
      lastUsed ?? "never",
      own.join(", "),
    ]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, "left"))
      .join("  ")
      .trimEnd()
  return `${rows.map(line).join("\n")}\n`
}
