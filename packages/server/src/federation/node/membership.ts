// A node's membership in a consortium: which coordinator, with which key, under which name. It is made
// from an invitation, once a person has looked at the coordinator's fingerprint, and the key that was
// looked at stays.

import type { Signer } from "@dosimeter/engine"
import { z } from "zod"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import type { StateStore } from "../../state/state-store.ts"
import { keepSetting, readSetting } from "../mail/settings.ts"
import { enrolmentProof, type Invitation } from "../wire/invitation.ts"
import { fingerprintOf, publicKeySchema } from "../wire/identity.ts"
import { welcomeSchema } from "../wire/messages.ts"
import { siteName } from "../wire/sealed.ts"
import type { CoordinatorLine } from "./coordinator-line.ts"
import { jsonOf } from "../wire/json.ts"

const membershipSchema = z.strictObject({
  url: z.string(),
  coordinator: publicKeySchema,
  site: siteName,
  study: z.string(),
  joinedAt: z.iso.datetime(),
})

/** Where a node belongs. */
export type Membership = z.infer<typeof membershipSchema>

const settingName = "membership"

/** The membership of a node; undefined where it has none. */
export async function membershipOf(store: StateStore): Promise<Membership | undefined> {
  const text = await readSetting(store, settingName)
  if (text === undefined || text === "") return undefined
  return membershipSchema.parse(jsonOf(text))
}

/** Whether a membership holds still: it may have been ended, or begun anew, by another process. */
export async function holdsStill(store: StateStore, { joinedAt, coordinator }: Membership): Promise<boolean> {
  const now = await membershipOf(store)
  return now?.joinedAt === joinedAt && now.coordinator === coordinator
}

/** Enrols the node's key by an invitation, and keeps where it belongs. */
export async function join(
  store: StateStore,
  {
    invitation,
    signer,
    line,
    by,
  }: {
    readonly invitation: Invitation
    readonly signer: Signer
    readonly line: CoordinatorLine
    readonly by: string
  },
): Promise<Membership> {
  const known = await membershipOf(store)
  if (known !== undefined) return fail("federation/joined-already", { study: known.study })
  const { url, coordinator, site, code } = invitation
  const proof = enrolmentProof(code, { coordinator, site, key: signer.publicKey })
  const content = { proof, version: "1" }
  const { study } = await line.call("enrol", content, welcomeSchema)
  const joinedAt = new Date().toISOString()
  const membership: Membership = { url, coordinator, site, study, joinedAt }
  await store.transaction(async (access) => {
    await keepSetting(access, settingName, JSON.stringify(membership))
    const facts = { url, coordinator: fingerprintOf(coordinator), own: fingerprintOf(signer.publicKey), site }
    await record(access, { who: by, what: "consortium-joined", about: `study ${study}`, facts }, joinedAt)
  })
  return membership
}

/** Ends the membership on this side: nothing is asked for and nothing is answered any more. */
export async function leave(store: StateStore, by: string): Promise<Membership> {
  const known = await membershipOf(store)
  if (known === undefined) return fail("federation/not-joined", {})
  const at = new Date().toISOString()
  await store.transaction(async (access) => {
    await keepSetting(access, settingName, "")
    await keepSetting(access, "read-to", "0")
    // What was for this coordinator goes to no other.
    await access.run("UPDATE federation_letters SET done_at = ? WHERE done_at IS NULL", [at])
    await record(access, { who: by, what: "consortium-left", about: `study ${known.study}` }, at)
  })
  return known
}
