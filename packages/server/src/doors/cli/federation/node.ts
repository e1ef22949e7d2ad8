// `dosimeter node`: a site of a study. It joins by an invitation, dials out, and shows its committee
// every job before anything is read.

import type { Command } from "commander"
import { CoordinatorLine } from "../../../federation/node/coordinator-line.ts"
import { lastContact } from "../../../federation/node/dialler.ts"
import { join, leave, membershipOf, type Membership } from "../../../federation/node/membership.ts"
import { fingerprintOf, openKeyFile } from "../../../federation/wire/identity.ts"
import { readInvitation, type Invitation } from "../../../federation/wire/invitation.ts"
import { fail } from "../../../errors.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { confirmed } from "../session/confirm.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"
import { addInboxCommands } from "./node-inbox.ts"
import { keepRoute, nodeKeyFile, routeOf } from "./node-route.ts"
import { addPeerCommands } from "./node-peers.ts"
import { addRunCommand } from "./node-run.ts"
import { addStandingCommands } from "./node-standing.ts"
import { addViewCommands } from "./node-views.ts"

interface NodeFlags {
  readonly policy: string
}

interface JoinFlags extends NodeFlags {
  readonly fingerprint?: string
  readonly proxy?: string
  readonly ca?: string
}

/** Adds the command. */
export function addNode(program: Command, session: Session): void {
  const node = program
    .command("node")
    .description("take part in a study over several sites; dials out only, and asks before every job")
  ofPolicy(node.command("join <invitation>").description("enrol this site's key at the study's coordinator"))
    .option("--fingerprint <f>", "the coordinator's, as its lead has told you; otherwise you are asked")
    .option("--proxy <url>", "a proxy that requests leave the house by; HTTPS_PROXY if left out")
    .option("--ca <file>", "certificate authorities of the house in PEM, trusted besides the usual ones")
    .addHelpText("after", joinHelp)
    .action(async (invitation: string, flags: JoinFlags) => joinStudy(invitation, flags, session))
  ofPolicy(
    node.command("status").description("say which study this node belongs to, and how the line is"),
  ).action(async (flags: NodeFlags) =>
    withState(session, flags.policy, async (store) => {
      session.out(await statusText(store, session, flags.policy))
    }),
  )
  ofPolicy(
    node.command("leave").description("end the membership: nothing is asked for or answered any more"),
  ).action(async (flags: NodeFlags) =>
    withState(session, flags.policy, async (store) => {
      const { study } = await leave(store, "operator")
      session.out(`this node has left the study ${study}; what was charged stays charged\n`)
    }),
  )
  addRunCommand(node, session)
  addInboxCommands(node, session)
  addPeerCommands(node, session)
  addStandingCommands(node, session)
  addViewCommands(node, session)
}

function ofPolicy(command: Command): Command {
  return command.option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
}

async function joinStudy(given: string, flags: JoinFlags, session: Session): Promise<void> {
  const invitation = readInvitation(given)
  const fingerprint = fingerprintOf(invitation.coordinator)
  await withState(session, flags.policy, async (store) => {
    const route = await keepRoute(store, flags, session)
    session.out(`The invitation is of the coordinator at ${invitation.url}
for a site called ${invitation.site}. Its fingerprint:
  ${fingerprint}
`)
    await checkPinned(invitation, flags, session)
    const signer = openKeyFile(nodeKeyFile(session, flags.policy))
    const { url, coordinator, site } = invitation
    const line = new CoordinatorLine({ url, coordinator, site, signer, route: routeOf(route, url) })
    const membership = await join(store, { invitation, signer, line, by: "operator" })
    session.out(joinedText(membership, fingerprintOf(signer.publicKey)))
  })
}

/** Somebody says that the coordinator's fingerprint is right: beforehand, or when asked. */
async function checkPinned(
  { coordinator }: Invitation,
  { fingerprint }: JoinFlags,
  session: Session,
): Promise<void> {
  const invited = fingerprintOf(coordinator)
  if (fingerprint === undefined) {
    const isRight = await confirmed(session, "Has the study's lead told you the same fingerprint?")
    if (!isRight) fail("federation/not-pinned", {})
    return
  }
  if (fingerprint.trim().toLowerCase() !== invited) fail("federation/other-fingerprint", { invited })
}

function joinedText({ study, site }: Membership, own: string): string {
  return `This node belongs to the study ${study} now, as ${site}.
Its own fingerprint, for the lead to compare:
  ${own}

Next:
  dosimeter node status    # this site's key, for the other sites
  dosimeter node run       # dials out, and keeps dialling
  dosimeter node inbox     # jobs that wait for your committee
`
}

async function statusText(store: StateStore, session: Session, policy: string): Promise<string> {
  const membership = await membershipOf(store)
  if (membership === undefined) return fail("federation/not-joined", {})
  const { url, coordinator, site, study, joinedAt } = membership
  const signer = openKeyFile(nodeKeyFile(session, policy))
  const contact = await lastContact(store)
  const line =
    contact === undefined
      ? "not called yet: dosimeter node run"
      : `${contact.trouble ?? "answered"}, ${contact.at.slice(0, 19).replace("T", " ")} UTC`
  return `study        ${study}
site         ${site}, since ${joinedAt.slice(0, 10)}
fingerprint  ${fingerprintOf(signer.publicKey)}
key          ${signer.publicKey}
coordinator  ${url}
             ${fingerprintOf(coordinator)}
last call    ${line}
`
}

const joinHelp = `
Nothing is opened in your firewall: this machine calls the coordinator over HTTPS, and nobody calls it.

Examples:
  dosimeter node join dosimeter-invitation-1.eyJ1cmwi...
  dosimeter node join dosimeter-invitation-1.eyJ1cmwi... --proxy http://proxy.example.org:3128 --ca house-ca.pem`
