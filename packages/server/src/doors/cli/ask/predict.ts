// `dosimeter predict`: what a trained model expects of rows in a file. The model was paid for; this costs
// nothing, reads no dataset and enters nothing into a ledger.

import { modelOfText, predictRow, type ModelFile, type Prediction } from "@dosimeter/engine"
import type { Command } from "commander"
import { existsSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { fail } from "../../../errors.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"
import { csvLine, readCsv } from "./csv.ts"

interface PredictFlags {
  readonly model: string
  readonly out?: string
  readonly force?: true
  readonly json?: true
}

/** Adds the command. */
export function addPredict(program: Command, session: Session): void {
  program
    .command("predict")
    .argument("<rows>", "a CSV file whose first line names its columns")
    .description(
      "tell what a trained model expects of the rows of a CSV file, or where they lie; costs nothing",
    )
    .requiredOption("--model <file>", "a model that dosimeter train has written")
    .option("--out <file>", "where the rows go, with their predictions; shown if left out")
    .option("--force", "replace a file that is there")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Columns are found by name; others are kept as they are. An empty cell is a missing value. Numbers outside of
the range that the model was trained in count as its nearest end.

Example:
  dosimeter predict --model model.json new-patients.csv --out predicted.csv`,
    )
    .action((rows: string, flags: PredictFlags) => runPredict(rows, flags, session))
}

function runPredict(rows: string, flags: PredictFlags, session: Session): void {
  const file = flags.out === undefined ? undefined : resolve(session.folder, flags.out)
  if (file !== undefined && flags.force !== true && existsSync(file))
    fail("cli/file-exists", { file, elsewhere: "write elsewhere with --out FILE" })
  const model = modelOfText(session.read(flags.model), flags.model)
  const { names, records } = readCsv(session.read(rows), rows)
  // Names are those of a file that somebody gave: they do not write to the terminal themselves.
  const absent = model.inputs.filter(({ name }) => !names.includes(name)).map(({ name }) => safeText(name))
  if (absent.length === model.inputs.length) {
    fail("cli/usage", { what: `${rows} has none of the columns of the model: ${absent.join(", ")}` })
  }
  if (absent.length > 0) session.note(`not in ${rows}, so taken as missing: ${absent.join(", ")}\n`)
  const predicted = records.map((record) =>
    predictRow(model, Object.fromEntries(names.map((name, place) => [name, record[place]]))),
  )
  if (flags.json === true) {
    return session.out(`${JSON.stringify({ rows: predicted.length, predictions: predicted }, null, 2)}\n`)
  }
  const text = [
    csvLine([...names, ...headsOf(model, predicted[0])]),
    ...records.map((record, place) => csvLine([...record, ...cellsOf(predicted[place])])),
  ].join("")
  if (file === undefined) return session.out(text)
  writeFileSync(file, text, { mode: 0o600 })
  session.out(`wrote       ${records.length.toLocaleString("en")} rows: ${file}\n`)
}

// What is told, with the chances of its classes, the nearest group, or a coordinate for each component.
function headsOf({ target }: ModelFile, first: Prediction | undefined): readonly string[] {
  const { probabilities = {}, coordinates } = { ...first }
  if (coordinates !== undefined) return Object.keys(coordinates)
  if (target === undefined) return ["group"]
  return [`predicted ${target.name}`, ...Object.keys(probabilities).map((name) => `probability of ${name}`)]
}

function cellsOf(prediction: Prediction | undefined): readonly string[] {
  if (prediction === undefined) return []
  const { value, probabilities = {}, coordinates } = prediction
  const short = (number: number): string => `${Number(number.toPrecision(6))}`
  if (coordinates !== undefined) return Object.values(coordinates).map(short)
  return [typeof value === "number" ? short(value) : value, ...Object.values(probabilities).map(short)]
}
