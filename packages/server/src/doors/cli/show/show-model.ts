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
  const { model, target, inputs, features, rounds, count, charge, noise } = planned
  const { before, after, reached: words } = noiseWords(noise)
  return [
    `model       ${model}${target === undefined ? "" : `, of ${safeText(target.column.name)}`}`,
    `columns     ${inputs.map(({ name }) => safeText(name)).join(", ")}: ${features.length} features`,
    ...(count === undefined
      ? []
      : [`count       ${count} ${noise.part === "centre" ? "groups" : "components"}`]),
    `rounds      ${rounds}`,
    `cost        ${showCharge(charge)}, for all of it together`,
    `noise       ${before}:`,
    ...noise.units.map(
      ({ units, noise: deviation, chance, reached, auc, share }) =>
        `            with ${units.toLocaleString("en")} rows ± ${shortNumber(deviation)} by noise and ` +
        `± ${shortNumber(chance)} by chance (standard deviations)${reached < 0.9 ? `; ${words} ${Math.round(100 * reached)} %` : ""}` +
        toldWords("area under the curve", auc) +
        toldWords("share of the variance that is held", share),
    ),
    `            ${after}`,
    ...(isTooNoisy(noise)
      ? ["warning     even with 100,000 rows noise outweighs chance: fewer features or a larger epsilon help"]
      : []),
    "",
  ].join("\n")
}

function toldWords(what: string, error: number | undefined): string {
  if (error === undefined) return ""
  return `; ${what} ${error < unknownFrom ? `± ${shortNumber(Number(error.toPrecision(2)))}` : "not told"}`
}

function noiseWords({ part, of }: PlannedModel["noise"]): {
  readonly before: string
  readonly after: string
  readonly reached: string
} {
  switch (part) {
    case "coefficient":
      return {
        before: `of a coefficient, from the lowest to the highest value of a feature, in ${of}`,
        after: "for features that spread over half of their range",
        reached: "shrunk to",
      }
    case "curve":
      return {
        before: `of each part of a curve, in ${of}`,
        after: "for parts with equal numbers of rows",
        reached: "shrunk to",
      }
    case "component":
      return {
        before: `of the variance along a component, as a ${of}`,
        after:
          "for features that spread over half of their range, and a component with twice the variance of others",
        reached: "its direction is kept to",
      }
    case "centre":
      return {
        before: `of each number of a centre, as a ${of}`,
        after: "for groups of equal size that spread over a quarter of each range",
        reached: "a group is found with a chance of",
      }
    default:
      return part satisfies never
  }
}

function isTooNoisy({ units }: PlannedModel["noise"]): boolean {
  const most = units.at(-1)
  return most !== undefined && most.noise > most.chance && most.reached < 0.9
}

/** The same for programs. */
export function modelPlanJson(planned: PlannedModel): object {
  const { model, target, inputs, features, count, charge, noise } = planned
  return {
    model,
    ...(target === undefined ? {} : { target: target.column.name }),
    columns: inputs.map(({ name }) => name),
    features,
    ...(count === undefined ? {} : { count }),
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
    `model       ${kindOfModel(model)}${target === undefined ? "" : `, of ${safeText(target.name)}`}, from about ${model.rows.toLocaleString("en")} rows`,
    `dose        epsilon ${costNumber(Number(dose.epsilon))}, delta ${costNumber(Number(dose.delta))} for each ${safeText(dose.unit)}${origin === "recorded" ? "; trained before, so this cost nothing" : ""}`,
    ...showFitted(file, numberNear(confidence)),
    "",
  ].join("\n")
}

/** How good a model is, and its coefficients. */
export function showFitted(file: ModelFile, sure: number): readonly string[] {
  return [
    `quality     ${qualityWords(file)}`,
    "",
    ...coefficientLines(file, sure),
    "",
    ...fittedWords(file, shortNumber(100 * sure)),
  ]
}

function fittedWords({ model, target }: ModelFile, percentSure: string): readonly string[] {
  switch (model.kind) {
    case "regression":
      return [
        `Intervals at ${percentSure} % cover chance and noise. What is marked * was shrunk on account of the noise.`,
      ]
    case "boosted":
    case "tables":
      return [
        `Effects on the ${target?.kind === "number" ? "expected number" : "log-odds"}; intervals at ${percentSure} % cover chance and noise, part by part.`,
      ]
    case "directions":
      return [
        `Numbers from -1 to 1 in their ranges, listed values 0 or 1; intervals at ${percentSure} % cover chance and noise, but not that rows far from the middle of all ranges count for less.`,
      ]
    case "centres":
      return [
        ...(model.groups.length < model.asked
          ? [`Of ${model.asked} groups ${model.groups.length} are told: noise hides the others.`]
          : []),
        `In the units of the columns, or as shares of people; intervals at ${percentSure} % cover chance and noise, if the groups are what they are and their numbers spread alike.`,
      ]
    default:
      return model satisfies never
  }
}

/** The heading of what is listed. */
const headings: Readonly<Record<ModelFile["model"]["kind"], string>> = {
  regression: "coefficient",
  boosted: "effect",
  tables: "effect",
  directions: "loading",
  centres: "centre",
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

/** An area under the curve, or a share, with such an error is not known. */
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
    case "spread":
      if (quality.shareError >= unknownFrom) return "not told: noise hides how so few rows differ"
      return `holds ${percent(quality.share)} of the variance, ± ${percent(quality.shareError)} (noise alone)`
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
  const heads = ["", headings[file.model.kind], "interval", "by noise"]
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
