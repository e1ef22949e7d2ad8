// `dosimeter train`: a model of rows that nobody sees. Priced first, charged once, and a file that predicts.

import { readFileSync, writeFileSync, existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { exactly } from "@dosimeter/core/exact"
import { modelOnnx, servedModels, writeModel, type TrainingQuestion } from "@dosimeter/engine"
import type { Command } from "commander"
import { fail } from "../../../errors.ts"
import { ownerStanding } from "../../../questions/owner-asker.ts"
import { confirmed } from "../session/confirm.ts"
import { withDataset } from "../session/dataset.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"
import { budgetJson, budgetLine } from "../show/show-budget.ts"
import { modelPlanJson, showModelPlan, showTrained, trainedJson } from "../show/show-model.ts"

interface TrainFlags {
  readonly policy: string
  readonly model: string
  readonly target?: string
  readonly features: string
  readonly epsilon?: string
  readonly rounds?: string
  readonly count?: string
  readonly out?: string
  readonly onnx?: string
  readonly explain?: true
  readonly study?: string
  readonly purpose?: readonly string[]
  readonly as?: string
  readonly force?: true
  readonly yes?: true
  readonly json?: true
}

/** Adds the command. */
export function addTrain(program: Command, session: Session): void {
  program
    .command("train")
    .description("train a model on rows that nobody sees; --explain says what that costs, free")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--model <name>", `which model: ${Object.keys(servedModels).join(", ")}`)
    .option(
      "--target <column>",
      "the column of the SELECT that is to be told; components and k-means have none",
    )
    .requiredOption("--features <select>", "a SELECT with one row for each person, or a file that holds it")
    .option("--epsilon <e>", "what to spend on all of it")
    .option("--rounds <n>", "how often the data is measured; left out, enough for most models")
    .option("--count <n>", "how many components (2 if left out), or groups of k-means (3)")
    .option("--out <file>", "where the model is written, as JSON")
    .option("--onnx <file>", "the same for other programs, as ONNX")
    .option("--explain", "say what it costs and how much noise there will be; nothing is read or written")
    .option("--study <name>", "charge a study as well")
    .option("--purpose <code>", "what the model is for, where people decide that; may be repeated", collect)
    .option("--as <name>", "who asks")
    .option("--force", "replace a file that is there")
    .option("--yes", "do not ask before paying")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
${Object.entries(servedModels)
  .map(([name, of]) => `  ${name.padEnd(12)} ${of}`)
  .join("\n")}

Every column needs declared values or a declared range: CLAMP(x, low, high) gives it one. The same question
again costs nothing. Predictions cost nothing: dosimeter predict.

Examples:
  dosimeter train --model logistic --target late --features "SELECT year_of_birth, gender_concept_id,
    year_of_birth < 1950 AS late FROM person" --explain
  dosimeter train --model linear --target cost --features features.sql --epsilon 1 --out model.json
  dosimeter train --model k-means --count 4 --features features.sql --epsilon 1 --out groups.json`,
    )
    .action(async (flags: TrainFlags) => runTrain(flags, session))
}

async function runTrain(flags: TrainFlags, session: Session): Promise<void> {
  const [file, onnx] = [flags.out, flags.onnx].map((name) =>
    name === undefined ? undefined : resolve(session.folder, name),
  )
  for (const one of [file, onnx]) {
    if (one !== undefined && flags.force !== true && existsSync(one))
      fail("cli/file-exists", {
        file: one,
        elsewhere: `write elsewhere with ${one === file ? "--out" : "--onnx"} FILE`,
      })
  }
  const sql = session.about(selectOf(flags.features, session))
  await withDataset(session, flags.policy, async (engine) => {
    session.about(sql)
    const { options } = ownerStanding(engine, { as: flags.as, purposes: flags.purpose }, flags.study)
    let what = "planning"
    const asked: TrainingQuestion = {
      ...options,
      model: flags.model,
      ...(flags.target === undefined ? {} : { target: flags.target }),
      sql,
      ...(flags.epsilon === undefined ? {} : { ask: { epsilon: exactly(flags.epsilon, "epsilon") } }),
      ...(flags.rounds === undefined ? {} : { rounds: Number(flags.rounds) }),
      ...(flags.count === undefined ? {} : { count: Number(flags.count) }),
      ...(session.signal === undefined ? {} : { signal: session.signal }),
      onProgress: (step, share) => {
        what = `${step}, ${Math.floor(100 * share)} %`
      },
    }
    const planned = await engine.training.plan(asked)
    if (onnx !== undefined && planned.fit.kind !== "regression")
      fail("cli/usage", { what: `${planned.model} has no form in ONNX; write it as JSON with --out FILE` })
    const account = await engine.account()
    if (flags.explain === true) {
      const shown = { ...modelPlanJson(planned), budget: budgetJson(account) }
      return session.out(
        flags.json === true
          ? `${JSON.stringify(shown, null, 2)}\n`
          : `${showModelPlan(planned)}budget      ${budgetLine(account, "", session.plain)}\n`,
      )
    }
    if (!(await engine.training.isTrained(asked)) && flags.yes !== true) {
      session.note(showModelPlan(planned))
      if (!(await confirmed(session, "train it?"))) fail("cli/not-confirmed", {})
    }
    const trained = await withProgress(session, () => what, engine.training.train(asked))
    if (file !== undefined) writeFileSync(file, `${writeModel(trained.file)}\n`, { mode: 0o600 })
    const bytes = modelOnnx(trained.file)
    if (onnx !== undefined && bytes !== undefined) writeFileSync(onnx, bytes, { mode: 0o600 })
    const left = await engine.account()
    if (flags.json === true) {
      const shown = { ...trainedJson(trained, file), budget: budgetJson(left) }
      return session.out(`${JSON.stringify(shown, null, 2)}\n`)
    }
    session.out(showTrained(trained, [file, onnx]))
    session.out(`budget      ${budgetLine(left, "", session.plain)}\n`)
  })
}

// SQL, or the name of a file that holds it.
function selectOf(text: string, session: Session): string {
  const path = resolve(session.folder, text)
  const isFile = /\.sql$/i.test(text) && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
  return (isFile ? readFileSync(path, "utf8") : text).trim().replace(/;$/, "")
}

/** Each time the option is given adds to its values. */
function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
