// What the screens read of a receipt; the whole of it is shown and saved as it is.

/** The parts that are shown in words. */
export interface ReadReceipt {
  readonly id: string
  readonly unit: string
  readonly neighbours: string
  readonly planHash: string
  readonly dataVersion: string
  /** The loss in words. */
  readonly words: string
  readonly epsilon: string
  readonly delta: string
  readonly confidence: number
  readonly public: readonly string[]
  readonly notes: readonly string[]
  readonly mechanisms: readonly Readonly<Record<string, unknown>>[]
  readonly bounding: readonly Readonly<Record<string, unknown>>[]
  readonly library: string
  readonly position: string
  readonly hash: string
  readonly at: string
}

/** A receipt, if it is one: an answer about nobody has none. */
export function receiptOf(value: unknown): ReadReceipt | undefined {
  const text = (of: unknown, name: string): string => {
    const field = fieldOf(of, name)
    return typeof field === "string" ? field : ""
  }
  if (text(value, "format") !== "dosimeter-receipt/1") return undefined
  const ledger = fieldOf(value, "ledger")
  return {
    id: text(value, "id"),
    unit: text(value, "unit"),
    neighbours: text(value, "neighbours"),
    planHash: text(value, "planHash"),
    dataVersion: text(value, "dataVersion"),
    words: text(fieldOf(value, "loss"), "words"),
    epsilon: text(value, "epsilon"),
    delta: text(value, "delta"),
    confidence: Number(text(value, "confidence")),
    public: textsOf(fieldOf(value, "public")),
    notes: textsOf(fieldOf(value, "notes")),
    mechanisms: recordsOf(fieldOf(value, "mechanisms")),
    bounding: recordsOf(fieldOf(value, "bounding")),
    library: text(value, "library"),
    position: text(ledger, "position"),
    hash: text(ledger, "hash"),
    at: text(ledger, "at"),
  }
}

/** The position of a receipt's charge in the ledger. */
export function positionOf(value: unknown): string | undefined {
  return receiptOf(value)?.position
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one: unknown): one is string => typeof one === "string") : []
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value)
    ? value.filter(
        (one: unknown): one is Readonly<Record<string, unknown>> => typeof one === "object" && one !== null,
      )
    : []
}
