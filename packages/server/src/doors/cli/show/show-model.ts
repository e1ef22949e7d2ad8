// Models for people and programs: what one would cost, and the card of one that was trained.

import {
  coefficientsOf,
  kindOfModel,
  type ModelFile,
  type PlannedModel,
  type TrainedModel,
} from "@dosimeter/engine"
import { numberNear } from "@dosimeter/core/exact"
import { showCharge } from "@dosimeter/planner/explain/show-explanation"
import { pad, safeText, widthOf } from "./layout.ts"
import { costNumber, fixedNumber, placesFor, shortNumber } from "./numbers.ts"

/** What it costs, and how much noise there will be. */
export function showModelPlan(planned: PlannedModel): string {
  const { model, target, inputs, features, rounds, charge, noise } = planned
  const isCurve = noise.part === "curve"
  return [
    `model       ${model}, of ${safeText(target.column.name)}`,
    `columns     ${inputs.map(({ name }) => safeText(name)).join(", ")}: ${features.length} features`,
    `rounds      ${rounds}`,
    `cost        ${showCharge(charge)}, for all of it together`,
    isCurve
      ? `noise       of each part of a curve, in ${noise.of}:`
      : `noise       of a coefficient, from the lowest to the highest value of a feature, in ${noise.of}:`,
    ...noise.units.map(
      ({ units, noise: deviation, chance, reached, auc }) =>
        `            with ${units.toLocaleString("en")} rows ± ${shortNumber(deviation)} by noise and ` +
        `± ${shortNumber(chance)} by chance (standard deviations)${reached < 0.9 ? `; shrunk to ${Math.round(100 * reached)} %` : ""}` +
        `${auc === undefined ? "" : `; area under the curve ${auc < unknownFrom ? `± ${shortNumber(Number(auc.toPrecision(2)))}` : "not told"}`}`,
    ),
    isCurve
      ? "            for parts with equal numbers of rows"
      : "            for features that spread over half of their range",
    ...(isTooNoisy(noise)
      ? ["warning     even with 100,000 rows noise outweighs chance: fewer features or a larger epsilon help"]
      : []),
    "",
  ].join("\n")
}

function isTooNoisy({ units }: PlannedModel["noise"]): boolean {
  const most = units.at(-1)
  return most !== undefined && most.noise > most.chance && most.reached < 0.9
}

/** The same for programs. */
export function modelPlanJson({ model, target, inputs, features, charge, noise }: PlannedModel): object {
  return {
    model,
    target: target.column.name,
    columns: inputs.map(({ name }) => name),
    features,
    cost: showCharge(charge),
    noise,
  }
}

/** The card of a model. */
export function showTrained(
  { file, confidence, origin }: TrainedModel,
  paths: readonly (string | undefined)[],
): string {
  const { model, target, dose } = file
  return [
    ...paths.flatMap((path) => (path === undefined ? [] : [`wrote       ${path}`])),
    `model       ${kindOfModel(model)}, of ${safeText(target.name)}, from about ${model.rows.toLocaleString("en")} rows`,
    `dose        epsilon ${costNumber(Number(dose.epsilon))}, delta ${costNumber(Number(dose.delta))} for each ${safeText(dose.unit)}${origin === "recorded" ? "; trained before, so this cost nothing" : ""}`,
    ...showFitted(file, numberNear(confidence)),
    "",
  ].join("\n")
}

/** How good a model is, and its coefficients. */
export function showFitted(file: ModelFile, sure: number): readonly string[] {
  const { model, target } = file
  return [
    `quality     ${qualityWords(file)}`,
    "",
    ...coefficientLines(file, sure),
    "",
    model.kind !== "regression"
      ? `Effects on the ${target.kind === "number" ? "expected number" : "log-odds"}; intervals at ${shortNumber(100 * sure)} % cover chance and noise, part by part.`
      : `Intervals at ${shortNumber(100 * sure)} % cover chance and noise. What is marked * was shrunk on account of the noise.`,
  ]
}

/** The same for programs. */
export function trainedJson(
  { file, confidence, origin, charge, receipt }: TrainedModel,
  path?: string,
): object {
  return {
    ...(path === undefined ? {} : { file: path }),
    origin,
    charge: `${charge}`,
    model: file,
    coefficients: coefficientsOf(file, numberNear(confidence)),
    receipt,
  }
}

/** An area under the curve with such an error is not known. */
const unknownFrom = 0.25

function qualityWords({ model: { quality } }: ModelFile): string {
  switch (quality.kind) {
    case "curve":
      if (quality.aucError >= unknownFrom) return "not told: noise hides the curve of so few rows"
      return `area under the curve ${quality.auc.toFixed(3)} ± ${shortNumber(Number(quality.aucError.toPrecision(2)))} (noise alone)`
    case "explained":
      return `R² ${quality.rSquared.toFixed(3)}, mean square ${shortNumber(quality.meanSquare)}, on the rows it was fitted to`
    case "classes":
      return `tells ${percent(quality.accuracy)} of rows right; the commonest class alone would tell ${percent(quality.commonest)}`
    default:
      return quality satisfies never
  }
}

function percent(share: number): string {
  return `${shortNumber(Number((100 * share).toPrecision(3)))} %`
}

function coefficientLines(file: ModelFile, confidence: number): readonly string[] {
  const all = coefficientsOf(file, confidence)
  const outputs = new Set(all.map(({ output }) => output))
  const heads = ["", file.model.kind !== "regression" ? "effect" : "coefficient", "interval", "by noise"]
  const rows = all.map(({ output, name, value, error, low, high, noiseShare, isShrunk }) => {
    const places = placesFor(error ?? Math.abs(value) / 100)
    const own = `${outputs.size > 1 ? `${safeText(output)}: ` : ""}${safeText(name)}${isShrunk ? " *" : ""}`
    return [
      own,
      fixedNumber(value, places),
      low === undefined || high === undefined
        ? ""
        : `${fixedNumber(low, places)} to ${fixedNumber(high, places)}`,
      noiseShare === undefined ? "" : percent(noiseShare),
    ]
  })
  const table = [heads, ...rows]
  const widths = heads.map((_, at) => Math.max(...table.map((row) => widthOf(row[at] ?? ""))))
  return table.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0, at === 0 ? "left" : "right"))
      .join("  ")
      .trimEnd(),
  )
}
