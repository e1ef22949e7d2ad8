// The text of a receipt, as the ledger keeps and hashes it, and the one way to read it back. Keys are sorted,
// in the text and in what is read from it.

import {
  normOrigins,
  type AnyReceipt,
  type BoundingTexts,
  type FreeReceipt,
  type LeftOutTexts,
  type MechanismTexts,
  type Receipt,
  type ReceiptConsent,
  type ReceiptLoss,
  type ReceiptPlace,
  type ScaledTexts,
} from "./receipt.ts"
import {
  listOf,
  objectOf,
  parsed,
  readText,
  Unreadable,
  withField,
  wordOf,
  type Fields,
  type Read,
} from "./read-fields.ts"

/** The text of a receipt: one for one receipt. */
export function writeReceipt(receipt: AnyReceipt): string {
  return JSON.stringify(receipt, (_key, value: unknown) => sorted(value))
}

/** Reads the text of a receipt. Throws `Unreadable`. */
export function readReceipt(text: string): AnyReceipt {
  return receiptIn(parsed(text))
}

/** A receipt that came as data, such as in a reply of the server. Throws `Unreadable`. */
export function receiptIn(found: unknown): AnyReceipt {
  const format = typeof found === "object" && found !== null && "format" in found ? found.format : undefined
  switch (format) {
    case "dosimeter-receipt/1":
      return readPaid(found, "receipt")
    case "dosimeter-free/1":
      return readFree(found, "receipt")
    case undefined:
      return readNone(found, "receipt")
    default:
      throw new Unreadable("the receipt has a format that is not known")
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const readNeighbours = wordOf("add-or-remove", "replace")

const readNone = objectOf(() => ({}))

const readLeftOut = objectOf((fields): LeftOutTexts => ({
  estimate: fields.need("estimate", listOf(readText)),
  ...withField("most", fields.may("most", listOf(readText))),
}))

const readScaled = objectOf((fields): ScaledTexts => ({
  from: fields.need("from", wordOf(...normOrigins)),
  ...withField("leftOut", fields.may("leftOut", readLeftOut)),
  ...withField("noise", fields.may("noise", listOf(readText))),
  norms: fields.need("norms", listOf(readText)),
}))

/** How contributions were bounded. */
export const readBounding: Read<BoundingTexts> = objectOf((fields) => ({
  groupsPerUnit: fields.need("groupsPerUnit", readText),
  ...withField("groupsProof", fields.may("groupsProof", readText)),
  rowsPerGroup: fields.need("rowsPerGroup", readText),
  ...withField("rowsProof", fields.may("rowsProof", readText)),
  ...withField("scaled", fields.may("scaled", wordOf("l1", "l2"))),
  ...withField("norm", fields.may("norm", readText)),
  ...withField("scaledTo", fields.may("scaledTo", readScaled)),
}))

const readMechanism = objectOf((fields): MechanismTexts => ({
  column: fields.need("column", readText),
  ...withField("grid", fields.may("grid", readText)),
  mechanism: fields.need("mechanism", readText),
  ...withField("scale", fields.may("scale", readText)),
  ...withField("sensitivity", fields.may("sensitivity", readText)),
}))

const readConsent = objectOf((fields): ReceiptConsent => ({
  mode: fields.need("mode", wordOf("required", "opt-out")),
  purposes: fields.need("purposes", listOf(readText)),
  version: fields.need("version", readText),
}))

const readLoss = objectOf((fields): ReceiptLoss => ({
  accounting: fields.need("accounting", wordOf("pure", "zcdp", "gdp")),
  amount: fields.need("amount", readText),
  delta: fields.need("delta", readText),
  words: fields.need("words", readText),
}))

const readPlace = objectOf((fields): ReceiptPlace => ({
  at: fields.need("at", readText),
  hash: fields.need("hash", readText),
  id: fields.need("id", readText),
  position: fields.need("position", readText),
}))

const readPaid = objectOf((fields): Receipt => ({
  bounding: fields.need("bounding", listOf(readBounding)),
  confidence: fields.need("confidence", readText),
  ...consentIn(fields),
  dataVersion: fields.need("dataVersion", readText),
  dataset: fields.need("dataset", readText),
  delta: fields.need("delta", readText),
  epsilon: fields.need("epsilon", readText),
  format: fields.need("format", wordOf("dosimeter-receipt/1")),
  id: fields.need("id", readText),
  ledger: fields.need("ledger", readPlace),
  library: fields.need("library", readText),
  loss: fields.need("loss", readLoss),
  mechanisms: fields.need("mechanisms", listOf(readMechanism)),
  neighbours: fields.need("neighbours", readNeighbours),
  notes: fields.need("notes", listOf(readText)),
  planHash: fields.need("planHash", readText),
  public: fields.need("public", listOf(readText)),
  ...withField("study", fields.may("study", readText)),
  unit: fields.need("unit", readText),
}))

const readFree = objectOf((fields): FreeReceipt => ({
  bounding: fields.need("bounding", listOf(readBounding)),
  ...consentIn(fields),
  dataVersion: fields.need("dataVersion", readText),
  dataset: fields.need("dataset", readText),
  delta: fields.need("delta", readText),
  differences: fields.need("differences", listOf(readText)),
  epsilon: fields.need("epsilon", readText),
  format: fields.need("format", wordOf("dosimeter-free/1")),
  from: fields.need("from", listOf(readText)),
  library: fields.need("library", readText),
  neighbours: fields.need("neighbours", readNeighbours),
  notes: fields.need("notes", listOf(readText)),
  planHash: fields.need("planHash", readText),
  public: fields.need("public", listOf(readText)),
  unit: fields.need("unit", readText),
}))

function consentIn(fields: Fields): Pick<Receipt, "consent"> {
  return withField("consent", fields.may("consent", readConsent))
}
