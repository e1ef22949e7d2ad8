// The ids of the people in the data, as participants and files name them.

import { consentTable } from "@dosimeter/proof/catalog/consent"
import { fail } from "../../../errors.ts"
import { normalId } from "../../../consent/consents.ts"
import type { Services } from "../services/services.ts"

/** What ids of units are made of. */
export function unitTypeOf({ engine }: Pick<Services, "engine">): "integer" | "text" {
  const type = consentTable(engine.policy.catalog.tables, ["consent"])?.columns[0]?.domain.type.kind
  return type === "integer" ? "integer" : "text"
}

/** An id in the one way in which it is written; whether there is such a unit is not looked up. */
export function unitIdOf(text: string, services: Pick<Services, "engine">): string {
  const type = unitTypeOf(services)
  return normalId(text.trim(), type) ?? fail("consent/bad-participant", { type })
}
