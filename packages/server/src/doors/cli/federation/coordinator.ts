// `dosimeter coordinator`: the lead of a study over several sites invites them, sees them and serves them.

import type { Command } from "commander"
import type { Coordinator } from "../../../federation/coordinator/coordinator.ts"
import { invitationDays, type Site } from "../../../federation/coordinator/sites.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import { showTime, tableText } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"
import { addJobCommands } from "./coordinator-jobs.ts"
import { addPoolCommand } from "./coordinator-pool.ts"
import { studyOption, withCoordinator, withJobs, type StudyFlags } from "./open-study.ts"
import { serveCoordinator, type CoordinatorServeFlags } from "./coordinator-serve.ts"

interface InviteFlags extends StudyFlags {
  readonly url?: string
}

/** Adds the command. */
export function addCoordinator(program: Command, session: Session): void {
  const coordinator = program
    .command("coordinator")
    .description("lead a study over several sites: invite them, and carry what they agree to")
  studyOption(
    coordinator.command("invite <site>").description("print an invitation that enrols one site once"),
  )
    .option("--url <https://...>", "where nodes reach this coordinator; kept for the next invitation")
    .addHelpText("after", inviteHelp)
    .action(async (site: string, flags: InviteFlags) =>
      withCoordinator(session, flags, async (own) => {
        const by = "operator"
        const line = await own.invite(site, flags.url === undefined ? { by } : { url: flags.url, by })
        session.out(invitationText(site, line, own))
      }),
    )
  studyOption(
    coordinator.command("sites").description("list the sites, their fingerprints and when they called"),
  )
    .option("--json", "one JSON object")
    .action(async (flags: StudyFlags & { readonly json?: true }) =>
      withCoordinator(session, flags, async (own) => {
        const sites = await own.sites.list()
        session.out(flags.json === true ? `${JSON.stringify({ sites }, null, 2)}\n` : sitesText(sites))
      }),
    )
  studyOption(coordinator.command("expel <site>").description("refuse everything of a site from now on"))
    .requiredOption("--why <reasons>", "the reasons; they are written into the audit trail")
    .action(async (site: string, flags: StudyFlags & { readonly why: string }) =>
      withCoordinator(session, flags, async (own) => {
        await own.sites.expel(site, "operator", flags.why)
        session.out(`the site ${site} takes part no more\n`)
      }),
    )
  studyOption(coordinator.command("serve").description("answer the nodes of the study until it is stopped"))
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--http-port <n>", "the port that nodes reach", "8090")
    .option("--tls-cert <file>", "a certificate in PEM: connections are encrypted, and must be")
    .option("--tls-key <file>", "its key in PEM")
    .option("--behind-proxy", "a proxy before the port encrypts, and says who called")
    .addHelpText("after", serveHelp)
    .action(async (flags: CoordinatorServeFlags) =>
      withJobs(session, flags, async (study) => serveCoordinator(study, flags, session)),
    )
  addJobCommands(coordinator, session)
  addPoolCommand(coordinator, session)
}

function invitationText(site: string, line: string, { signer }: Coordinator): string {
  return `Invitation of the site ${site}, good once, for ${invitationDays} days.
Hand it over by a way that both trust:

${line}

Fingerprint of this coordinator, to be compared by telephone:
  ${fingerprintOf(signer.publicKey)}

At the site:
  dosimeter node join INVITATION
`
}

function sitesText(sites: readonly Site[]): string {
  if (sites.length === 0)
    return "no site was invited yet: dosimeter coordinator invite SITE --url https://...\n"
  return tableText([
    ["site", "state", "invited until", "enrolled", "last call (UTC)", "fingerprint"],
    ...sites.map(({ name, state, invitedUntil, enrolledAt, seenAt, fingerprint }) => [
      name,
      state,
      state === "invited" ? showTime(invitedUntil) : "",
      enrolledAt === undefined ? "" : showTime(enrolledAt),
      seenAt === undefined ? "" : showTime(seenAt),
      fingerprint ?? "",
    ]),
  ])
}

const inviteHelp = `
The invitation names this coordinator's address and key. Its code enrols one key, and never travels.

Examples:
  dosimeter coordinator invite north --url https://study.example.org
  dosimeter coordinator invite south
  dosimeter coordinator sites`

const serveHelp = `
Nodes dial out to this port; nothing is opened at a site. On another address than this machine's the port
needs a certificate, or a proxy before it that has one.

Examples:
  dosimeter coordinator serve
  dosimeter coordinator serve --host 0.0.0.0 --http-port 443 --tls-cert study.crt --tls-key study.key`
