// What a node keeps besides its state: its key, and the way by which its requests leave the house.

import { join } from "node:path"
import { keepSetting, readSetting } from "../../../federation/mail/settings.ts"
import { proxyOf, type Route } from "../../../federation/node/https-client.ts"
import type { StateStore } from "../../../state/state-store.ts"
import type { Session } from "../session/session.ts"
import { stateFolder } from "../session/state-folder.ts"
import { jsonOf } from "../../../federation/wire/json.ts"

/** What is said about the way when a node joins. */
export interface RouteFlags {
  readonly proxy?: string
  readonly ca?: string
}

/** The way out of the house, as it is kept. */
interface KeptRoute {
  readonly proxy: string | null
  readonly ca: string | null
}

/** Keeps the way that was given when the node joined. */
export async function keepRoute(store: StateStore, flags: RouteFlags, session: Session): Promise<KeptRoute> {
  const kept: KeptRoute = {
    proxy: flags.proxy ?? null,
    ca: flags.ca === undefined ? null : session.read(flags.ca),
  }
  await store.transaction((access) => keepSetting(access, "route", JSON.stringify(kept)))
  return kept
}

/** The way out that was given when the node joined, or that of the environment. */
export async function routeOfNode(store: StateStore, url: string): Promise<Route> {
  const text = await readSetting(store, "route")
  // Our own text, written above.
  const kept = text === undefined ? { proxy: null, ca: null } : (jsonOf(text) as KeptRoute)
  return routeOf(kept, url)
}

/** The way to an address. */
export function routeOf({ proxy, ca }: KeptRoute, url: string): Route {
  const used = proxy ?? proxyOf(url, process.env)
  return {
    ...(used === undefined ? {} : { proxy: used }),
    ...(ca === null ? {} : { authorities: ca }),
  }
}

/** Where the key of a node is. */
export function nodeKeyFile(session: Session, policy: string): string {
  return join(stateFolder(session, policy), "node.key")
}
