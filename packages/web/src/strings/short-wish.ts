// Wishes about an epsilon in a few words, for pictures on a phone.

import { showParameter } from "@dosimeter/core"
import { multiply, rational, type Rational } from "@dosimeter/core/exact"
import type { AskedOf } from "@dosimeter/core/meaning"

type Requirement = AskedOf["requirement"]
type Names = Readonly<Record<Requirement["kind"], string>>

/** What is limited, in English. */
export const shortEn: Names = {
  "mean-error-at-most": "mean error",
  "deviation-at-most": "deviation",
  within: "off by",
  "interval-at-most": "interval",
  "epsilon-at-most": "epsilon",
  "mean-noise-at-least": "mean noise",
  "noise-exceeds": "noise",
  "posterior-at-most": "belief",
  "odds-at-most": "odds",
  "advantage-at-most": "advantage",
}

/** The same in Simplified Chinese. */
export const shortZh: Names = {
  "mean-error-at-most": "平均误差",
  "deviation-at-most": "标准差",
  within: "相差",
  "interval-at-most": "区间",
  "epsilon-at-most": "ε",
  "mean-noise-at-least": "平均噪声",
  "noise-exceeds": "噪声",
  "posterior-at-most": "看法",
  "odds-at-most": "赔率",
  "advantage-at-most": "优势",
}

/** "deviation ≤ 10". */
export function shortWish(requirement: Requirement, names: Names): string {
  return `${names[requirement.kind]} ${limitOf(requirement)}`
}

function limitOf(requirement: Requirement): string {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return `≤ ${showParameter(requirement.error)}`
    case "deviation-at-most":
      return `≤ ${showParameter(requirement.deviation)}`
    case "within":
      return `≤ ${showParameter(requirement.within)} (${percent(requirement.confidence)})`
    case "interval-at-most":
      return `≤ ${showParameter(requirement.width)} (${percent(requirement.confidence)})`
    case "epsilon-at-most":
      return `≤ ${showParameter(requirement.epsilon)}`
    case "mean-noise-at-least":
      return `≥ ${showParameter(requirement.noise)}`
    case "noise-exceeds":
      return `> ${showParameter(requirement.size)} (${percent(requirement.probability)})`
    case "posterior-at-most":
      return `${percent(requirement.prior)} → ${percent(requirement.posterior)}`
    case "odds-at-most":
      return `× ${showParameter(requirement.factor)}`
    case "advantage-at-most":
      return `≤ ${percent(requirement.advantage)}`
    default:
      return requirement satisfies never
  }
}

/** A share as people write it. */
export function percent(value: Rational): string {
  return `${showParameter(multiply(value, rational(100n)))} %`
}
