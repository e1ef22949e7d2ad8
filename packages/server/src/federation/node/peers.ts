// The other sites of a study whose keys people of this house have compared. A job with any other site is not
// taken: a coordinator that could name sites of its own would count their noise as honest.

import { isPublicKey } from "@dosimeter/engine"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { textOf, type StateAccess, type StateStore } from "../../state/state-store.ts"
import { fingerprintOf } from "../wire/identity.ts"
import { siteName } from "../wire/sealed.ts"

/** Another site, and its public key. */
export interface Peer {
  readonly name: string
  readonly key: string
}

/** All that are known, by name. */
export async function knownPeers(access: StateAccess): Promise<readonly Peer[]> {
  const rows = await access.all("SELECT name, public_key FROM federation_sites ORDER BY name")
  return rows.map((row) => ({ name: textOf(row, "name"), key: textOf(row, "public_key") }))
}

/** Takes a site's key for known, in place of one that was known before. */
export async function knowPeer(store: StateStore, { name, key }: Peer, by: string): Promise<void> {
  if (!siteName.safeParse(name).success) fail("federation/bad-site", { site: name.slice(0, 60) })
  if (!isPublicKey(key)) fail("federation/bad-peer", { site: name })
  const at = new Date().toISOString()
  await store.transaction(async (access) => {
    await access.run("DELETE FROM federation_sites WHERE name = ?", [name])
    await access.run(
      "INSERT INTO federation_sites (name, invited_at, invited_until, public_key, enrolled_at) VALUES (?, ?, ?, ?, ?)",
      [name, at, at, key, at],
    )
    const facts = { fingerprint: fingerprintOf(key) }
    await record(access, { who: by, what: "peer-known", about: `site ${name}`, facts }, at)
  })
}
