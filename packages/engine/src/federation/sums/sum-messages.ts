// What sites and coordinator say to each other during one secure sum: plain values that survive JSON, each
// with one decoder that refuses what it does not know. Sites sign what they say; the coordinator does not,
// and nothing that it says is believed.

import { fail } from "../../errors.ts"

/** The public keys of a site for this sum alone: one seals shares, the other makes masks. */
export interface KeysMessage {
  readonly kind: "keys"
  readonly sum: string
  readonly site: string
  readonly seal: string
  readonly mask: string
  readonly signature: string
}

/** A site's secrets in shares, one sealed for each peer; and the hash of its seed. */
export interface SharesMessage {
  readonly kind: "shares"
  readonly sum: string
  readonly site: string
  readonly roster: string
  readonly seedHash: string
  readonly sealed: Readonly<Record<string, string>>
  readonly signature: string
}

/** A site's numbers under masks. */
export interface MaskedMessage {
  readonly kind: "masked"
  readonly sum: string
  readonly site: string
  readonly group: string
  readonly numbers: string
  readonly signature: string
}

/** A site has seen who survived, and signs it. */
export interface AgreedMessage {
  readonly kind: "agreed"
  readonly sum: string
  readonly site: string
  readonly signature: string
}

/** A site's shares of the seeds of those who survived, and of the mask keys of those who did not. */
export interface UnmaskMessage {
  readonly kind: "unmask"
  readonly sum: string
  readonly site: string
  readonly seeds: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
  readonly signature: string
}

/** What a site says. */
export type SiteMessage = KeysMessage | SharesMessage | MaskedMessage | AgreedMessage | UnmaskMessage

/** Who takes part, with their keys as they signed them. */
export interface RosterMessage {
  readonly kind: "roster"
  readonly sum: string
  readonly keys: readonly KeysMessage[]
}

/** The shares that peers have sealed for one site. */
export interface SealedMessage {
  readonly kind: "sealed"
  readonly sum: string
  readonly sealed: Readonly<Record<string, string>>
}

/** Whose numbers have arrived. */
export interface SurvivorsMessage {
  readonly kind: "survivors"
  readonly sum: string
  readonly survivors: readonly string[]
}

/** The signatures under that list. */
export interface AgreementsMessage {
  readonly kind: "agreements"
  readonly sum: string
  readonly signatures: Readonly<Record<string, string>>
}

/** What the coordinator says. */
export type CoordinatorMessage = RosterMessage | SealedMessage | SurvivorsMessage | AgreementsMessage

/** A message and the site that it is for. */
export interface Addressed {
  readonly to: string
  readonly message: CoordinatorMessage
}

type Fields = ReadonlyMap<string, unknown>

const siteMessages: Readonly<Record<string, (fields: Fields) => SiteMessage>> = {
  keys: keysOf,
  shares: (fields) => ({
    kind: "shares",
    ...signed(fields, ["roster", "seedHash", "sealed"]),
    roster: text(fields, "roster"),
    seedHash: text(fields, "seedHash"),
    sealed: texts(fields, "sealed"),
  }),
  masked: (fields) => ({
    kind: "masked",
    ...signed(fields, ["group", "numbers"]),
    group: text(fields, "group"),
    numbers: text(fields, "numbers", numbersMax),
  }),
  agreed: (fields) => ({ kind: "agreed", ...signed(fields, []) }),
  unmask: (fields) => ({
    kind: "unmask",
    ...signed(fields, ["seeds", "keys"]),
    seeds: texts(fields, "seeds"),
    keys: texts(fields, "keys"),
  }),
}

const coordinatorMessages: Readonly<Record<string, (fields: Fields) => CoordinatorMessage>> = {
  roster: (fields) => {
    only(fields, ["kind", "sum", "keys"])
    return {
      kind: "roster",
      sum: text(fields, "sum"),
      keys: list(fields, "keys").map((one) => keysOf(fieldsOf(one))),
    }
  },
  sealed: (fields) => {
    only(fields, ["kind", "sum", "sealed"])
    return { kind: "sealed", sum: text(fields, "sum"), sealed: texts(fields, "sealed") }
  },
  survivors: (fields) => {
    only(fields, ["kind", "sum", "survivors"])
    const survivors = list(fields, "survivors").map((one) =>
      typeof one === "string" ? one : bad("survivors"),
    )
    return { kind: "survivors", sum: text(fields, "sum"), survivors }
  },
  agreements: (fields) => {
    only(fields, ["kind", "sum", "signatures"])
    return { kind: "agreements", sum: text(fields, "sum"), signatures: texts(fields, "signatures") }
  },
}

/** Reads what a site says. */
export function decodeSiteMessage(value: unknown): SiteMessage {
  return decoded(value, siteMessages)
}

/** Reads what the coordinator says. */
export function decodeCoordinatorMessage(value: unknown): CoordinatorMessage {
  return decoded(value, coordinatorMessages)
}

/** Texts are keys, hashes and names; only masked numbers are longer. */
const textMax = 1024
const numbersMax = 1 << 30
const entriesMax = 255

function decoded<Message>(
  value: unknown,
  known: Readonly<Record<string, (fields: Fields) => Message>>,
): Message {
  const fields = fieldsOf(value)
  const kind = fields.get("kind")
  const decode = typeof kind === "string" && Object.hasOwn(known, kind) ? known[kind] : undefined
  return decode === undefined ? bad("kind") : decode(fields)
}

function keysOf(fields: Fields): KeysMessage {
  if (fields.get("kind") !== "keys") bad("kind")
  return {
    kind: "keys",
    ...signed(fields, ["seal", "mask"]),
    seal: text(fields, "seal"),
    mask: text(fields, "mask"),
  }
}

function signed(
  fields: Fields,
  others: readonly string[],
): { readonly sum: string; readonly site: string; readonly signature: string } {
  only(fields, ["kind", "sum", "site", "signature", ...others])
  return { sum: text(fields, "sum"), site: text(fields, "site"), signature: text(fields, "signature") }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("message")
  return new Map(Object.entries(value))
}

function only(fields: Fields, names: readonly string[]): void {
  for (const name of fields.keys()) if (!names.includes(name)) bad(name)
}

function text(fields: Fields, name: string, most = textMax): string {
  const value = fields.get(name)
  return typeof value === "string" && value.length <= most ? value : bad(name)
}

function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields.get(name)
  return Array.isArray(value) && value.length <= entriesMax ? value : bad(name)
}

function texts(fields: Fields, name: string): Readonly<Record<string, string>> {
  const entries = [...fieldsOf(fields.get(name))]
  if (entries.length > entriesMax) bad(name)
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      typeof value === "string" && value.length <= textMax ? value : bad(name),
    ]),
  )
}

/** An entry of a record by the name of a site; never what every object inherits. */
export function entryOf(record: Readonly<Record<string, string>>, site: string): string | undefined {
  return Object.hasOwn(record, site) ? record[site] : undefined
}

/** What is wrong is named by our own word only: nothing of the message comes back. */
function bad(what: string): never {
  return fail("federation/sum-message", { what: known.has(what) ? what : "another field" })
}

const known = new Set(
  (
    "message kind sum site signature seal mask roster seedHash sealed " +
    "group numbers seeds keys survivors signatures"
  ).split(" "),
)
