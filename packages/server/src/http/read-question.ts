// A question as it is sent to one that can be asked: decimal texts to exact numbers, values to constants.

import { divide, exactly, parseDecimal, rational, type Rational } from "@dosimeter/core"
import type { WithinTarget } from "@dosimeter/engine"
import type { Ask, Constant } from "@dosimeter/sql"
import type { AskedQuestion, AskedWorkload } from "../governance/questions.ts"
import type { QuestionBody, WorkloadBody } from "./contract/questions.ts"

/** The question in a body. */
export function questionIn(body: QuestionBody, key: string | undefined): AskedQuestion {
  const { sql, parameters = [], study, within, reuse } = body
  return {
    sql,
    ask: askIn(body),
    parameters: parameters.map(constantOf),
    study,
    within: within === undefined ? undefined : targetIn(within),
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
    ...(key === undefined ? {} : { requestId: key }),
  }
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
  const { bounds, boundsShare, quantileIntervals, nonNegative, weights, bias } = body
  return {
    ...spendingIn(body),
    ...(bounds === undefined ? {} : { bounds: bounds === "auto" ? "undeclared" : bounds }),
    ...(boundsShare === undefined ? {} : { boundsShare: exactly(boundsShare, "boundsShare") }),
    ...(quantileIntervals === undefined ? {} : { quantileIntervals }),
    ...(nonNegative === undefined ? {} : { nonNegative }),
    ...(bias === undefined ? {} : { bias: exactly(bias, "bias") }),
    ...(weights === undefined ? {} : { weights: weightsIn(weights) }),
  }
}

function weightsIn(weights: Readonly<Record<string, string>>): Readonly<Record<string, Rational>> {
  return Object.fromEntries(Object.entries(weights).map(([name, text]) => [name, exactly(text, "weights")]))
}

/** 50, or 5% of the answer. */
function targetIn(text: string): WithinTarget {
  const [, number = "", percent = ""] = /^(\S*?)\s*(%?)$/.exec(text) ?? []
  const amount = exactly(number, "within")
  return percent === "" ? { kind: "size", amount } : { kind: "share", amount: divide(amount, rational(100n)) }
}

function constantOf(value: string | number | boolean | null): Constant {
  if (value === null) return { kind: "null" }
  if (typeof value === "boolean") return { kind: "boolean", value }
  if (typeof value === "number") return { kind: "number", value: parseDecimal(`${value}`, "parameters") }
  return { kind: "text", value }
}
