// Models in the ledger: each by its question, and all of them in one list.

import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import type { Rational } from "@dosimeter/core/exact"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import { canonicalJson, fieldOf, parseJson, textField, Unreadable } from "../ledger/entries/canonical.ts"
import type { KeptText, Ledger, Question, RecordedRelease } from "../ledger/ledger.ts"
import { receiptOfRelease, unknownForm } from "../record/read-release.ts"
import { kindOfModel, readModel, writeModel, type ModelFile } from "./model-file.ts"
import type { PlannedModel } from "./plan-training.ts"

/** A model in the list. */
export interface ListedModel {
  /** The position of its charge. */
  readonly charge: bigint
  readonly model: string
  /** What it tells, if it tells a column. */
  readonly target?: string
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
  const told = target === undefined ? {} : { target: target.name }
  const line = { model: kindOfModel(model), ...told, rows: model.rows }
  return [
    { subject: modelSubject(question), text: writeModel(file) },
    { subject: listSubject, text: canonicalJson(line) },
  ]
}

/** A model that was trained, or found in the record. */
export interface TrainedModel {
  readonly file: ModelFile
  /** Of the intervals of its coefficients. */
  readonly confidence: Rational
  readonly receipt: AnyReceipt
  /** What it costs, whoever has paid it. */
  readonly cost: Charge
  readonly origin: "released" | "recorded"
  /** The position of its charge. */
  readonly charge: bigint
}

/** The model of a release that answers the same question. */
export async function recordedModel(
  { training, charge: cost }: PlannedModel,
  { release, question }: { readonly release: RecordedRelease; readonly question: Question },
  ledger: Ledger,
): Promise<TrainedModel> {
  const { charge } = release
  const kept = (await ledger.kept(modelSubject(question))).find((one) => one.charge === charge)
  const file = kept === undefined ? undefined : readModel(kept.text)
  if (file === undefined) return unknownForm(charge, "its model cannot be read")
  const { confidence } = training.plan
  return { file, confidence, receipt: receiptOfRelease(release), cost, origin: "recorded", charge }
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
    const told = fieldOf(line, "target") === undefined ? {} : { target: textField(line, "target") }
    return { model: textField(line, "model"), ...told, rows }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
