// A question as it is sent to one that can be asked: decimal texts to exact numbers, values to constants.

import { exactly, parseDecimal, rational, type Rational } from "@dosimeter/core/exact"
import { readTarget } from "@dosimeter/engine"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { fail } from "../../../errors.ts"
import type { AskedQuestion } from "../../../questions/prepare-question.ts"
import type { AskedWorkload } from "../../../questions/questions.ts"
import type { QuestionBody, WorkloadBody } from "../contract/questions.ts"

/** The question in a body. */
export function questionIn(body: QuestionBody, key: string | undefined): AskedQuestion {
  const { sql, parameters = [], study, within, reuse } = body
  return {
    sql,
    ask: askIn(body),
    parameters: parameters.map(constantOf),
    study,
    ...rhoIn(body),
    within: within === undefined ? undefined : readTarget(within, "within"),
    ...(reuse === undefined ? {} : { reuse }),
    ...(key === undefined ? {} : { requestId: key }),
  }
}

/** The questions in a body. */
export function workloadIn(body: WorkloadBody, key: string | undefined): AskedWorkload {
  const { questions, study } = body
  return {
    questions: questions.map(({ sql, weight }) => ({
      sql,
      weight: weight === undefined ? rational(1n) : exactly(weight, "weight"),
    })),
    ask: spendingIn(body),
    study,
    ...rhoIn(body),
    ...(key === undefined ? {} : { requestId: key }),
  }
}

/** What to spend as rho; nothing else may be wanted beside it. */
export function rhoIn({ rho, epsilon, within }: Pick<QuestionBody, "rho" | "epsilon" | "within">) {
  if (rho === undefined) return {}
  const other = epsilon !== undefined ? "epsilon" : within !== undefined ? "within" : undefined
  if (other !== undefined) {
    fail("request/bad-input", { where: "rho in the body", what: `it cannot stand beside ${other}` })
  }
  return { rho: exactly(rho, "rho") }
}

type Spending = Pick<QuestionBody, "epsilon" | "groupsPerUnit" | "rowsPerGroup">

function spendingIn({ epsilon, groupsPerUnit, rowsPerGroup }: Spending): Ask {
  return {
    ...(epsilon === undefined ? {} : { epsilon: exactly(epsilon, "epsilon") }),
    ...(groupsPerUnit === undefined
      ? {}
      : groupsPerUnit === "auto"
        ? { autoGroups: true }
        : { groupsPerUnit: BigInt(groupsPerUnit) }),
    ...(rowsPerGroup === undefined ? {} : { rowsPerGroup: BigInt(rowsPerGroup) }),
  }
}

function askIn(body: QuestionBody): Ask {
  const { bounds, boundsShare, norm, aim, keysDelta, quantileIntervals, nonNegative, keys, weights } = body
  return {
    ...spendingIn(body),
    ...(bounds === undefined ? {} : { bounds: bounds === "auto" ? "undeclared" : bounds }),
    ...(boundsShare === undefined ? {} : { boundsShare: exactly(boundsShare, "boundsShare") }),
    ...(norm === undefined ? {} : { norm }),
    ...(aim === undefined ? {} : { aim }),
    ...(keysDelta === undefined ? {} : { keysDelta: exactly(keysDelta, "keysDelta") }),
    ...(quantileIntervals === undefined ? {} : { quantileIntervals }),
    ...(nonNegative === undefined ? {} : { nonNegative }),
    ...(keys === undefined ? {} : { keys }),
    ...(weights === undefined ? {} : { weights: weightsIn(weights) }),
  }
}

function weightsIn(weights: Readonly<Record<string, string>>): Readonly<Record<string, Rational>> {
  return Object.fromEntries(Object.entries(weights).map(([name, text]) => [name, exactly(text, "weights")]))
}

function constantOf(value: string | number | boolean | null): Constant {
  if (value === null) return { kind: "null" }
  if (typeof value === "boolean") return { kind: "boolean", value }
  if (typeof value === "number") return { kind: "number", value: parseDecimal(`${value}`, "parameters") }
  return { kind: "text", value }
}
