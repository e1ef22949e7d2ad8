// The counts of a ladder, as its answer has them, with what is known of their noise.

import { numberNear, rational, rationalOfNumber } from "@dosimeter/core/exact"
import { normalWidth, type NoiseBase } from "@dosimeter/core/post"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { specOf } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { NoisyLadder } from "./ladder-paths.ts"

/** Noisy counts, and the law of each one's noise where it is known. */
export interface ReadLadder extends NoisyLadder {
  readonly bases: readonly NoiseBase[] | undefined
}

/**
 * The counts of an answer to the plan of a ladder; undefined where it has none. Where earlier releases are in
 * it, its noise is not that of the plan, and intervals tell of it.
 */
export function readLadder(answer: AnswerTable, plan: ReleasePlan): ReadLadder | undefined {
  const isOwn = answer.columns.at(-1)?.mechanism !== undefined
  const counts: number[] = []
  const widths: number[] = []
  for (const [step, units] of answer.rows) {
    if (typeof step?.value !== "number" || typeof units?.value !== "number") return undefined
    counts[step.value] = units.value
    if (typeof units.low === "number" && typeof units.high === "number")
      widths.push((units.high - units.low) / 2)
  }
  const spec = plan.releases[0]?.measurements.map(specOf)[0]
  if (spec?.kind !== "laplace" && spec?.kind !== "gaussian") return undefined
  const isWhole = counts.length > 0 && !counts.includes(NaN) && Object.keys(counts).length === counts.length
  if (!isWhole) return undefined
  const miss = 1 - numberNear(plan.confidence)
  const width = isOwn ? undefined : Math.max(...widths)
  if (width !== undefined && !(width > 0 && Number.isFinite(width))) return undefined
  if (spec.kind === "laplace") {
    const scale = width === undefined ? numberNear(spec.scale) : width / -Math.log(miss)
    const law = { law: "laplace", scale: rationalOfNumber(scale) } as const
    // Several draws of Laplace noise are no draw of another.
    return {
      counts,
      deviation: Math.SQRT2 * scale,
      law: "laplace",
      bases: isOwn ? each(counts, law) : undefined,
    }
  }
  const deviation = width === undefined ? Math.sqrt(numberNear(spec.variance)) : width / normalWidth(miss)
  const variance = isOwn ? spec.variance : rationalOfNumber(deviation ** 2)
  return { counts, deviation, law: "gaussian", bases: each(counts, { law: "gaussian", variance }) }
}

type Law = NoiseBase extends infer Base ? (Base extends NoiseBase ? Omit<Base, "id" | "grid"> : never) : never

function each(counts: readonly number[], law: Law): readonly NoiseBase[] {
  return counts.map((_, id) => ({ ...law, id, grid: rational(1n) }))
}
