// Incidents: seen, and acknowledged by an owner.

import { HouseIncidents, type ShownIncident } from "../../../studies/incidents.ts"
import type { incidentRoutes } from "../contract/incidents.ts"
import { callerOf, type MakeHandlers } from "../request/handler.ts"

/** The handlers. */
export const incidentHandlers: MakeHandlers<typeof incidentRoutes> = ({ engine, store }) => {
  const incidents = new HouseIncidents(engine.ledger, store)
  return {
    listIncidents: async () => ({ items: (await incidents.list()).map(incidentObject) }),
    acknowledgeIncident: async ({ params, body }, context) => {
      await incidents.acknowledge(BigInt(params.position), body.reason, callerOf(context).person)
      return undefined
    },
  }
}

function incidentObject(incident: ShownIncident) {
  const { position, at, charge, cause, principal, study, planHash, question, isUntold, seen } = incident
  const closed: "door" | "approvals" = isUntold ? "approvals" : "door"
  return {
    position: Number(position),
    at,
    charge: Number(charge),
    cause,
    principal,
    study: study ?? null,
    planHash,
    question: question ?? null,
    closes: seen === undefined ? closed : null,
    seen: seen ?? null,
  }
}
