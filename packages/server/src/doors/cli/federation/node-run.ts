// `dosimeter node run`: the dataset is opened, and the node dials its coordinator until it is stopped.

import { usualFloor, type JobFloor } from "@dosimeter/engine"
import type { Command } from "commander"
import { CoordinatorLine } from "../../../federation/node/coordinator-line.ts"
import { Dialler } from "../../../federation/node/dialler.ts"
import { holdsStill, membershipOf } from "../../../federation/node/membership.ts"
import { viewsOf } from "../../../federation/node/node-views.ts"
import { knownPeers } from "../../../federation/node/peers.ts"
import { NodeWork } from "../../../federation/node/work.ts"
import { openKeyFile } from "../../../federation/wire/identity.ts"
import { fail } from "../../../errors.ts"
import { withDataset } from "../session/dataset.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"
import { countOf } from "./count-of.ts"
import { nodeKeyFile, routeOfNode } from "./node-route.ts"

interface RunFlags {
  readonly policy: string
  readonly leastSites: string
  readonly leastHonest: string
  readonly leastColluding: string
}

/** Adds the command to `node`. */
export function addRunCommand(node: Command, session: Session): void {
  node
    .command("run")
    .description("dial the coordinator, and take part in what the house approves, until it is stopped")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--least-sites <n>", "refuse sums of fewer sites", `${usualFloor.sites}`)
    .option(
      "--least-honest <n>",
      "refuse sums whose noise counts on fewer honest sites",
      `${usualFloor.honest}`,
    )
    .option(
      "--least-colluding <n>",
      "refuse sums that hold against fewer in league",
      `${usualFloor.colluding}`,
    )
    .addHelpText("after", runHelp)
    .action(async (flags: RunFlags) => {
      const { policy } = flags
      const floor = floorOf(flags)
      await withState(session, policy, async (store) => {
        const membership = (await membershipOf(store)) ?? fail("federation/not-joined", {})
        const { url, coordinator, study, site: name } = membership
        const signer = openKeyFile(nodeKeyFile(session, policy))
        const route = await routeOfNode(store, url)
        await withDataset(session, policy, async (engine) => {
          let known = await knownPeers(store)
          let views = await viewsOf(store)
          const site = await engine.site({
            name,
            signer,
            coordinator,
            study,
            peers: () => known,
            views: () => views,
            floor,
          })
          const note = (line: string): void => session.note(`${line}\n`)
          const work = new NodeWork({ store, site, note })
          const line = new CoordinatorLine({ url, coordinator, site: name, signer, route })
          session.out(`The site ${name} of the study ${membership.study} dials ${url}\n`)
          const left = new AbortController()
          const step = async (): Promise<boolean> => {
            if (!(await holdsStill(store, membership))) {
              left.abort()
              return false
            }
            known = await knownPeers(store)
            views = await viewsOf(store)
            return work.step()
          }
          const stops = session.signal === undefined ? [] : [session.signal]
          await new Dialler({ store, line, note, work: step }).run(AbortSignal.any([left.signal, ...stops]))
          if (left.signal.aborted) note(`the site ${name} has left the study ${membership.study}`)
        })
      })
    })
}

function floorOf({ leastSites, leastHonest, leastColluding }: RunFlags): JobFloor {
  return {
    sites: countOf("--least-sites", leastSites),
    honest: countOf("--least-honest", leastHonest),
    colluding: countOf("--least-colluding", leastColluding),
  }
}

const runHelp = `
Each site knows its own share of the noise, so that every sum counts on one share less than there are sites.
The three limits ask for more than that, whatever a coordinator proposes. Jobs in which every site adds all of
the noise (--separate) have no such numbers.

Examples:
  dosimeter node run
  dosimeter node run --least-sites 5 --least-honest 3 --least-colluding 2`
