// Which releases a caller may see, for every route that gives one out: those of their sight, and none that
// waits for an approval.

import type { ChargeRecord } from "../../../answers/charge-list.ts"
import { fail } from "../../../errors.ts"
import { sightOf, type Sight } from "../../../questions/release-access.ts"
import { Airlock } from "../../../studies/airlock.ts"
import type { Services } from "../services/services.ts"
import { callerOf, type RequestContext } from "./handler.ts"

/** What a caller sees. */
export async function sightFor(context: RequestContext, { studies }: Services): Promise<Sight> {
  const { person, rights } = callerOf(context)
  return sightOf(person, rights, studies)
}

/** What waits for an approval is seen in the airlock only. */
export async function checkHeld(
  { position, study }: ChargeRecord,
  { store, engine }: Services,
): Promise<void> {
  const rules = await new Airlock(store, engine.ledger).rules()
  if (await rules.isOpen(position)) return
  fail("airlock/waiting", { release: `${position}`, study: study ?? "" })
}

/** A release that the caller may not see is reported as one that does not exist. */
export async function requireRelease(
  position: string,
  context: RequestContext,
  services: Services,
): Promise<{ readonly record: ChargeRecord; readonly sight: Sight }> {
  const record = await services.charges.find(BigInt(position))
  const sight = await sightFor(context, services)
  return record !== undefined && sight.release(record)
    ? { record, sight }
    : fail("release/unknown", { position })
}
