// `dosimeter node peer` and `peers`: the other sites of a study, each with the key that people have compared.

import type { Command } from "commander"
import { knownPeers, knowPeer } from "../../../federation/node/peers.ts"
import { fingerprintOf } from "../../../federation/wire/identity.ts"
import { actingOptions, tableText, withActor, type ActingFlags } from "../governance/acting.ts"
import type { Session } from "../session/session.ts"

/** Adds the commands to `node`. */
export function addPeerCommands(node: Command, session: Session): void {
  actingOptions(node.command("peer <site> <key>").description("take another site's key for known"))
    // One key of 64 begins with a hyphen, and is no option.
    .helpOption("--help", "display help for command")
    .allowUnknownOption()
    .addHelpText("after", help)
    .action(async (name: string, key: string, flags: ActingFlags) =>
      withActor(session, flags, async (store, actor) => {
        await knowPeer(store, { name, key }, actor.name)
        session.out(`the site ${name} is known with the fingerprint ${fingerprintOf(key)}\n`)
      }),
    )
  actingOptions(node.command("peers").description("list the other sites whose keys are known")).action(
    async (flags: ActingFlags) =>
      withActor(session, flags, async (store) => {
        const peers = await knownPeers(store)
        const none = "no other site is known: dosimeter node peer SITE KEY\n"
        const rows = peers.map(({ name, key }) => [name, key, fingerprintOf(key)])
        session.out(peers.length === 0 ? none : tableText([["site", "key", "fingerprint"], ...rows]))
      }),
  )
}

const help = `
Each site tells the others its key (dosimeter node status) by a way that avoids the coordinator.
A job with a site that is not known here is not taken: a coordinator could otherwise name its own.

Examples:
  dosimeter node peer south 1Y0x5b6v8Zk3n0bq3xS2rC9d8aTqWfL0eJmPz7uHkQs --as carl
  dosimeter node peers --as carl`
