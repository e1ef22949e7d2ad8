// `dosimeter user`: who may connect to the server, and as what.

import type { Command } from "commander"
import { text } from "node:stream/consumers"
import { fail } from "../../../errors.ts"
import { Accounts, type AccountChange, type Person } from "../../../people/accounts.ts"
import { normalId } from "../../../consent/consents.ts"
import { linkParticipant } from "../../../people/participants.ts"
import { makeUpPassword } from "../../../people/password-hash.ts"
import { roleNamed, roles } from "../../../people/roles.ts"
import { coolingDaysOf, setCoolingDays } from "../../../people/separate-people.ts"
import type { StateAccess } from "../../../state/state-store.ts"
import { consentFactsOf } from "./consent.ts"
import { pad, safeText, widthOf } from "../show/layout.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"

interface UserFlags {
  readonly policy: string
  readonly role: string
  readonly passwordStdin?: true
  readonly participant?: string
  readonly json?: true
}

const policyOption = ["--policy <file>", "the policy of the dataset", "dosimeter.yaml"] as const

/** Adds the command. */
export function addUser(program: Command, session: Session): void {
  const user = program.command("user").description("look after the accounts of the server")
  user
    .command("add <name>")
    .description("make an account; its password is made up and shown once, unless one is given")
    .option(...policyOption)
    .option("--role <role>", roles.join(", "), "analyst")
    .option("--password-stdin", "read the password from the input")
    .option("--participant <id>", "whose data it is about: the value of the unit's column; for participants")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter user add ada
  dosimeter user add eve --role auditor
  dosimeter user add pat --role participant --participant 4711
  cat password.txt | dosimeter user add bob --password-stdin`,
    )
    .action(async (name: string, flags: UserFlags) => {
      const role = roleNamed(flags.role)
      const wanted = `one of ${roles.join(", ")}`
      if (role === undefined) return fail("cli/bad-option", { option: "--role", got: flags.role, wanted })
      const participant = await participantIn(flags, session)
      const password = await passwordOf(flags, session)
      await withState(session, flags.policy, async (store) => {
        const also = async (access: StateAccess): Promise<void> => {
          if (participant !== undefined) await linkParticipant(access, name, participant)
        }
        await new Accounts(store).add(name, role, password, { ...originOf(flags), also })
      })
      session.out(`${name} is an account now (${role})\n${madeUp(flags, password)}`)
    })
  user
    .command("password <name>")
    .description("set a new password")
    .option(...policyOption)
    .option("--password-stdin", "read the password from the input")
    .action(async (name: string, flags: UserFlags) => {
      const password = await passwordOf(flags, session)
      await withAccounts(session, flags.policy, (accounts) =>
        accounts.setPassword(name, password, originOf(flags)),
      )
      session.out(`${name} has a new password\n${madeUp(flags, password)}`)
    })
  addLink(user, session)
  addCooling(user, session)
  user
    .command("disable <name>")
    .description("let nobody in by this account any more; its name stays in the record")
    .option(...policyOption)
    .action(async (name: string, flags: UserFlags) => {
      await withAccounts(session, flags.policy, (accounts) => accounts.disable(name))
      session.out(`${name} is disabled\n`)
    })
  user
    .command("list")
    .description("list the accounts")
    .option(...policyOption)
    .option("--json", "one JSON object")
    .action(async (flags: UserFlags) => {
      const people = await withAccounts(session, flags.policy, (accounts) => accounts.list())
      session.out(flags.json === true ? `${JSON.stringify(people, null, 2)}\n` : peopleText(people))
    })
}

function addLink(user: Command, session: Session): void {
  user
    .command("link <name> <id>")
    .description("say whose data a participant's account is about, in place of what was said before")
    .option(...policyOption)
    .action(async (name: string, id: string, flags: UserFlags) => {
      const participant = await unitIdOf(id, flags.policy, session)
      await withAccounts(session, flags.policy, (accounts) => accounts.link(name, participant))
      session.out(`${name} is linked\n`)
    })
}

function addCooling(user: Command, session: Session): void {
  user
    .command("cooling [days]")
    .description(
      "for how many days an account counts as whoever made it, where two people decide; 0 for none",
    )
    .option(...policyOption)
    .action(async (days: string | undefined, flags: UserFlags) => {
      const wanted = "a whole number of days, such as 7"
      if (days !== undefined && !/^\d{1,3}$/.test(days)) {
        fail("cli/bad-option", { option: "DAYS", got: days, wanted })
      }
      await withState(session, flags.policy, async (store) => {
        if (days !== undefined) await setCoolingDays(store, Number(days))
        session.out(`${coolingText(await coolingDaysOf(store))}\n`)
      })
    })
}

function coolingText(days: number): string {
  return days === 0
    ? "an account counts as a person of its own at once: one owner can make two and decide alone"
    : `an account counts as whoever made it, or set its password, for ${days} days`
}

/** Runs something with the accounts that are kept beside a policy. */
async function withAccounts<Result>(
  session: Session,
  policy: string,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  return withState(session, policy, (store) => use(new Accounts(store)))
}

async function participantIn(flags: UserFlags, session: Session): Promise<string | undefined> {
  const { role, participant, policy } = flags
  if ((role === "participant") !== (participant !== undefined)) {
    const wanted = "an id with --role participant, and none without"
    return fail("cli/bad-option", { option: "--participant", got: participant ?? "nothing", wanted })
  }
  if (participant === undefined) return undefined
  return unitIdOf(participant, policy, session)
}

async function unitIdOf(id: string, policy: string, session: Session): Promise<string> {
  const { unitType: type } = await consentFactsOf(session, policy)
  return normalId(id, type) ?? fail("consent/bad-participant", { type })
}

async function passwordOf(flags: UserFlags, { input }: Session): Promise<string> {
  if (flags.passwordStdin !== true) return makeUpPassword()
  const given = input === undefined ? "" : await text(input)
  return given.replace(/\r?\n$/, "")
}

function originOf({ passwordStdin }: UserFlags): AccountChange {
  return { origin: passwordStdin === true ? "chosen" : "made-up" }
}

function madeUp({ passwordStdin }: UserFlags, password: string): string {
  return passwordStdin === true ? "" : `password  ${password}\nit is not shown again\n`
}

function peopleText(people: readonly Person[]): string {
  if (people.length === 0) return "there are no accounts so far; make one: dosimeter user add NAME\n"
  const rows = [
    ["name", "role", "since (UTC)", "state"],
    ...people.map(({ name, role, createdAt, disabledAt }) => [
      safeText(name),
      role,
      createdAt.slice(0, 16).replace("T", " "),
      disabledAt === undefined ? "active" : `disabled ${disabledAt.slice(0, 10)}`,
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))))
  const lines = rows.map((row) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, "left")).join("  "),
  )
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`
}
