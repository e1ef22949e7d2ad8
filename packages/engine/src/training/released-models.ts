// Models in the ledger: each by its question, and all of them in one list.

import { canonicalJson, fieldOf, parseJson, textField, Unreadable } from "../ledger/entries/canonical.ts"
import type { KeptText, Ledger, Question } from "../ledger/ledger.ts"
import { kindOfModel, readModel, writeModel, type ModelFile } from "./model-file.ts"

/** A model in the list. */
export interface ListedModel {
  /** The position of its charge. */
  readonly charge: bigint
  readonly model: string
  readonly target: string
  /** About how many rows it was fitted to. */
  readonly rows: number
}

const listSubject = "models"

/** What a model is found by. */
export function modelSubject({ planHash, dataVersion }: Question): string {
  return `model ${planHash} ${dataVersion}`
}

/** What is kept of a model: itself, and its line in the list. */
export function keptOfModel(file: ModelFile, question: Question): readonly KeptText[] {
  const { model, target } = file
  const line = { model: kindOfModel(model), target: target.name, rows: model.rows }
  return [
    { subject: modelSubject(question), text: writeModel(file) },
    { subject: listSubject, text: canonicalJson(line) },
  ]
}

/** All that were released, in order. */
export async function listModels(ledger: Pick<Ledger, "kept">): Promise<readonly ListedModel[]> {
  const lines = await ledger.kept(listSubject)
  return lines.flatMap(({ charge, text }) => {
    const line = lineIn(text)
    return line === undefined ? [] : [{ charge, ...line }]
  })
}

/** The model that a charge has released; undefined where it released none. */
export async function modelAt(
  charge: bigint,
  ledger: Pick<Ledger, "kept" | "entries">,
): Promise<ModelFile | undefined> {
  const [found] = charge < 1n ? [] : await ledger.entries(charge, 1)
  if (found?.entry.kind !== "charge") return undefined
  const kept = (await ledger.kept(modelSubject(found.entry))).find((one) => one.charge === charge)
  return kept === undefined ? undefined : readModel(kept.text)
}

function lineIn(text: string): Omit<ListedModel, "charge"> | undefined {
  try {
    const line = parseJson(text)
    const rows = fieldOf(line, "rows")
    if (typeof rows !== "number") return undefined
    return { model: textField(line, "model"), target: textField(line, "target"), rows }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
