// The sites of a coordinator: invited once each, enrolled with one key, expelled at any time. Each request is
// by the key of a site that belongs to it, and used once.

import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { oneRow, textOf, type StateAccess, type StateRow, type StateStore } from "../../state/state-store.ts"
import { enrolmentProof, newCode, sameProof } from "../wire/invitation.ts"
import { fingerprintOf } from "../wire/identity.ts"
import { clockTolerance, siteName, type OpenedRequest } from "../wire/sealed.ts"

/** A site as the lead sees it. */
export interface Site {
  readonly name: string
  readonly state: "invited" | "enrolled" | "expelled"
  readonly invitedAt: string
  readonly invitedUntil: string
  /** Absent until it has enrolled. */
  readonly publicKey?: string
  readonly fingerprint?: string
  readonly enrolledAt?: string
  readonly seenAt?: string
}

/** How long an invitation is good for. */
export const invitationDays = 14

/** The sites. */
export class Sites {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** The code of a new invitation; an older one of the same site is good no longer. */
  async invite(name: string, by: string): Promise<string> {
    if (!siteName.safeParse(name).success) return fail("federation/bad-site", { site: name.slice(0, 60) })
    const code = newCode()
    const at = this.#now()
    const until = new Date(at.getTime() + invitationDays * 86_400_000).toISOString()
    await this.#store.transaction(async (access) => {
      const known = await siteRow(access, name)
      if (known !== undefined && known["public_key"] !== null && known["expelled_at"] === null) {
        return fail("federation/site-exists", { site: name })
      }
      await access.run("DELETE FROM federation_sites WHERE name = ?", [name])
      await access.run(
        "INSERT INTO federation_sites (name, code, invited_at, invited_until) VALUES (?, ?, ?, ?)",
        [name, code, at.toISOString(), until],
      )
      await record(access, { who: by, what: "site-invited", about: `site ${name}` }, at.toISOString())
    })
    return code
  }

  /** Enrols the key of a request that shows the code of the invitation; once, or again for the same key. */
  async enrol({ site, key, nonce }: OpenedRequest, proof: string, coordinator: string): Promise<void> {
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      const row = await siteRow(access, site)
      // A reply that was lost is asked for again.
      if (row?.["public_key"] === key && row["expelled_at"] === null) return useNonce(access, site, nonce, at)
      const code = row === undefined ? "" : textOf(row, "code")
      const isRight = code !== "" && sameProof(enrolmentProof(code, { coordinator, site, key }), proof)
      if (row === undefined || !isRight) return fail("federation/no-invitation", { site })
      if (textOf(row, "invited_until") < at) return fail("federation/no-invitation", { site })
      await useNonce(access, site, nonce, at)
      await access.run(
        "UPDATE federation_sites SET public_key = ?, enrolled_at = ?, seen_at = ?, code = NULL WHERE name = ?",
        [key, at, at, site],
      )
      const facts = { fingerprint: fingerprintOf(key) }
      await record(access, { who: `site ${site}`, what: "site-enrolled", about: `site ${site}`, facts }, at)
      return undefined
    })
  }

  /** Refuses a request that is not by the key of an enrolled site, or that came before. */
  async admit({ site, key, nonce }: OpenedRequest): Promise<void> {
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      const row = await siteRow(access, site)
      if (row?.["public_key"] !== key || row["expelled_at"] !== null) {
        return fail("federation/not-enrolled", { site })
      }
      await useNonce(access, site, nonce, at)
      await access.run("UPDATE federation_sites SET seen_at = ? WHERE name = ?", [at, site])
      return undefined
    })
  }

  /** Ends a site's membership; its requests are refused from now on. */
  async expel(name: string, by: string, reasons: string): Promise<void> {
    if (reasons.trim() === "") fail("federation/no-reasons", {})
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      const row = await siteRow(access, name)
      if (row === undefined || row["expelled_at"] !== null) return fail("federation/no-site", { site: name })
      await access.run("UPDATE federation_sites SET expelled_at = ?, code = NULL WHERE name = ?", [at, name])
      const deed = { who: by, what: "site-expelled", about: `site ${name}`, facts: { reasons } }
      await record(access, deed, at)
      return undefined
    })
  }

  /** All sites by name. */
  async list(): Promise<readonly Site[]> {
    const rows = await this.#store.all("SELECT * FROM federation_sites ORDER BY name")
    return rows.map(siteOf)
  }
}

async function siteRow(access: StateAccess, name: string): Promise<StateRow | undefined> {
  return oneRow(access, "SELECT * FROM federation_sites WHERE name = ?", [name])
}

/** Keeps the number of a request as long as its time would be accepted. */
async function useNonce(access: StateAccess, site: string, nonce: string, at: string): Promise<void> {
  const over = new Date(Date.parse(at) - 3 * clockTolerance).toISOString()
  await access.run("DELETE FROM federation_nonces WHERE at < ?", [over])
  const used = await access.all("SELECT at FROM federation_nonces WHERE site = ? AND nonce = ?", [
    site,
    nonce,
  ])
  if (used.length > 0) fail("federation/replayed", {})
  await access.run("INSERT INTO federation_nonces (site, nonce, at) VALUES (?, ?, ?)", [site, nonce, at])
}

function siteOf(row: StateRow): Site {
  const publicKey = textOf(row, "public_key")
  const isExpelled = row["expelled_at"] !== null
  const state = isExpelled ? "expelled" : publicKey === "" ? "invited" : "enrolled"
  return {
    name: textOf(row, "name"),
    state,
    invitedAt: textOf(row, "invited_at"),
    invitedUntil: textOf(row, "invited_until"),
    ...(publicKey === ""
      ? {}
      : {
          publicKey,
          fingerprint: fingerprintOf(publicKey),
          enrolledAt: textOf(row, "enrolled_at"),
          seenAt: textOf(row, "seen_at"),
        }),
  }
}
