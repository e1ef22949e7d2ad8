// One Consent resource of FHIR R4 as decisions about purposes. Only what can be kept is taken over: active or
// ended consents to research, permitted or denied for named purposes as a whole.

import type { ConsentDecision } from "./consents.ts"

/** The decisions of a resource, or why it is not taken over. */
export function readFhirConsent(resource: unknown): readonly ConsentDecision[] | string {
  if (!isRecord(resource) || resource["resourceType"] !== "Consent") return "it is no Consent"
  const unknown = Object.keys(resource).filter((key) => !known.includes(key))
  if (unknown.length > 0) return `${unknown.join(", ")} is not understood`
  const scope = codingsOf(resource["scope"]).map(({ code }) => code)
  if (!scope.includes("research")) return "its scope is not research"
  const ending = statuses.get(textIn(resource, "status"))
  if (ending === undefined) return "its status is neither active, inactive nor rejected"
  const participant = patientOf(resource["patient"])
  if (participant === undefined) return "it names no patient by a reference such as Patient/123"
  const decidedAt = textIn(resource, "dateTime")
  if (decidedAt === "") return "it has no dateTime"
  const provision = resource["provision"]
  if (!isRecord(provision)) return "it has no provision"
  const conditions = Object.keys(provision).filter(
    (key) => key !== "type" && key !== "purpose" && key !== "id",
  )
  if (conditions.length > 0)
    return `its provision has conditions that cannot be kept: ${conditions.join(", ")}`
  const type = textIn(provision, "type")
  if (type !== "permit" && type !== "deny") return "its provision neither permits nor denies"
  const given: unknown = provision["purpose"]
  const codings = Array.isArray(given) ? given.map(codingOf) : []
  const purposes = codings.map((coding) => (coding === undefined ? undefined : purposeOfCoding(coding)))
  if (purposes.length === 0 || purposes.includes(undefined)) return "it has a purpose that is not understood"
  // A consent that has ended, or was rejected, permits nothing any more.
  const decision = type === "permit" && ending === "holds" ? "given" : "withdrawn"
  if (type === "deny" && ending !== "holds") return "it no longer denies, and does not say what holds instead"
  return purposes.flatMap((purpose) =>
    purpose === undefined ? [] : [{ participant, purpose, decision, decidedAt } as const],
  )
}

const known: readonly string[] = [
  "resourceType",
  "id",
  "meta",
  "text",
  "language",
  "identifier",
  "status",
  "scope",
  "category",
  "patient",
  "dateTime",
  "performer",
  "organization",
  "sourceAttachment",
  "sourceReference",
  "policy",
  "policyRule",
  "verification",
  "provision",
]

const statuses: ReadonlyMap<string, "holds" | "ended"> = new Map([
  ["active", "holds"],
  ["inactive", "ended"],
  ["rejected", "ended"],
])

/** Purposes of use of HL7 that are purposes of the Data Use Ontology. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["HRESCH", "DUO:0000006"],
  ["BIORCH", "DUO:0000006"],
  ["DSRCH", "DUO:0000007"],
  ["POARCH", "DUO:0000011"],
])
const reasonSystem = "http://terminology.hl7.org/CodeSystem/v3-ActReason"

interface Coding {
  readonly system: string
  readonly code: string
}

function purposeOfCoding({ system, code }: Coding): string | undefined {
  const duo = /^(?:http:\/\/purl\.obolibrary\.org\/obo\/)?DUO[:_](\d{7})$/.exec(code)?.[1]
  if (duo !== undefined && (system === "" || system.startsWith("http://purl.obolibrary.org/obo/"))) {
    return `DUO:${duo}`
  }
  return system === reasonSystem ? reasons.get(code) : undefined
}

function patientOf(patient: unknown): string | undefined {
  if (!isRecord(patient)) return undefined
  const reference = /(?:^|\/)Patient\/([A-Za-z0-9\-.]{1,64})$/.exec(textIn(patient, "reference"))?.[1]
  if (reference !== undefined) return reference
  const { identifier } = patient
  const value = isRecord(identifier) ? textIn(identifier, "value") : ""
  return value === "" ? undefined : value
}

function codingsOf(concept: unknown): readonly Coding[] {
  const coding: unknown = isRecord(concept) ? concept["coding"] : undefined
  return Array.isArray(coding) ? coding.flatMap((one) => codingOf(one) ?? []) : []
}

function codingOf(value: unknown): Coding | undefined {
  return isRecord(value) ? { system: textIn(value, "system"), code: textIn(value, "code") } : undefined
}

function textIn(value: Readonly<Record<string, unknown>>, key: string): string {
  const text = value[key]
  return typeof text === "string" ? text : ""
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
